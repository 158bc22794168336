"""A chip that boots a drive: what CircuitPython 10.2.1 does around our files, as read in its
sources.

``contract.toml`` says what every name that our files use does and refuses there, and in which C
file that was read. ``Chip`` runs a laid drive's own ``boot.py``, ``code.py`` and ``safemode.py``
over doubles of the native modules, in virtual time. A double may refuse more than the chip, never
less.
"""
