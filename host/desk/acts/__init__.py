"""The acts of staff, in a table for the typed desk, the pages and ``help``.

A new act is a row of ``ACTS`` in the module of its area, with its function (docs/extending.md, "An
act").
"""
