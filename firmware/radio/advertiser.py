"""What a board advertises: its status, and records that no link has fetched (docs/architecture.md).

A phone that keeps connecting holds the one link and silences commands, never results: after
``_ALONE_MS`` without a fresh authentic frame, waiting records are advertised in turn with the
status. After links that proved nothing, connections are accepted only in short windows at random
times, until one was not used.

The advert is a legacy one of exactly 31 bytes: flags (BlueZ keeps no device connectable without
them), then manufacturer data, 4 bytes of header and the 24 of the frame; ``adafruit_ble`` would
make 33 bytes. Bluetooth Core Supplement, part A, 1.3 and 1.4.
"""

import struct

from firmware.core import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Advertising, LinkPort, Match, Sync, Window

_ALONE_MS = 20000
_TURN_MS = 2500  # at least two adverts
_IDLE_MS = 20000
_FAILURES = 2  # packet loss alone may break so many links
_RAREST = 4  # at least one turn in so many is open
# A connection waits for an advert, and half of them are lost in a hall. A thousand boards drown at
# the shortest interval, so only the first numbers come near it (docs/air.md)
_SHORTEST_S, _LONGEST_S = 0.14, 0.415
_EACH_S = 0.0042
_FLAGS = b"\x02\x01\x06"  # general discoverable, no BR/EDR
_MANUFACTURER = 0xFF


def frame(sync: "Sync", link: "LinkPort", match: "Match", flags: int, uptime_ms: int) -> bytes:
    """Return the frame to advertise. ``sync.advertising`` is what it knows of the last one."""
    advertising = sync.advertising
    if sync.heard_ms != advertising.heard_ms:
        advertising.guests, advertising.heard_ms = link.guests, sync.heard_ms
    strangers = link.guests - advertising.guests  # who connected and proved nothing
    alone = sync.window.waiting and uptime_ms - sync.heard_ms >= _ALONE_MS
    is_turn = uptime_ms >= advertising.turn_ms
    nobody_came = advertising.connectable and link.guests == advertising.turn_guests
    if strangers <= _FAILURES:  # at once: a changed status puts turns off
        advertising.connectable = True
    elif is_turn and nobody_came:
        advertising.guests = link.guests
    elif is_turn:
        advertising.connectable = sync.entropy(1)[0] * min(strangers, _RAREST) < 256
    if not advertising.connectable:
        flags |= frames.SHUT
    status = sync.status_frame(match, flags, uptime_ms)
    if status is not advertising.status:
        is_turn, advertising.status, advertising.frame = True, status, status
    elif not alone:
        advertising.frame = status
    elif is_turn:
        advertising.frame = news(sync.window, advertising) or status
    if is_turn:
        advertising.turn_guests = link.guests if sync.opened_ms is None else -1
        takes_turns = alone or strangers > _FAILURES
        advertising.turn_ms = uptime_ms + (_TURN_MS if takes_turns else _IDLE_MS)
    return advertising.frame


def news(window: "Window", advertising: "Advertising") -> bytes | None:
    """Return the next record that waits for its acknowledgement, or None."""
    journal = window.journal
    place = max(advertising.place, window.first)
    while place < journal.base + journal.news_head:
        record = journal.to_send(place)
        place += 1
        if record:  # a seal or a CLOCK, too: without it the host would wait at a gap
            advertising.place = place
            return record
    advertising.place = 0
    return None


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
    return interval_s * (1 + (device & 31) / 90)
