"""Unpredictable bytes: the chip's own generator, which ``os.urandom`` reads while the
radio is on.
"""

import os


def entropy(size):
    """Return ``size`` bytes that nobody can foretell."""
    return os.urandom(size)
