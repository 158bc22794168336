"""Exports, printed pages and statistics; imports tournament, audit, formats, event and below."""
