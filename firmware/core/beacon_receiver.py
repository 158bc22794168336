"""A board's side of the beacon: frames wait for their key, and count once it has come.

``hear`` keeps what may still be authentic, in so many places; ``step`` does a bounded piece of
work and returns what was proven. Nothing raises, whatever is heard; what is refused is counted.

Of RFC 4082 (3.5, 3.7): a frame is kept only while its key cannot have been disclosed by the latest
event time that is possible (safe), nor is known here; a key counts only if its hashes lead to the
last known one; a frame only under its interval's MAC key. Beyond that: a command is dropped while
the time is uncertain, below the highest counter of its topic, of another round, or when its key
does not come within ``LIFE`` intervals, so nobody can keep one back for later by hiding keys. Where
forged frames fill the places, a new one takes the place of one by chance (reservoir sampling), so
that no flood is sure to displace the true ones.
"""

from firmware.core import beacon, digest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Entropy

HASHES = 8  # a step
LIFE = 12  # intervals that a frame waits for its key
_PLACES = 10
_PLACES_OF = {
    beacon.TICK: range(2), beacon.ACKED: range(2, 5), beacon.COMMAND: range(5, 9),
    beacon.TIMES: range(9, 10),
}  # fmt: skip
_KEY_AT = 5  # where a walker's key begins

# why frames were refused: places in ``BeaconReceiver.refused``
SHAPE = 0  # length, version, kind, or something that should be zero
UNCERTAIN = 1  # no anchor, or this board's time is too uncertain
UNSAFE = 2  # its key may have been disclosed
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

    ``asked``: the STATUS of which it wants to know when it was heard (``beacon.id_of``; b"": none);
    ``ago``: what the last TIMES said of it (``beacon.ago_of``). Its owner keeps up to date: the
    ``table``, ``round`` and ``milestone`` (``announced``), the ``least`` acknowledgement that is
    news, and ``present``: the host has heard this board. ``commanded``: the highest counter by
    topic since the boot. ``index``: the newest interval whose key is known, -1 before an anchor;
    while ``goal`` is later, that one's key is being hashed. ``busy``: ``step`` has work.
    """

    def __init__(self, entropy: "Entropy"):
        self._entropy = entropy
        self.table = self.round = self.milestone = self.least = 0
        self.present, self.asked, self.ago = True, b"", -1
        self.commanded = [0] * (beacon.TOPICS + 1)
        self.refused = [0] * (_KEPT + 1)
        self._waiting: "list[Bytes]" = [b""] * _PLACES
        self._arrived_ms = [0] * _PLACES  # uptimes
        self._counts = [0] * (beacon.TIMES + 1)  # how many of each kind came since a place was free
        self._key = beacon.walker(bytes(16))
        self._walk = bytearray(self._key)
        self._offered = self._group = b""
        self.index = self.goal = self._at = -1  # ``_at``: of the key in ``_walk``
        self.start_ms = self.interval_ms = self.arrived_ms = 0
        self.busy = False

    def follow_chain(self, anchor: "Bytes") -> None:
        """Follow the chain of an authentic anchor of 32 bytes; what waits is forgotten."""
        before = self._group
        self.start_ms, self.interval_ms, self.goal, self._group, key = beacon.anchor_of(anchor)
        if self._group != before:
            self.refused[MAC] = 0  # they counted for the group key before, which somebody had
        self._key[_KEY_AT:] = key
        self.index, self._at = self.goal, -1
        self._waiting = [b""] * _PLACES

    def hear(self, frame: "Bytes", uptime_ms: int, now_ms: int, error_ms: int) -> bool:
        """Keep a frame that arrived at ``uptime_ms``; return whether it was worth it. ``now_ms`` is
        the event time and ``error_ms`` how far it may be off. The frame is kept as it is: nobody
        may change it.
        """
        reason = self._take(frame, uptime_ms, now_ms + error_ms, error_ms)
        self.refused[reason] += 1
        self.busy = self.busy or reason == _KEPT
        return reason == _KEPT

    def _take(self, frame, uptime_ms, latest_ms, error_ms):
        """Keep a frame if it is worth it; return ``_KEPT``, or why not."""
        kind, known = beacon.kind_of(frame), self.index
        if not kind:
            return SHAPE
        if error_ms >= self.interval_ms:
            return UNCERTAIN
        latest = (latest_ms - self.start_ms) // self.interval_ms  # the interval by the latest time
        index = beacon.u16(frame, beacon.INTERVAL, latest)
        ago = latest - index
        if ago < (beacon.DELAY if kind == beacon.KEY else 0):
            return EARLY
        if kind == beacon.KEY:
            if self.goal > known or index <= known:
                return USELESS
        elif ago >= beacon.DELAY or index <= known:
            return UNSAFE
        elif self._useless(kind, frame):
            return USELESS
        if beacon.group_tag(self._group, frame) != beacon.u16(frame, beacon.GROUP):
            return GROUP
        if kind == beacon.KEY:
            self._offered = self._walk[_KEY_AT:] = frame[beacon.BODY : beacon.BODY + 16]
            self.goal = self._at = index
            return _KEPT
        return self._keep(kind, frame, uptime_ms)

    def _useless(self, kind, frame):
        """Return whether a frame is another table's or round's, or known; a TIMES sets ``ago``."""
        if kind == beacon.TICK:
            return False
        if kind == beacon.TIMES:
            self.ago = beacon.ago_of(frame, self.asked)
            return self.ago < 0
        if kind == beacon.ACKED:
            if not beacon.acks(frame, self.table):
                return True
            round_number, what = frame[5], frame[6]
            if what == beacon.HEARD:
                return self.present
            of_result = round_number == self.round and what & 31 == self.milestone
            return not of_result or what < self.least
        counter, asked, round_number = beacon.u16(frame, beacon.BODY), frame[7], frame[8]
        if counter <= self.commanded[beacon.topic(asked)]:
            return True
        return round_number not in (0, self.round)

    def _keep(self, kind, frame, uptime_ms):
        """Put a frame into a free place of its kind, or by chance into a taken one."""
        places = _PLACES_OF[kind]
        waiting = [self._waiting[place] for place in places]
        if frame in waiting:
            return USELESS
        if b"" in waiting:
            at, self._counts[kind] = waiting.index(b""), len(waiting)
        else:
            self._counts[kind] = min(255, self._counts[kind] + 1)
            at = self._entropy(1)[0] % self._counts[kind]
            if at >= len(waiting):
                return FULL
            self.refused[FULL] += 1  # the one that waited there
        self._waiting[places[at]], self._arrived_ms[places[at]] = frame, uptime_ms
        return _KEPT

    def step(self, now_ms: int, error_ms: int) -> "Bytes | None":
        """Do a piece of work; return a frame that was proven, valid until the next call, or None.
        Its arrival is ``arrived_ms``. A COMMAND is returned once and is to be carried out.
        """
        if self.goal > self.index:  # a key is offered
            if self._walk_to(self.index):
                self._learn()
            return None
        place, index = self._latest(now_ms)
        self.busy = place is not None
        if place is None:
            return None
        if index > self._at:  # the walk has gone past it: begin at the newest key again
            self._walk[:], self._at = self._key, self.index
        return self._verify(place, error_ms) if self._walk_to(index) else None

    def _latest(self, now_ms):
        """Drop what expired; return place and interval of the latest frame whose key is known."""
        place, latest = None, -1
        for at in range(_PLACES):
            frame = self._waiting[at]
            if not frame:
                continue
            index = beacon.u16(frame, beacon.INTERVAL, self.index)
            if (now_ms - self.start_ms) // self.interval_ms - index > LIFE:
                self._waiting[at] = b""
                self.refused[EXPIRED] += 1
            elif latest < index <= self.index:
                place, latest = at, index
        return place, latest

    def _walk_to(self, index):
        """Hash ``_walk`` some steps on to the key of an interval; return whether it is there."""
        for _ in range(min(HASHES, self._at - index)):
            beacon.step_back(self._walk)
            self._at -= 1
        return self._at <= index

    def _learn(self):
        """Learn the key that was offered, if its hashes have led to the known one."""
        if self._walk == self._key:
            self._key[_KEY_AT:], self.index = self._offered, self.goal
        else:
            self.refused[KEY] += 1
        self.goal, self._at = self.index, -1

    def _verify(self, place, error_ms):
        """Take the frame from a place, whose key ``_walk`` has; return it if it counts."""
        frame, self.arrived_ms = self._waiting[place], self._arrived_ms[place]
        self._waiting[place] = b""
        reason = self._check(frame, error_ms)
        self.refused[reason] += 1
        return frame if reason == _KEPT else None

    def _check(self, frame, error_ms):
        """Return why a frame does not count, whose key ``_walk`` has; ``_KEPT`` if it does."""
        kind = frame[0] & 63
        key = beacon.mac_key(self._walk[_KEY_AT:])
        if not beacon.verify(digest.blocks(key), frame):
            return MAC
        if self._useless(kind, frame):
            return USELESS
        if error_ms >= self.interval_ms:
            return UNCERTAIN
        if kind == beacon.COMMAND:
            self.commanded[beacon.topic(frame[7])] = beacon.u16(frame, beacon.BODY)
        return _KEPT
