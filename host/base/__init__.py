"""What every part of the host stands on: errors, sentences, files, the terminal; imports nothing of
ours.
"""
