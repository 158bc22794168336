"""Consistent Overhead Byte Stuffing: bytes without a zero, so that a zero can end a message.

S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on Networking
7(2), 1999: each block is a code, one more than the number of bytes behind it; every code below 255
stands for a zero after its block, unless the data ends there.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes

_FULL = 255  # the code of a block of 254 bytes, after which there is no zero


def encode(data: "Bytes") -> bytes:
    """Return ``data`` without zeros: one byte longer, and one more for each 254 bytes."""
    made = bytearray(len(data) + len(data) // (_FULL - 1) + 1)
    code, at = 0, 1
    for byte in data:
        if at - code == _FULL:
            made[code] = _FULL
            code, at = at, at + 1
        if byte:
            made[at] = byte
        else:
            made[code] = at - code
            code = at
        at += 1
    made[code] = at - code
    return bytes(memoryview(made)[:at])


def decode(data: "Bytes") -> bytes | None:
    """Return what was encoded, or None: a zero inside, or a block that ends beyond ``data``."""
    made = bytearray()
    at = 0
    while at < len(data):
        end = at + data[at]
        if end == at or end > len(data):
            return None
        for place in range(at + 1, end):
            if not data[place]:
                return None
            made.append(data[place])
        if end - at < _FULL and end < len(data):
            made.append(0)
        at = end
    return bytes(made) if data else None
