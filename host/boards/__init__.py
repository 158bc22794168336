"""Boards before an event: models, keys, the image on their drive, bring-up; imports archive,
systems and below.
"""
