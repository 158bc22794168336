"""The host's side of a beacon's keys (``firmware/core/beacon.py``): a chain, whole, and its frames.

Chains follow from the master key, the event and the clock alone. So any host with the archive
continues the same chain, after a restart or as a standby, and nothing is stored. A chain lasts
three days of event time, as the counters of commands do (``host.desk.hall_beacon``): boards get a
chain over a connection each, which takes too long in a hall while people play.
"""

import functools
import struct

from firmware.core import beacon, digest

EVERY_MS = 72 * 3_600_000
INTERVALS = EVERY_MS // beacon.INTERVAL_MS
# A chain begins so long after its three days do: a chain of two intervals then ends just before the
# beacon's part of a cycle is planned (``beacon_sender``), and its key need not wait for the next
SHIFT_MS = 72
_LOW = 0xFFFF  # the part of the interval that a frame contains


def number_at(now_ms: int) -> int:
    """Return the number of the chain in use at this event time; 0 also before the first."""
    return max(0, now_ms - SHIFT_MS) // EVERY_MS


class BeaconChain:
    """Chain ``number`` of an event; ``secret`` is the host's for beacons (``Keyring.beacons``)."""

    def __init__(self, secret: bytes, event: int, number: int):
        self.start_ms = number * EVERY_MS + SHIFT_MS
        seed = digest.hmac(secret, struct.pack("<HH", event, number))
        self.group = digest.hmac(seed, b"group")[: beacon.GROUP_SIZE]
        self._keys = _keys(digest.hmac(seed, b"last")[: beacon.KEY_SIZE])

    def interval(self, at_ms: int) -> int:
        """Return the interval of an event time; raises ValueError outside the chain's three
        days.
        """
        interval = (at_ms - self.start_ms) // beacon.INTERVAL_MS
        if not 0 <= interval < INTERVALS:
            raise ValueError("outside the chain")
        return interval

    def disclosable(self, now_ms: int) -> int | None:
        """Return the newest interval whose key may be disclosed at ``now_ms``, None before the
        first.
        """
        interval = min((now_ms - self.start_ms) // beacon.INTERVAL_MS - beacon.DELAY, INTERVALS - 1)
        return interval if interval >= 0 else None

    def sign(self, kind: int, body: bytes, at_ms: int) -> bytes:
        """Return the frame with this body, signed with the key of the event time ``at_ms``."""
        interval = self.interval(at_ms)
        return beacon.sign(self._key(interval), self.group, kind, interval & _LOW, body)

    def disclose(self, now_ms: int) -> bytes | None:
        """Return the KEY frame that may be sent from ``now_ms`` on, None before the first."""
        interval = self.disclosable(now_ms)
        if interval is None:
            return None
        return beacon.disclose(self._key(interval), self.group, interval & _LOW)

    def anchor(self, now_ms: int) -> bytes | None:
        """Return the 32 bytes that introduce the chain to a board; None before a key may be
        disclosed.

        Its start is later by as many intervals as its index, which has 16 bits, cannot count.
        """
        interval = self.disclosable(now_ms)
        if interval is None:
            return None
        start_ms = self.start_ms + (interval & ~_LOW) * beacon.INTERVAL_MS
        return beacon.pack_anchor(start_ms, interval & _LOW, self.group, self._key(interval))

    def _key(self, interval):
        """Return an interval's key; ``_keys`` has the last one's first."""
        at = (INTERVALS - 1 - interval) * beacon.KEY_SIZE
        return self._keys[at : at + beacon.KEY_SIZE]


@functools.lru_cache(maxsize=2)
def _keys(last):
    """Return all keys, the last one first: takes less than a second, and 14 MB."""
    walker, keys = beacon.walker(last), bytearray()
    its_key, sha256 = slice(-beacon.KEY_SIZE, None), digest.new_sha256
    for _ in range(INTERVALS):
        keys += walker[its_key]
        # like ``beacon.step_back``, in half its time
        walker[its_key] = sha256(walker).digest()[: beacon.KEY_SIZE]
    return bytes(keys)
