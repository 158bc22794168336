"""Lets the tests import ``hw``, which is no part of the distribution."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))  # appended, never inserted: the root's code.py
