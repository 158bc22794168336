"""What a table does with the beacon (``beacon``): its clock, the round's start, acknowledgements.

A board asks for the time before its clock becomes too uncertain: it sends one STATUS, and the
beacon's TIMES say when the host heard it. So its clock is bounded from both sides without a link.

It wraps ``sync.Sync``: frames from the link go on to ``Sync.receive``, except anchors. A proven
command becomes an intent, as a down frame does. A start that has already arrived changes nothing. A
board with too uncertain a clock accepts no start, and asks for the time over the link.
"""

from firmware.core import announced, answers, beacon, events, frames, intents, phases
from firmware.core.beacon_receiver import MAC, BeaconReceiver
from firmware.core.clock_filter import ClockFilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Heard, Match, Sync

WORK = b"\0"  # a frame of nobody: go on proving what was heard
_STATE = beacon.BODY + 5  # of a TICK
# Adverts in 1024 cycles of a hall in which one table speaks: 376 us each, they fill two fifths of
# the boards' time; with those not known to be heard half, where most come through (docs/air.md).
_PACE = (beacon.CYCLE_MS - beacon.PART_MS) * 1000 * 400 // 376
MOST = 1024
_CALM = 1024 * beacon.CYCLE_MS // 500  # twice a second
_LATER = 64  # while results wait, other records are sent this many times less often
_BUSY_MS = 4000  # how long results are taken to wait once their share has changed
_HINT_MS = 2500  # a key must have come by then
_LOST_MS = 3000  # without a beacon: then the cycle is tried out
_TRY_MS = 500
_SHIFT_MS = 22  # of the cycle, for each try more
_DOUBT_MS = 150  # from here on a board asks by adverts,
_ASK_MS = 3000  # so long after the last time: an answer and its key take a second
_GAP_MS = 3000  # without a beacon: it may be another host that recalls all now


class Listener(BeaconReceiver):
    """A board's receiver for the beacon, in front of its Sync, for its ``match``. ``tick`` is the
    last proven TICK, None before the first; ``asked_ms`` is the uptime of the last question. Until
    uptime ``busy_ms`` many tables may have results to announce.
    """

    def __init__(self, protocol: "Sync", match: "Match"):
        BeaconReceiver.__init__(self, protocol.entropy)
        self.sync, self._match, self._receive = protocol, match, protocol.receive
        self.clock = ClockFilter(protocol.timebase)
        # of an anchor: the counter of its last part, the batch, and the parts that came
        self.taking: tuple[int, int, dict[int, bytes]] = -1, -1, {}
        self._seen = self._last = -1  # the journal's news, and the place of its last milestone
        self._hinted_ms = -2 * _HINT_MS
        self._heard_ms = self._tries = 0
        self._share = self.asked_ms = self.busy_ms = 0
        self.tick = None

    def listen(self, frame: "Bytes", uptime_ms: int) -> None:
        """Take a frame of the beacon that came by ``uptime_ms``."""
        base = self.sync.timebase
        kept = self.hear(frame, uptime_ms, base.now_ms(uptime_ms), base.uncertainty_ms(uptime_ms))
        # A frame that is not proven yet says only when to listen, and the pace. Once a MAC was
        # wrong somebody else has the group key, and such a frame says nothing any more
        if not kept or self.refused[MAC]:
            return
        self._heard_ms, kind = uptime_ms, beacon.kind_of(frame)
        if kind == beacon.TICK:
            share = frame[_STATE] >> 3
            if share != self._share:
                self._share, self.busy_ms = share, uptime_ms + _BUSY_MS
        elif kind == beacon.ACKED and uptime_ms - self._hinted_ms >= 2 * _HINT_MS:
            self._hinted_ms = uptime_ms

    def receive(self, frame: bytes, uptime_ms: int) -> "Heard | None":
        """Process a down frame, or ``WORK``; returns as ``Sync.receive``."""
        base = self.sync.timebase
        now_ms = base.now_ms(uptime_ms)
        if frame == WORK:
            proven = self.step(now_ms, base.uncertainty_ms(uptime_ms))
            return None if proven is None else self._carry_out(proven, uptime_ms, now_ms)
        if frame[0] == frames.first_byte(beacon.ANCHOR):
            self._take_anchor(frame)
            return None
        received = self._receive(frame, uptime_ms)
        if self._came_already(received):
            return "event", self.sync.answer(answers.DONE, now_ms)
        return received

    def _take_anchor(self, frame):
        """Take a part of an anchor; follow the chain once all of one batch are there."""
        journal, head = self.sync.journal, frames.head(frame)
        if head is None:
            return
        _, device, epoch, counter = head
        newest, batch, parts = self.taking
        if device != journal.device or epoch != journal.epoch or counter <= newest:
            return
        if not any([frames.authentic(key, frame) for key in self.sync.keys]):
            return
        part, part_of = frame[7] & 3, frame[7] >> 2
        if part_of != batch:
            batch, parts = part_of, {}
        parts[part] = frames.mask_name(journal.key, frame, frame[8 : frames.BODY])
        if len(parts) == beacon.PARTS:
            self.follow_chain(b"".join([parts[part] for part in range(beacon.PARTS)]))
            batch, parts = -1, {}
        self.taking = counter, batch, parts

    def _came_already(self, intent):
        """Return whether this sets the start that the table has."""
        return isinstance(intent, intents.SetStart) and intent.at_ms == self._match.start_ms

    def _carry_out(self, frame, uptime_ms, now_ms):
        """Do what a proven frame says; return the intent that is left, if any."""
        kind = beacon.kind_of(frame)
        if kind == beacon.ACKED:
            self.sync.answered_ms = uptime_ms
            self._ack(frame[6])
            return None
        if kind == beacon.TIMES:
            self.sync.answered_ms = uptime_ms
            self._take_time(frame, uptime_ms)
            return None
        if kind == beacon.TICK:
            counter, intent = self._tick(frame, uptime_ms, now_ms)
        else:
            counter, _, intent = beacon.command_of(frame)
        if not intent.at_ms or self._came_already(intent):
            return None  # no start is set, or it came already
        self.sync.answers = counter, intent.kind, 1
        return intent

    def _tick(self, frame, uptime_ms, now_ms):
        """Set the clock; return the last command's counter and the start's intent, at 0: none."""
        before_ms, _, before_state, *_ = self.tick or (0, 0, 0)
        self.tick = beacon.tick_of(frame)
        sent_ms, of_round, state, _, start_ms, _, last_command = self.tick
        recall_goes_on = before_state & beacon.RECALL and sent_ms - before_ms <= _GAP_MS
        if not state & beacon.RECALL:
            self.present = True
        elif not recall_goes_on:
            self.present = False
        self._tries = 0
        if self.refused[MAC]:  # else ``listen`` has noted both
            self._heard_ms, self._share = uptime_ms, state >> 3
        age_ms = uptime_ms - self.arrived_ms
        self.clock.stamp(sent_ms + age_ms - (age_ms >> 10), uptime_ms)  # it may run fast
        match = self._match
        has_missed = of_round == match.round and match.start_ms is None and start_ms > now_ms
        return last_command, intents.SetStart(start_ms if has_missed else 0)

    def wants(self, uptime_ms: int) -> int:
        """Return the flags of what a status is to ask for: a chain, or the time while an answer
        can still be proven; and whether somebody forges the beacon.
        """
        flags = frames.BEACON_FORGED if self.refused[MAC] else 0
        if self.index < 0:
            flags |= frames.ANCHOR_WANTED
        error_ms = self.sync.timebase.uncertainty_ms(uptime_ms)
        if uptime_ms - self.asked_ms >= _ASK_MS and _DOUBT_MS <= error_ms < beacon.INTERVAL_MS:
            flags |= frames.TIME_WANTED
        return flags

    def sends_status(self, status: bytes, uptime_ms: int) -> None:
        """Note that this STATUS is being sent: if it asks for the time, it was not heard before."""
        asked = beacon.id_of(status)
        _, _, _, flags, _ = frames.status_of(status)
        if flags & frames.TIME_WANTED and asked != self.asked:
            self.asked, self.asked_ms = asked, uptime_ms

    def _take_time(self, frame, uptime_ms):
        """Take when the host heard the last STATUS as an answer that was under way since."""
        trip_ms = uptime_ms - self.asked_ms
        trip_ms += trip_ms >> 10  # this clock may run slow
        next_interval = beacon.u16(frame, beacon.INTERVAL, self.index) + 1
        end_ms = self.start_ms + next_interval * self.interval_ms
        heard_ms = end_ms - (self.ago + 1) * beacon.HEARD_MS  # at the earliest
        self.clock.take_time(heard_ms, trip_ms + beacon.HEARD_MS, uptime_ms)

    def _ack(self, what):
        """Note what the host has: a word of this board, its result, or all records up to it."""
        window = self.sync.window
        if what == beacon.HEARD:
            self.present = True
        else:
            whole = what & beacon.WHOLE
            self.least = beacon.WHOLE + whole  # less is no news any more
            if whole and window.first <= self._last:
                window.restart(self._last + 1)

    def result_word(self, word: int) -> int:
        """Return the result to announce (``announced.word``), 0 before one; ``word``: the last one,
        which stays while the journal has no news.
        """
        journal, match = self.sync.journal, self._match
        news = journal.base + journal.news_head
        if news != self._seen or match.round != self.round:
            self._seen, self.round, self.table = news, match.round, match.table
            last, count = -1, 0
            for place in range(journal.first, journal.end):
                if journal.kind(place) in events.MILESTONES:
                    last, count = place, count + 1
            if last != self._last:
                self._last, self.milestone, self.least = last, count % announced.MOST, 0
                self._hinted_ms = -2 * _HINT_MS
            has_ended = match.phase == phases.AGREED
            word = announced.word(match, self.milestone) if has_ended else 0
        return word

    def pace(self, asks: int, uptime_ms: int) -> int:
        """Return in how many of 1024 cycles this table should advertise, 0 if it has no news.

        ``asks``: it has a request. An acknowledgement that is not proven yet stops the result for
        ``_HINT_MS``, and never twice in a row: the thief of a board can forge one.
        """
        if self.tick is None:
            return _CALM
        match, share, most = self._match, self._share, _CALM
        _, tick_round, _, tables, _, _, _ = self.tick
        acknowledged = self.least or uptime_ms - self._hinted_ms < _HINT_MS
        has_result = match.phase == phases.AGREED and not acknowledged
        if has_result or not self.present:
            most, tables = MOST, tables * share // beacon.SHARES  # those with something to tell
        elif not asks and tick_round == match.round:
            if not self.sync.waiting:
                return 0
            if uptime_ms < self.busy_ms:
                tables *= _LATER
            elif share:
                tables *= 2
        return min(most, _PACE // max(1, tables))

    def cycle_ms(self, uptime_ms: int) -> int:
        """Return the ms since the air's cycle began, by this board's clock. Without a beacon for a
        while the clock may be wrong: then every other try is shifted, further and further.
        """
        if uptime_ms - self._heard_ms > _LOST_MS:
            self._heard_ms += _TRY_MS
            self._tries += 1
        shift_ms = self._tries * _SHIFT_MS if self._tries % 2 else 0
        return (self.sync.timebase.now_ms(uptime_ms) + shift_ms) % beacon.CYCLE_MS
