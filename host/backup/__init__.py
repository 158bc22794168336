"""Copies of an archive in a second place, and the way back from them; imports keys, archive and below."""
