"""What a table does with the beacon (``beacon``): its clock, the round's start, acknowledgements.

A board that is about to be uncertain asks for the time by a STATUS that it sends once: the beacon's
TIMES says when the host heard it. So its clock is bounded from both sides without a link.

It stands before ``sync.Sync``, whose own ``receive`` it asks: what the link brings passes through
to there but for anchors, and a proven command becomes an intent like a down frame's, journalled in
the same way. A start that came already, by either, changes nothing. A board whose time is too
uncertain takes none; it goes on showing what it knows, and asks for the time over the link.
"""

from firmware.core import announced, beacon, frames, intents, phases, sync
from firmware.core.beacon_receiver import BeaconReceiver
from firmware.core.clock_filter import ClockFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Heard, Match, Sync

BROADCAST = 256  # in an answer's field c, beside the intent: it names the counter of a COMMAND
WORK = b"\0"  # a frame of nobody: go on proving what was heard
_STEER_MS = 1000
_PART = 8
_STATE = beacon.BODY + 5  # of a TICK
# Adverts for each 1024 cycles of a hall in which one table speaks: they fill half of the time that
# is the boards', 376 us each, which is where most come through (docs/air.md).
_PACE = (beacon.CYCLE_MS - beacon.PART_MS) * 1000 * 512 // 376
MOST = 1024
_CALM = 409  # twice a second
# all other records so many times more seldom: while no result is awaited, some, or all of them
_LATER = 1, 8, 2
_HINT_MS = 2500  # a key must have come by then
_LOST_MS, _TRY_MS, _TRIED_MS = 3000, 500, 47  # the last: of the cycle
_DOUBT_MS = 150  # from here on a board asks by adverts,
_ASK_MS = 3000  # so long after the last time: an answer and its key take a second
_GAP_MS = 3000  # without a beacon: it may be another host that recalls all now


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
        self._seen = self._last = -1  # the journal's news, and the place of its last milestone
        self._hinted_ms = -2 * _HINT_MS
        self._ticked_ms = self._shift = 0
        self._share = self._asked_ms = 0
        self.tick = None

    def hear(self, frame: "Bytes | None", uptime_ms: int) -> "Bytes | None":
        """Take a frame of the beacon that came by ``uptime_ms``; or, None, go on, and return what
        is proven.
        """
        receiver, base = self.receiver, self._sync.timebase
        now_ms, error_ms = base.now_ms(uptime_ms), base.uncertainty_ms(uptime_ms)
        if frame is None:
            return receiver.step(now_ms, error_ms)
        if receiver.hear(frame, uptime_ms, now_ms, error_ms):
            kind = frame[0] & 63
            if kind == beacon.TICK:
                # before it is proven: it only gives the pace, and says where to listen
                self._share, self._ticked_ms = frame[_STATE] >> 3, uptime_ms
            elif kind == beacon.ACKED and uptime_ms - self._hinted_ms >= 2 * _HINT_MS:
                self._hinted_ms = uptime_ms

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
        if kind == beacon.TIMES:
            return self._timed(frame, uptime_ms)
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
        before, self.tick = self.tick, beacon.tick_of(frame)
        sent_ms, of_round, state, _, start_ms, _, last = self.tick
        if not state & beacon.RECALL:
            self.receiver.present = True
        elif not before or not before[2] & beacon.RECALL or sent_ms - before[0] > _GAP_MS:
            self.receiver.present = False
        self._shift = 0
        age_ms = uptime_ms - self.receiver.arrived_ms
        self._clock.stamp(sent_ms + age_ms - (age_ms >> 10), uptime_ms)  # it may run fast
        missed = of_round == match.round and match.start_ms is None
        if not missed or start_ms <= base.now_ms(uptime_ms):
            start_ms = 0
        return last, (intents.SET_START, start_ms, 0, 0, 0)

    def wants(self, uptime_ms: int) -> int:
        """Return the flags of what a status is to ask for: a chain, or the time while an answer
        can still be proven.
        """
        flags = 0 if self.receiver.index >= 0 else frames.ANCHOR_WANTED
        error_ms = self._sync.timebase.uncertainty_ms(uptime_ms)
        if uptime_ms - self._asked_ms >= _ASK_MS and _DOUBT_MS <= error_ms < beacon.INTERVAL_MS:
            flags |= frames.TIME_WANTED
        return flags

    def sent(self, status: "Bytes", uptime_ms: int) -> None:
        """Note that this STATUS is being sent: if it asks, it was not heard earlier."""
        asked = beacon.asked(status)
        if status[12] & frames.TIME_WANTED and asked != self.receiver.asked:
            self.receiver.asked, self._asked_ms = asked, uptime_ms

    def _timed(self, frame, uptime_ms):
        """Take when the host heard the last STATUS as an answer that was under way since."""
        receiver = self.receiver
        at = beacon.index(frame) + 1
        ago_ms = (beacon.ago_of(frame, receiver.asked) + 1) * beacon.HEARD_MS
        trip_ms = uptime_ms - self._asked_ms
        self._clock.answer(
            receiver.start_ms + at * receiver.interval_ms - ago_ms,
            trip_ms + (trip_ms >> 10) + beacon.HEARD_MS,  # this clock may run slow
            uptime_ms,
        )

    def _ack(self, frame):
        """Note what the host has: a word of this board, its result, or all records up to it."""
        receiver, window, what = self.receiver, self._sync.window, frame[6]
        if what == beacon.HEARD:
            receiver.present = True
            return
        receiver.least = beacon.WHOLE
        if what & beacon.WHOLE:
            receiver.least += beacon.WHOLE
            if window.first <= self._last:
                window.restart(self._last + 1)

    def look(self) -> int:
        """See what the host can acknowledge now; return the result to announce, 0 before one."""
        journal, match, receiver = self._sync.journal, self._match, self.receiver
        news = journal.base + journal.news_head
        if news != self._seen or match.round != receiver.round:
            self._seen, receiver.round, receiver.table = news, match.round, match.table
            places = announced.milestones(journal)
            last = places[-1] if places else -1
            if last != self._last:
                self._last, receiver.milestone, receiver.least = last, len(places) & 31, 0
                self._hinted_ms = -2 * _HINT_MS
        return announced.word(match, receiver.milestone) if match.phase == phases.AGREED else 0

    def pace(self, asks: int, uptime_ms: int) -> int:
        """Return in how many of 1024 cycles this table is to speak, 0 if it has nothing to tell.

        ``asks``: it wants something. An acknowledgement that nobody has proven yet is a hint not to
        repeat oneself: believed for a while, and not twice in a row, as who has stolen a board can
        make one.
        """
        tick, receiver = self.tick, self.receiver
        if tick is None:
            return _CALM
        share, tables = self._share, max(1, tick[3])
        awaited = max(1, tables * share // beacon.SHARES)
        told = receiver.least or uptime_ms - self._hinted_ms < _HINT_MS
        if self._match.phase == phases.AGREED and not told or not receiver.present:
            return min(MOST, _PACE // awaited)
        if asks or tick[1] != self._match.round:
            return min(_CALM, _PACE // tables)
        if not self._sync.waiting:
            return 0
        return min(_CALM, _PACE // tables // _LATER[(share > 0) + (share == beacon.SHARES)])

    def phase(self, uptime_ms: int) -> int:
        """Return the ms since the air's cycle began, by this board's clock; where that has brought
        no TICK for a while it may be wrong, and other parts are tried until one does.
        """
        if uptime_ms - self._ticked_ms > _LOST_MS:
            self._ticked_ms += _TRY_MS
            self._shift += _TRIED_MS
        return (self._sync.timebase.now_ms(uptime_ms) + self._shift) % beacon.CYCLE_MS

    def chance(self) -> int:
        """Return a random byte."""
        return self._sync.entropy(1)[0]

    def steer(self, uptime_ms: int) -> None:
        """Bring the clock and the time base together: answers go there, the estimate back."""
        base, clock = self._sync.timebase, self._clock
        if base.guessed:
            clock.forget()
            return
        if base.since_ms != self._since_ms:
            told = base.since_ms + base.offset_ms - base.error_ms, 2 * base.error_ms, base.since_ms
            if not clock.answer(*told, True):
                clock.forget()  # the desk insists on another time
                clock.answer(*told)
        elif uptime_ms - base.since_ms < _STEER_MS:
            return
        base.offset_ms, base.error_ms = clock.offset_ms(uptime_ms), clock.error_ms(uptime_ms)
        base.since_ms = self._since_ms = uptime_ms
