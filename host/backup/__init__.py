"""Copies of an archive in a second place, and restoring from them; imports keys, archive
and below.
"""
