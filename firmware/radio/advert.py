"""A status frame as a legacy advert of exactly 31 bytes.

Flags (BlueZ keeps no device connectable without them), then manufacturer data: 4 bytes of header
and the 24 of the frame. ``_bleio`` gets the raw bytes: ``adafruit_ble.advertising`` costs 6-8 KB
and would make 33 bytes. Bluetooth Core Supplement, part A, 1.3 and 1.4.
"""

import struct

from firmware.core import frames

# A connection waits for an advert, and half of them are lost in a hall. A thousand boards drown at
# the shortest interval, so only the first numbers come near it (docs/air.md)
_SHORTEST_S, _LONGEST_S = 0.15, 0.4
_EACH_S = 0.00375
_FLAGS = b"\x02\x01\x06"  # general discoverable, no BR/EDR
_MANUFACTURER = 0xFF


def pack(frame: bytes) -> bytes:
    """Return the 31 bytes that carry a 24-byte ``frame``."""
    return _FLAGS + struct.pack("<BBH", 3 + len(frame), _MANUFACTURER, frames.COMPANY_ID) + frame


def interval_s(frame: bytes) -> float:
    """Return how often a board advertises, in seconds, by its number, which a ``frame`` tells:
    where there are high ones there are many boards.
    """
    device = frame[1] | frame[2] << 8
    interval_s = min(_LONGEST_S, max(_SHORTEST_S, device * _EACH_S))
    # boards that change at once, as when a round begins, must not stay synchronised
    return interval_s + (device & 31) / 200
