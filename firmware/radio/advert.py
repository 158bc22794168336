"""A status frame as a legacy advert of exactly 31 bytes.

Flags (BlueZ keeps no device connectable without them), then manufacturer data: 4 bytes of header
and the 24 of the frame. ``_bleio`` gets the raw bytes: ``adafruit_ble.advertising`` costs 6-8 KB
and would make 33 bytes. Bluetooth Core Supplement, part A, 1.3 and 1.4.
"""

import struct

from firmware.core import frames

# and up to 0.16 s more: a connection waits for an advert, and half of them are lost in a hall; a
# thousand boards are heard as often as at 1.25 s, at the library's 0.1 s they drown (docs/air.md)
INTERVAL_S = 0.4
_FLAGS = b"\x02\x01\x06"  # general discoverable, no BR/EDR
_MANUFACTURER = 0xFF


def pack(frame: bytes) -> bytes:
    """Return the 31 bytes that carry a 24-byte ``frame``."""
    return _FLAGS + struct.pack("<BBH", 3 + len(frame), _MANUFACTURER, frames.COMPANY_ID) + frame
