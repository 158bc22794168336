"""The acts of staff: one table that the typed desk, the pages and ``help`` read.

A new act is a row of ``ACTS`` in the module of its area, and the function that the row names
(docs/extending.md, "An act").
"""
