"""Keys: which one made a frame, how the master key is encrypted, judges' codes; imports archive and
below.
"""
