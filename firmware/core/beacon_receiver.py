"""A board's side of the beacon: frames wait for their key, and count once it has come.

``hear`` keeps what may still be authentic, in places made once; ``step`` does a bounded piece of
work and returns what was proven. Nothing raises, whatever is heard; what is refused is counted.

Of RFC 4082 (3.5, 3.7): a frame is kept only while its key cannot have been disclosed by the latest
event time that is possible (safe), nor is known here; a key counts only if its hashes lead to the
last known one; a frame only under its interval's MAC key. Beyond that: a command is dropped while
the time is uncertain, below the highest counter of its topic, of another round, or when its key
does not come within ``LIFE`` intervals, so nobody can keep one back for later by hiding keys. Where
forged frames fill the places, a new one takes the place of one by chance (reservoir sampling), so
that no flood is sure to displace the true ones. An acknowledgement is repeated several times a
second: with one place each took the last one's, and waited for a later key.
"""

import struct

from firmware.core import beacon, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Entropy

HASHES = 8  # a step
LIFE = 12  # intervals that a frame waits for its key
_PLACE = 32  # bytes: 0 used, from 1 on the frame, from 28 on the uptime at which it arrived
_ENDS = b"\0\2\5\x09\x09\x0a"  # by kind: the place after its last; its first is the kind's before
_KEY = 5  # where a walker's key begins

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
_KEPT = 10


class BeaconReceiver:
    """One board's ear for the beacon; ``entropy(n)`` gives n random bytes.

    ``asked`` names the STATUS whose hearing it wants to know of, b"" none (``beacon.asked``).
    ``table``, ``round`` and ``milestone`` (``announced``) are this board's, ``least`` is what an
    acknowledgement of it must say at the least, and ``present`` whether the host has heard it; its
    owner keeps them up to date. ``commanded`` is the highest counter by topic since the boot.
    ``index`` is the newest interval whose key is known, -1 before an anchor; while ``goal`` is
    later, that one's key is being hashed. ``busy`` says that ``step`` has work.
    """

    def __init__(self, entropy: "Entropy"):
        self._entropy = entropy
        self.table = self.round = self.milestone = self.least = 0
        self.present, self.asked = True, b""
        self.commanded = [0] * (beacon.TOPICS + 1)
        self.refused = [0] * (_KEPT + 1)
        self._view = memoryview(bytearray(_PLACE * _ENDS[-1]))
        self._crowd = bytearray(beacon.TIMES + 1)  # frames of each kind since a place was free
        self._key, self._walk = beacon.walker(bytes(16)), beacon.walker(bytes(16))
        self._offered = bytearray(16)
        self.index = self.goal = -1
        self.busy = False

    def anchor(self, anchor: "Bytes") -> None:
        """Follow the chain of an authentic anchor of 32 bytes; what waits is forgotten."""
        self.start_ms, self.interval_ms, self.index, self._group, key = beacon.anchor_of(anchor)
        self._key[_KEY:] = key
        self.goal, self._at = self.index, -1  # the interval of the key in ``_walk``
        for at in range(0, len(self._view), _PLACE):
            self._view[at] = 0

    def hear(self, frame: "Bytes", uptime_ms: int, now_ms: int, error_ms: int) -> bool:
        """Keep a frame that arrived at ``uptime_ms``; return whether it was worth it.

        ``now_ms`` is the event time and ``error_ms`` how far it may be off.
        """
        reason = self._take(frame, uptime_ms, now_ms + error_ms, error_ms)
        self.refused[reason] += 1
        self.busy = self.busy or reason == _KEPT
        return reason == _KEPT

    def _take(self, frame, uptime_ms, latest_ms, error_ms):
        kind, known = beacon.shaped(frame), self.index
        if not kind:
            return SHAPE
        if known < 0 or error_ms >= self.interval_ms:
            return UNCERTAIN
        index = beacon.index(frame)
        # how many intervals ago it was sent, if it is as late as it can be
        ago = (latest_ms - self.start_ms) // self.interval_ms - index
        key = kind == beacon.KEY
        if ago < (beacon.DELAY if key else 0):
            return EARLY
        if key:
            useless = self.goal > known or index <= known
        elif ago >= beacon.DELAY or index <= known:
            return LATE
        else:
            useless = self._useless(kind, frame)
        if useless:
            return USELESS
        tag = beacon.group_tag(self._group, frame)
        if tag != frame[1] | frame[2] << 8:
            return GROUP
        if key:
            self._offered[:] = self._walk[_KEY:] = frame[beacon.BODY : beacon.BODY + 16]
            self.goal = self._at = index
            return _KEPT
        return self._keep(kind, frame, uptime_ms)

    def _useless(self, kind, frame):
        if kind == beacon.TICK:
            return False
        if kind == beacon.ACKED:
            of_round, what = beacon.acked_of(frame, self.table) or (-1, beacon.WHOLE)
            if what == beacon.HEARD:
                return self.present
            return of_round != self.round or what < self.least or what & 31 != self.milestone
        if kind == beacon.TIMES:
            return beacon.ago_of(frame, self.asked) < 0
        counter, of_round, intent = beacon.command_of(frame)
        known = self.commanded[beacon.topic(intent[0])]
        return counter <= known or of_round and of_round != self.round

    def _keep(self, kind, frame, uptime_ms):
        first, end, view, free = _ENDS[kind - 1], _ENDS[kind], self._view, -1
        for at in range(first, end):
            if not view[at * _PLACE]:
                free = at
            elif view[at * _PLACE + 1 : at * _PLACE + 28] == frame:
                return USELESS
        self._crowd[kind] = crowd = end - first if free >= 0 else min(255, self._crowd[kind] + 1)
        if free < 0:
            free = first + self._entropy(1)[0] % crowd
            if free >= end:
                return FULL
            self.refused[FULL] += 1  # the one that waited there
        struct.pack_into("<B27sI", view, free * _PLACE, 1, frame, uptime_ms)
        return _KEPT

    def step(self, now_ms: int, error_ms: int) -> "Bytes | None":
        """Do a piece of work; return a frame that was proven, valid until the next call, or None.

        Its arrival is ``arrived_ms``. A COMMAND is returned once and is to be carried out.
        """
        known, walk, at = self.index, self._walk, -1
        if self.goal > known:
            until = known
        else:
            at = self._latest((now_ms - self.start_ms) // self.interval_ms) if known >= 0 else -1
            self.busy = at >= 0
            if at < 0:
                return None
            until = beacon.index(self._view[at + 1 :])
            if until > self._at:
                walk[:], self._at = self._key, known
        for _ in range(min(HASHES, self._at - until)):
            beacon.up(walk)
            self._at -= 1
        if self._at > until:
            return None
        if at < 0:
            return self._proven()
        self._view[at] = 0
        frame = self._view[at + 1 : at + 28]
        self.arrived_ms = struct.unpack_from("<I", self._view, at + 28)[0]
        reason = self._doubt(frame, error_ms)
        self.refused[reason] += 1
        return frame if reason == _KEPT else None

    def _proven(self):
        """Learn the key that was offered, if its hashes have led to the known one."""
        if self._walk == self._key:
            self._key[_KEY:], self.index = self._offered, self.goal
        else:
            self.refused[KEY] += 1
        self.goal, self._at = self.index, -1

    def _latest(self, interval):
        """Return the place of the latest frame whose key is known, -1 without one; let go of what
        is too old.
        """
        found, best, view = -1, -1, self._view
        for at in range(0, len(view), _PLACE):
            if view[at]:
                index = beacon.index(view[at + 1 :])
                if interval - index > LIFE:
                    view[at] = 0
                    self.refused[EXPIRED] += 1
                elif best < index <= self.index:
                    found, best = at, index
        return found

    def _doubt(self, frame, error_ms):
        """Return why a frame does not count, whose key ``_walk`` has; ``_KEPT`` if it does."""
        kind = frame[0] & 63
        key = beacon.mac_key(self._walk[_KEY:])
        genuine = beacon.verify(digest.blocks(key), frame)
        if not genuine:
            return MAC
        if self._useless(kind, frame):
            return USELESS
        if error_ms >= self.interval_ms:
            return UNCERTAIN
        if kind == beacon.COMMAND:
            counter, _, intent = beacon.command_of(frame)
            self.commanded[beacon.topic(intent[0])] = counter
        return _KEPT
