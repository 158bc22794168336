"""A few bytes that outlive a reset and not a power loss: the chip's sleep memory, without wear.

What power-up leaves there is anything at all, so the bytes carry their length and a checksum.
A program that beats is well: writing clears the count of crashes that ``safemode`` keeps.
"""

import binascii

import alarm

LONGEST = 60
_HEAD = 5
_CRASHES = 254


class Heartbeat:
    """Keeps at most ``LONGEST`` bytes."""

    def read(self) -> bytes:
        """Return what was last written, or b"" when nothing valid is there."""
        memory = alarm.sleep_memory
        size = memory[0]
        if not 0 < size <= LONGEST:
            return b""
        data = bytes(memory[_HEAD : _HEAD + size])
        return data if bytes(memory[1:_HEAD]) == self._check(data) else b""

    def write(self, data: bytes) -> None:
        """Keep ``data`` over a reset."""
        if not 0 < len(data) <= LONGEST:
            raise ValueError("size")
        alarm.sleep_memory[0 : _HEAD + len(data)] = bytes([len(data)]) + self._check(data) + data
        alarm.sleep_memory[_CRASHES : _CRASHES + 2] = b"\x00\x00"

    def _check(self, data):
        return binascii.crc32(data).to_bytes(4, "little")
