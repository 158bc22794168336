"""The base of every part of the host: errors, sentences, files, the terminal; imports no other
package.
"""
