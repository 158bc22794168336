"""What every part of the host uses: errors, sentences, files, the terminal; imports no other
package.
"""
