"""Hashing: SHA-256 and HMAC (RFC 2104) on every interpreter the core runs on.

Boards have only ``hashlib.new("sha256")``; MicroPython has only ``hashlib.sha256``. Neither has
``hmac``, so it is built here from two plain digests. A key's two blocks are made once and kept.
"""

import hashlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Blocks, Bytes, Hash, NewHash

try:
    new_sha256 = hashlib.sha256  # pyright: ignore[reportAssignmentType]  (a PC's has another name for data)
except AttributeError:

    def new_sha256(data: "Bytes" = b"") -> "Hash":
        """Return a SHA-256 object over ``data``, with ``update`` and ``digest``."""
        return hashlib.new("sha256", data)


def new_sha1(data: "Bytes" = b"") -> "Hash":
    """Return a SHA-1 object, for RFC 4226; AttributeError or ValueError if there is none."""
    return hashlib.new("sha1", data)


TAG_SIZE = 8
_BLOCK = 64


def sha256(data: "Bytes") -> bytes:
    """Return the 32-byte SHA-256 digest of ``data``."""
    return new_sha256(data).digest()


def blocks(key: "Bytes", new: "NewHash" = new_sha256) -> "Blocks":
    """Return the inner and the outer block of a ``key`` of any length, for ``mac``."""
    if len(key) > _BLOCK:
        key = new(key).digest()
    padded = bytes(key) + bytes(_BLOCK - len(key))
    return bytes([byte ^ 0x36 for byte in padded]), bytes([byte ^ 0x5C for byte in padded])


def mac(key_blocks: "Blocks", data: "Bytes", new: "NewHash" = new_sha256) -> bytes:
    """Return the HMAC of ``data`` under the key whose ``blocks`` are ``key_blocks``."""
    inner_block, outer_block = key_blocks
    inner = new(inner_block)
    inner.update(data)
    outer = new(outer_block)
    outer.update(inner.digest())
    return outer.digest()


def hmac(key: "Bytes", data: "Bytes") -> bytes:
    """Return the HMAC of ``data`` under ``key`` (RFC 2104): 32 bytes of SHA-256."""
    return mac(blocks(key), data)


def same(left: "Bytes", right: "Bytes") -> bool:
    """Compare ``left`` with ``right`` in time that depends only on lengths."""
    if len(left) != len(right):
        return False
    difference = 0
    for a, b in zip(left, right):
        difference |= a ^ b
    return difference == 0
