"""Files that organisers bring and take home, read and written; imports archive, systems
and below.
"""
