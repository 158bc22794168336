"""Audits an archive, and tests whether its rolls are fair; imports event, keys and below."""
