"""Laying the firmware on a board's drive: ``image`` says what belongs there, ``drive`` writes it.

The text itself is written by python-minifier (``linking.printed``): 91.0 KB of source, where a
printer of our own made 102.3. Its short names are not used: it keeps the names of parameters and
looks at one file at a time, so the Feather's bytecode would be 67,027 bytes instead of 61,813, with
706 different names to intern instead of 509. Inlining, linking and pruning read all files together,
which it does not do.
"""
