"""What a table does with the beacon (``beacon``): its clock, the round's start, acknowledgements.

It stands before ``sync.Sync``, whose own ``receive`` it asks: what the link brings passes through
to there but for anchors, and a proven command becomes an intent like a down frame's, journalled in
the same way. A start that came already, by either, changes nothing. A board whose time is too
uncertain takes none; it goes on showing what it knows, and asks for the time over the link.
"""

from firmware.core import beacon, events, frames, intents, sync
from firmware.core.beacon_receiver import BeaconReceiver
from firmware.core.clock_filter import ClockFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Heard, Match, Sync

BROADCAST = 256  # in an answer's field c, beside the intent: it names the counter of a COMMAND
WORK = b"\0"  # a frame of nobody: go on proving what was heard
_STEER_MS = 1000
_PART = 8


class Listener:
    """A board's ears over its Sync, for its ``match``.

    ``tick`` is the last TICK that was proven, None before; ``receiver`` hears and proves.
    """

    def __init__(self, protocol: "Sync", match: "Match"):
        self._sync, self._match, self._receive = protocol, match, protocol.receive
        self.receiver = BeaconReceiver(protocol.entropy)
        self._clock = ClockFilter(protocol.timebase.ppm)
        self._anchor, self._parts, self._counter = bytearray(beacon.ANCHOR_SIZE), 0, -1
        self._since_ms = -1  # as this has left the time base
        self._acked = -1  # the place behind the last result that is on the host's disk
        self.tick = None

    def hear(self, frame: "Bytes | None", uptime_ms: int) -> "Bytes | None":
        """Take a frame of the beacon that came by ``uptime_ms``; or, None, go on, and return what
        is proven.
        """
        receiver, match, base = self.receiver, self._match, self._sync.timebase
        receiver.round, receiver.table = match.round, match.table
        now_ms, error_ms = base.now_ms(uptime_ms), base.uncertainty_ms(uptime_ms)
        if frame is None:
            return receiver.step(now_ms, error_ms)
        receiver.hear(frame, uptime_ms, now_ms, error_ms)

    def receive(self, frame: bytes, uptime_ms: int) -> "Heard | None":
        """Process a down frame, or ``WORK``; returns as ``Sync.receive``."""
        protocol = self._sync
        if frame == WORK:
            proven = self.hear(None, uptime_ms)
            return None if proven is None else self._done(proven, uptime_ms)
        if frame[0] == frames.VERSION << 6 | beacon.ANCHOR:
            self._anchored(frame)
            return None
        told = self._receive(frame, uptime_ms)
        if told is not None and self._known(told):
            return "event", protocol.answer(sync.DONE, protocol.timebase.now_ms(uptime_ms))
        return told

    def _known(self, intent):
        return intent[0] == intents.SET_START and intent[1] == self._match.start_ms

    def _anchored(self, frame):
        """Take a part of an anchor; of two batches nothing is put together."""
        journal, head, first = self._sync.journal, frames.head(frame), frame[7]
        if head is None or head[1:3] != (journal.device, journal.epoch) or head[3] <= self._counter:
            return
        for key in self._sync.keys:
            if journal.frame.verify(key, frame):
                self._counter = head[3]
                if first >> 2 != self._parts >> 4:
                    self._parts = first >> 2 << 4
                self._parts |= 1 << (first & 3)
                place = (first & 3) * _PART
                eight = frames.mask_name(journal.key, frame, frame[8 : frames.BODY])
                self._anchor[place : place + _PART] = eight
                if self._parts & 15 == 15:
                    self.receiver.anchor(self._anchor)

    def _done(self, frame, uptime_ms):
        """Do what a proven frame says; return the intent that is left, if any."""
        kind = frame[0] & 63
        if kind == beacon.ACKED:
            return self._ack(frame)
        if kind == beacon.TICK:
            counter, intent = self._tick(frame, uptime_ms)
        else:
            counter, _, intent = beacon.command_of(frame)
        if self._known(intent) or not intent[1]:
            return None
        self._sync.answers = counter, intent[0] | BROADCAST
        return intent

    def _tick(self, frame, uptime_ms):
        """Set the clock; return the start, if it is to come and this table has missed it."""
        match, base = self._match, self._sync.timebase
        self.tick = sent_ms, of_round, _, _, start_ms, _, last = beacon.tick_of(frame)
        age_ms = uptime_ms - self.receiver.arrived_ms
        self._clock.stamp(sent_ms + age_ms - (age_ms >> 10), uptime_ms)  # it may run fast
        missed = of_round == match.round and match.start_ms is None
        if not missed or start_ms <= base.now_ms(uptime_ms):
            start_ms = 0
        return last, (intents.SET_START, start_ms, 0, 0, 0)

    def _ack(self, frame):
        """Note that a result is on the host's disk, with all that came before it: that of the
        match's last end, if its revision says so.
        """
        journal, window, count, behind = self._sync.journal, self._sync.window, 0, 0
        for place in range(journal.first, journal.end):
            if journal.kind(place) == events.MATCH_ENDED:
                count, behind = count + 1, place + 1
        if count and count & 255 == frame[6]:
            self._acked = behind
            if window.first < behind:
                window.restart(behind)

    def settled(self) -> bool:
        """Return whether the host has all that this table has to tell, and no round is to come."""
        journal, tick = self._sync.journal, self.tick
        head = journal.base + journal.news_head
        return tick is not None and tick[1] == self._match.round and self._acked >= head

    def steer(self, uptime_ms: int) -> None:
        """Bring the clock and the time base together: answers go there, the estimate back."""
        base, clock = self._sync.timebase, self._clock
        if base.guessed:
            clock.forget()
            return
        if base.since_ms != self._since_ms:
            told = base.since_ms + base.offset_ms - base.error_ms, 2 * base.error_ms, base.since_ms
            if not clock.answer(*told):
                clock.forget()  # the desk insists on another time
                clock.answer(*told)
        elif uptime_ms - base.since_ms < _STEER_MS:
            return
        base.offset_ms, base.error_ms = clock.offset_ms(uptime_ms), clock.error_ms(uptime_ms)
        base.since_ms = self._since_ms = uptime_ms
