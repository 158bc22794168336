"""The one door to hashing: SHA-256 and HMAC (RFC 2104) on every interpreter the core runs on.

Boards have only ``hashlib.new("sha256")``; MicroPython has only ``hashlib.sha256``. Neither has
``copy`` or ``hmac``, so HMAC is built here from two plain digests.
"""

import hashlib

try:
    _new = hashlib.sha256
except AttributeError:

    def _new(data):
        return hashlib.new("sha256", data)


def sha1(data):
    """Return the 20-byte SHA-1 digest of ``data``, for RFC 4226; MicroPython: AttributeError."""
    return hashlib.new("sha1", data).digest()


TAG_SIZE = 8
_BLOCK = 64


def sha256(data):
    """Return the 32-byte SHA-256 digest of ``data``."""
    return _new(data).digest()


def hmac(key, data, hashing=sha256):
    """Return the HMAC of ``data`` under ``key`` (any length; RFC 2104): 32 bytes of SHA-256."""
    if len(key) > _BLOCK:
        key = hashing(key)
    key = key + bytes(_BLOCK - len(key))
    inner = hashing(bytes([x ^ 0x36 for x in key]) + data)
    return hashing(bytes([x ^ 0x5C for x in key]) + inner)


def tag(key, data):
    """Return the 8-byte authentication tag of ``data`` under ``key`` (DESIGN §1)."""
    return hmac(key, data)[:TAG_SIZE]


def same(left, right):
    """Compare two byte strings in time that depends on their length alone."""
    if len(left) != len(right):
        return False
    difference = 0
    for i in range(len(left)):
        difference |= left[i] ^ right[i]
    return difference == 0
