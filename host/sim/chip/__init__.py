"""A simulated chip that boots a board's drive as CircuitPython 10.2.1 does.

``contract.toml`` states, for every native name that our files use, what it does, which arguments it
refuses, and the C file in which that was read. ``Chip`` runs the deployed drive's own ``boot.py``,
``code.py`` and ``safemode.py`` with doubles of the native modules, in virtual time. A double may
refuse more than the chip does, never less.
"""
