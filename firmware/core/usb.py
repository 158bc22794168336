"""Messages between a gateway and its PC over USB: the only specification, version 1.

On the wire: a message without zeros (``stuff``), then one zero. A message, little-endian: kind (1
byte), counter (1, rising by one a message in each direction), body, CRC-32 of all before (4). A
gateway forwards frames unopened: the only authentication is the tag inside a board's frame.

    up    HELLO   version u8, places u8, ticks u32, its radio address 6 bytes
          HEARD   ticks u32 when it was read, signal i8 in dBm, the board's address 6 bytes, frame
          PLACES  free places u8, counter of the newest SEND taken u8, SENDs too late u16
          PONG    nonce u16, ticks u32 when PING was read, heard u32, of them lost u32
    down  PING    nonce u16; the gateway takes the PC as gone after 2 s without one
          SEND    ticks u32 at which to begin, span_ms u16 for how long, advert of 1-31 bytes
          SLICES  scan_ms u16: the longest scan between two looks at what is to be sent

Ticks are the chip's ``supervisor.ticks_ms``: milliseconds modulo 2^29. Each SEND takes a place
until it is sent or dropped, and PLACES tells how many are free. Counts are of this start of the
gateway, modulo their size. An address is as on the air, its last byte first.

A vector: PING, counter 7, nonce 0x0201 is 09 41 07 01 02 AC A6 B6 F0 00.

Stuffing: S. Cheshire and M. Baker, "Consistent Overhead Byte Stuffing", IEEE/ACM Transactions on
Networking 7(2), 1999: each block is a code, one more than the number of bytes behind it; every code
below 255 stands for a zero after its block, unless the data ends there.
"""

import binascii
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, UsbMessage

VERSION = 1
COMPANY_ID = 0xFFFF  # as in ``frames``, which a gateway does not load
HELLO, HEARD, PLACES, PONG = 1, 2, 3, 4
PING, SEND, SLICES = 65, 66, 67
GONE_MS = 2000  # silence after which the other side counts as gone
ADVERT_MOST = 31
FRAME_MOST = 27  # of manufacturer data without flags
_WRAP_MS = 1 << 29
_BODIES = {  # kind: its fixed part, the least and the most bytes behind it
    HELLO: ("<BBI6s", 0, 0),
    HEARD: ("<Ib6s", 1, FRAME_MOST),
    PLACES: ("<BBH", 0, 0),
    PONG: ("<HIII", 0, 0),
    PING: ("<H", 0, 0),
    SEND: ("<IH", 1, ADVERT_MOST),
    SLICES: ("<H", 0, 0),
}
_FULL = 255  # the code of a block of 254 bytes, after which there is no zero
_CRC = 4
_HEAD = 2
LONGEST = _HEAD + struct.calcsize("<Ib6s") + FRAME_MOST + _CRC + 2  # on the wire, with its zero


def since_ms(ticks: int, before: int) -> int:
    """Return the ms from ``before`` to ``ticks``, negative where ``ticks`` is the earlier one."""
    return (ticks - before + _WRAP_MS // 2) % _WRAP_MS - _WRAP_MS // 2


def later(ticks: int, more_ms: int) -> int:
    """Return the ticks ``more_ms`` after ``ticks``."""
    return (ticks + more_ms) % _WRAP_MS


def pack(kind: int, counter: int, *values: "int | Bytes") -> bytes:
    """Return a message on the wire; the last of ``values`` is what has no fixed size, if any.
    Raises KeyError for no kind of ours, and struct.error or ValueError for values that do not fit.
    """
    shape, least, most = _BODIES[kind]
    rest = bytes(values[-1]) if most else b""  # pyright: ignore[reportArgumentType]  (such a kind ends in bytes)
    if not least <= len(rest) <= most:
        raise ValueError("a body's length")
    fixed = values[:-1] if most else values
    message = struct.pack("<BB", kind, counter & 0xFF) + struct.pack(shape, *fixed) + rest
    return stuff(message + struct.pack("<I", binascii.crc32(message))) + b"\x00"


def unpack(data: "Bytes") -> "UsbMessage | None":
    """Return (kind, counter, values) of a message without its zero; None: it is no message."""
    message = unstuff(data)
    if message is None or len(message) < _HEAD + _CRC:
        return None
    end = len(message) - _CRC
    row = _BODIES.get(message[0])
    if row is None or struct.unpack_from("<I", message, end)[0] != binascii.crc32(message[:end]):
        return None
    shape, least, most = row
    fixed = _HEAD + struct.calcsize(shape)
    if not fixed + least <= end <= fixed + most:
        return None
    values = struct.unpack_from(shape, message, _HEAD)
    return message[0], message[1], values + (message[fixed:end],) if most else values


def stuff(data: "Bytes") -> bytes:
    """Return ``data`` stuffed, with no zero left: a byte longer, and one more per 254 bytes."""
    made = bytearray(len(data) + len(data) // (_FULL - 1) + 1)
    code, at = 0, 1  # where the block's code goes, and its next byte
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


def unstuff(data: "Bytes") -> bytes | None:
    """Return the decoded bytes; None for no ``data``, a zero in it, or an end within a block."""
    decoded = bytearray()
    start = 0  # of a block: its code
    while start < len(data):
        end = start + data[start]
        if end == start or end > len(data):
            return None
        for index in range(start + 1, end):
            if not data[index]:
                return None
            decoded.append(data[index])
        if end - start < _FULL and end < len(data):
            decoded.append(0)
        start = end
    return bytes(decoded) if data else None


class Splitter:
    """Cuts what arrives into messages, whatever it is. ``refused`` counts what was none, ``missed``
    the messages that the counter tells of and that never came.
    """

    def __init__(self):
        self._held = bytearray(LONGEST)
        self._size = 0
        self._counter: int | None = None
        self.refused = self.missed = 0

    def feed(self, data: "Bytes") -> "list[UsbMessage]":
        """Return the messages that end in ``data``, in order."""
        found = []
        for byte in data:
            if byte:
                if self._size < LONGEST:  # more than that is no message
                    self._held[self._size] = byte
                    self._size += 1
            elif self._size:
                message = unpack(memoryview(self._held)[: self._size])
                self._size = 0
                if message is None:
                    self.refused += 1
                else:
                    self._count(message[1])
                    found.append(message)
        return found

    def _count(self, counter):
        if self._counter is not None:
            self.missed += (counter - self._counter - 1) & 0xFF
        self._counter = counter
