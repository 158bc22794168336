"""Pairings, brackets, pods, standings and rule packs; imports formats, event and below."""
