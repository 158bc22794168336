"""The host's side of a beacon's keys (``firmware/core/beacon.py``): a chain, whole, and its frames.

Chains follow from the master key, the event and the clock alone: a new one begins every four
hours of event time and lasts five, so that boards can be told of it in good time. So whoever holds
the archive continues the same chain, after a restart or as a standby, and nothing is stored.
"""

import struct

from firmware.core import beacon, digest

EVERY_MS = 4 * 3_600_000
LASTS_MS = 5 * 3_600_000
# A chain begins so long after its four hours do. Its intervals end shortly before the beacon's part
# of a cycle is planned (``beacon_sender``), so a key that may be told waits least for its slot
SHIFT_MS = 72
INTERVALS = LASTS_MS // beacon.INTERVAL_MS


def number_at(now_ms: int) -> int:
    """Return the number of the chain that sends at this event time, 0 before the first, too."""
    return max(0, now_ms - SHIFT_MS) // EVERY_MS


class BeaconChain:
    """Chain ``number`` of an event; ``secret`` is the host's for beacons (``Keyring.beacons``)."""

    def __init__(self, secret: bytes, event: int, number: int):
        self.start_ms = number * EVERY_MS + SHIFT_MS
        seed = digest.hmac(secret, struct.pack("<HH", event, number))
        self.group = digest.hmac(seed, b"group")[: beacon.GROUP_SIZE]
        walker = beacon.walker(digest.hmac(seed, b"last")[: beacon.KEY_SIZE])
        keys = []
        for _ in range(INTERVALS):
            keys.append(bytes(walker[-beacon.KEY_SIZE :]))
            beacon.up(walker)
        self._keys = keys[::-1]

    def interval(self, at_ms: int) -> int:
        """Return the interval of an event time; ValueError outside the chain's five hours."""
        found = (at_ms - self.start_ms) // beacon.INTERVAL_MS
        if not 0 <= found < INTERVALS:
            raise ValueError("outside the chain")
        return found

    def disclosable(self, now_ms: int) -> int | None:
        """Return the newest interval whose key may be told at ``now_ms``, None before the first."""
        found = min((now_ms - self.start_ms) // beacon.INTERVAL_MS - beacon.DELAY, INTERVALS - 1)
        return found if found >= 0 else None

    def sign(self, kind: int, body: bytes, at_ms: int) -> bytes:
        """Return the frame with this body, signed with the key of the event time ``at_ms``."""
        interval = self.interval(at_ms)
        return beacon.signed(self._keys[interval], self.group, kind, interval, body)

    def disclose(self, now_ms: int) -> bytes | None:
        """Return the KEY frame that may be sent from ``now_ms`` on, None before the first."""
        interval = self.disclosable(now_ms)
        if interval is None:
            return None
        return beacon.disclosed(self._keys[interval], self.group, interval)

    def anchor(self, now_ms: int) -> bytes | None:
        """Return the 32 bytes that tell a board of the chain; None before it has a key to tell."""
        interval = self.disclosable(now_ms)
        if interval is None:
            return None
        return beacon.pack_anchor(self.start_ms, interval, self.group, self._keys[interval])
