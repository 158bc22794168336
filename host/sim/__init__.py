"""The virtual venue: real firmware in virtual time over virtual air; no part of the product,
imports everything but cli.
"""
