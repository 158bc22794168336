"""Signs and verifies a frame under a key that is used once; ``frames`` takes a key's two blocks,
for many frames under one key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.core import digest, frames

if TYPE_CHECKING:
    from firmware.core.types import Bytes


def sign(key: bytes, kind: int, device: int, epoch: int, counter: int, packed: Bytes) -> bytes:
    """Return the signed 24-byte frame around a payload of nine bytes."""
    return frames.signed(digest.blocks(key), kind, device, epoch, counter, packed)


def verify(key: bytes, frame: bytes) -> bool:
    """Return whether a frame's tag was made with ``key``."""
    return frames.authentic(digest.blocks(key), frame)
