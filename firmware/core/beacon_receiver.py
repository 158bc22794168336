"""A board's side of the beacon: frames wait for their key, and count once it has come.

``hear`` keeps what may still be authentic, in places made once; ``step`` does a bounded piece of
work and returns what was proven. Nothing raises, whatever is heard; what is refused is counted.

Of RFC 4082 (3.5, 3.7): a frame is kept only while its key cannot have been disclosed by the latest
event time that is possible (safe), nor is known here; a key counts only if its hashes lead to the
last known one; a frame only under its interval's MAC key. Beyond that: a command is dropped while
the time is uncertain, below the highest counter of its topic, of another round, or when its key
does not come within ``LIFE`` intervals, so nobody can keep one back for later by hiding keys. Where
forged frames fill the places, a new one takes the place of one by chance (reservoir sampling), so
that no flood is sure to displace the true ones.
"""

import struct

from firmware.core import beacon, digest
from firmware.core.key_chain import KeyChain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Entropy

HASHES = 8  # a step
LIFE = 12  # intervals that a frame waits for its key
_PLACE = 32  # bytes: 0 used, from 1 on the frame, from 28 on the uptime at which it arrived
_PLACES = ((0, 0), (0, 4), (4, 6), (6, 10))  # by kind: first place and the one after the last

# why frames were refused: places in ``BeaconReceiver.refused``
SHAPE = 0  # length, version, kind, or something that should be zero
UNCERTAIN = 1  # no anchor, or this board's time is too uncertain
LATE = 2  # its key may have been disclosed
EARLY = 3  # of an interval that cannot have begun, or a key that cannot have been disclosed
GROUP = 4
USELESS = 5  # another table's, another round's, or known before
FULL = 6  # no place was free; the new one or one that waited was dropped
KEY = 7  # a key that is not the chain's
MAC = 8
EXPIRED = 9  # no key came


class BeaconReceiver:
    """One board's ear for the beacon; ``entropy(n)`` gives n random bytes.

    ``table`` and ``round`` are this board's and are kept up to date by its owner; ``commanded`` is
    the highest counter by topic, to be set from the journal after a reset.
    """

    def __init__(self, entropy: "Entropy"):
        self._entropy = entropy
        self.table = self.round = 0
        self.commanded = [0] * (beacon.TOPICS + 1)
        self.refused = [0] * (EXPIRED + 1)
        self._places = bytearray(_PLACE * _PLACES[-1][1])
        self._view = memoryview(self._places)
        self._crowd = bytearray(beacon.KEY)  # frames of each kind since a place was free
        self.chain: KeyChain | None = None
        self._pair = None
        self._pair_of = -1

    def anchor(self, anchor: "Bytes") -> None:
        """Follow the chain of an authentic anchor of 32 bytes; what waits is forgotten."""
        self.start_ms, self.interval_ms, index, group, key = beacon.anchor_of(anchor)
        if not self.interval_ms:
            return
        self._group = group
        self.chain = KeyChain(index, key)
        self._pair_of = -1
        for at in range(0, len(self._places), _PLACE):
            self._places[at] = 0

    def hear(self, frame: "Bytes", uptime_ms: int, now_ms: int, error_ms: int) -> bool:
        """Keep a frame that arrived at ``uptime_ms``; return whether it was worth it.

        ``now_ms`` is the event time and ``error_ms`` how far it may be off.
        """
        chain = self.chain
        if chain is None:
            reason = UNCERTAIN
        else:
            reason = self._refusal(chain, frame, now_ms, error_ms)
            if reason is None:
                reason = self._keep(chain, frame, uptime_ms)
        if reason is not None:
            self.refused[reason] += 1
        return reason is None

    def _refusal(self, chain, frame, now_ms, error_ms):
        kind = beacon.shaped(frame)
        if not kind:
            return SHAPE
        if error_ms >= self.interval_ms:
            return UNCERTAIN
        # the interval in which we are, if it is as late as it can be
        latest = (now_ms + error_ms - self.start_ms) // self.interval_ms
        index = beacon.index(frame)
        if kind == beacon.KEY:
            if index > latest - beacon.DELAY:
                return EARLY
            if chain.goal > chain.index or index <= chain.index:
                return USELESS
        elif index > latest:
            return EARLY
        elif index <= max(latest - beacon.DELAY, chain.index):
            return LATE
        elif self._useless(kind, frame):
            return USELESS
        if beacon.group_tag(self._group, frame) != frame[1] | frame[2] << 8:
            return GROUP
        return None

    def _useless(self, kind, frame):
        if kind == beacon.TICK:
            return False
        if kind == beacon.ACKED:
            told = beacon.acked_of(frame, self.table)
            return told is None or told[0] != self.round
        counter, of_round, intent = beacon.command_of(frame)
        known = self.commanded[beacon.topic(intent[0])]
        return counter <= known or of_round and of_round != self.round

    def _keep(self, chain, frame, uptime_ms):
        kind = frame[0] & 63
        if kind == beacon.KEY:
            chain.offer(beacon.index(frame), frame[beacon.BODY : beacon.BODY + beacon.KEY_SIZE])
            return None
        at = self._free(kind, frame)
        if at is None:
            return USELESS
        if at < 0:
            return FULL
        self._places[at] = 1
        struct.pack_into("<27sI", self._places, at + 1, frame, uptime_ms & 0xFFFFFFFF)
        return None

    def _free(self, kind, frame):
        """Return the place for a frame; None if it waits already, -1 if it gets none."""
        first, end = _PLACES[kind]
        free = -1
        for at in range(first * _PLACE, end * _PLACE, _PLACE):
            if not self._places[at]:
                free = at
            elif self._view[at + 1 : at + 28] == frame:
                return None
        if free >= 0:
            self._crowd[kind] = end - first
            return free
        self._crowd[kind] = min(255, self._crowd[kind] + 1)
        luck = self._entropy(1)[0] % self._crowd[kind]
        if luck >= end - first:
            return -1
        self.refused[FULL] += 1  # the one that waited there
        return (first + luck) * _PLACE

    def step(self, now_ms: int, error_ms: int) -> "Bytes | None":
        """Do a piece of work; return a frame that was proven, valid until the next call, or None.

        A TICK's arrival is ``arrived_ms``. A COMMAND is returned once and is to be carried out.
        """
        chain, hashes = self.chain, HASHES
        if chain is None:
            return None
        if chain.goal > chain.index:
            hashes, true = chain.prove(hashes)
            self.refused[KEY] += true is False
        at = self._next(chain, (now_ms - self.start_ms) // self.interval_ms)
        if at is None or not chain.lead(beacon.index(self._view[at + 1 :]), hashes):
            return None
        self._places[at] = 0
        frame = self._view[at + 1 : at + 28]
        reason = self._doubt(chain, frame, error_ms)
        if reason is not None:
            self.refused[reason] += 1
            return None
        if frame[0] & 63 == beacon.COMMAND:
            counter, _, intent = beacon.command_of(frame)
            self.commanded[beacon.topic(intent[0])] = counter
        self.arrived_ms = struct.unpack_from("<I", self._places, at + 28)[0]
        return frame

    def _next(self, chain, interval):
        """Return the place of the latest frame whose key is known; let go of what is too old."""
        found, best = None, -1
        for at in range(0, len(self._places), _PLACE):
            if not self._places[at]:
                continue
            index = beacon.index(self._view[at + 1 :])
            if interval - index > LIFE:
                self._places[at] = 0
                self.refused[EXPIRED] += 1
            elif best < index <= chain.index:
                found, best = at, index
        return found

    def _doubt(self, chain, frame, error_ms):
        """Return why a frame does not count, None if it does; ``chain.earlier`` is its key."""
        index = beacon.index(frame)
        if self._pair is None or index != self._pair_of:
            self._pair, self._pair_of = digest.blocks(beacon.mac_key(chain.earlier[5:])), index
        if not beacon.verify(self._pair, frame):
            return MAC
        if self._useless(frame[0] & 63, frame):
            return USELESS
        return None if error_ms < self.interval_ms else UNCERTAIN
