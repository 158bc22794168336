"""Unpredictable bytes: the chip's own generator, which ``os.urandom`` reads while the
radio is on.
"""

import os


def entropy(size: int) -> bytes:
    """Return ``size`` unpredictable bytes."""
    return os.urandom(size)
