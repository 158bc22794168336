"""Whether this PC's clock can be right: what it says beside the time that certainly went by.

The event's time is read from the PC's clock once, when ``serve`` begins, and counted on by a
monotonic clock. So a clock that is wrong at that moment would take a running round's time away. A
short gap since the event last ran is normal (a laptop that died); after a long one in a running
round the event's time stands where it was, and people are asked. Nothing is stored in between
that a time set back would contradict. Boards counted meanwhile: what they say is believed.
"""

import json
from collections.abc import Callable, Iterable

from firmware.core import events
from host.archive.records import ArchivedRecord
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.collector.host_clock import HostClock
from host.desk import troubles
from host.desk.station import Station
from host.event import room_stops
from host.formats.round_format import UNTIMED_MIN

JUDGED = "clock judged"
BOARDS = "boards"  # the author of an answer that no person gave
ASK_MS = 10 * 60_000  # a laptop that died is back sooner
STEP_MS = 60_000  # a clock that is less wrong than this is let be
_MINUTE_MS = 60_000
# records whose time is to come, was guessed after a reset, or is something else
_NO_EVIDENCE = events.SEALED, events.START_SET, events.BOOTED, events.TIME_SET


class ClockCheck:
    """Compares the PC's clock with the event's time; times are event time in ms.

    ``unix_ms()`` is the PC's clock, ``known_ms`` the last time at which the event is known to have
    run. Made before anything is stored: it may set ``clock`` back to ``known_ms``.
    """

    def __init__(
        self, station: Station, clock: HostClock, unix_ms: Callable[[], int], known_ms: int
    ):
        self._station, self._clock, self._unix_ms = station, clock, unix_ms
        self._held_ms = 0  # what the PC's clock says went by, and nobody has confirmed
        passed_ms = clock.now_ms() - known_ms
        if passed_ms > ASK_MS and _runs(station, known_ms):
            self._held_ms = passed_ms
            clock.move(-passed_ms)
            station.listeners.append(self._heard)
        self._seen_ms = 0  # how far the PC's clock is off, as people know

    @property
    def _off_ms(self) -> int:
        """How far the PC's clock is ahead of the event's time."""
        return self._unix_ms() - self._station.origin_unix_ms - self._clock.now_ms()

    def look(self) -> Sentence | None:
        """Begin or end the troubles; return what is to be said now, if that is news."""
        now_ms, told = self._clock.now_ms(), self._station.troubles
        if self._held_ms and abs(self._off_ms) < STEP_MS:  # somebody has set the PC's clock right
            self._held_ms = 0
        off_ms = self._off_ms
        if not self._held_ms and abs(off_ms) < STEP_MS:
            self._seen_ms = 0
        asked = troubles.clock_asked(_span(self._held_ms)) if self._held_ms else None
        stepped = not asked and abs(off_ms - self._seen_ms) >= STEP_MS
        step = troubles.clock_off(_span(abs(off_ms)), off_ms > 0) if stepped else None
        news = None
        for kind, why in ((troubles.CLOCK, asked), (troubles.CLOCK_OFF, step)):
            if why is None:
                told.end(kind)
            elif told.begin(kind, now_ms, why):
                news = why
        return news

    def answer(self, passed: bool, author: str) -> Sentence:
        """Take an answer: ``passed``, the time did go by; else the PC's clock is wrong.

        Returns what was done. Raises UserError where nothing is asked, and where time that was
        counted here is to pass once more.
        """
        off_ms, held_ms, station = self._off_ms, self._held_ms, self._station
        if not held_ms and abs(off_ms - self._seen_ms) < STEP_MS:
            raise UserError("this PC's clock agrees with the event's time: nothing is asked")
        if passed and not held_ms:
            raise UserError(
                "the time was counted here all along: set this PC's clock right, and say: clock"
                " wrong"
            )
        if passed:
            self._clock.move(held_ms)
            station.collector.now_ms = self._clock.now_ms()
        self._held_ms = 0
        self._seen_ms = self._off_ms
        facts = {"passed": passed, "off_ms": held_ms or off_ms}
        unix_ms = station.origin_unix_ms + self._clock.now_ms()
        station.archive.notices.add(JUDGED, json.dumps(facts, sort_keys=True), author, unix_ms)
        self.look()
        if passed:
            return Sentence("{span} h have gone by for every clock", span=_span(held_ms))
        return Sentence("the rounds go on by the event's own time")

    def _heard(self, entries: Iterable[ArchivedRecord]) -> None:
        """Let the time pass that boards have counted; what is left unexplained may be a gap."""
        number = self._station.archive.roster.current_event.number
        found = [one.board_event for one in entries if one.event == number]
        times = [one.at_ms for one in found if one.kind not in _NO_EVIDENCE]
        ahead_ms = max(times, default=0) - self._clock.now_ms()
        if not self._held_ms or not 0 < ahead_ms < self._held_ms + STEP_MS:
            return
        if self._held_ms - ahead_ms < ASK_MS:
            self.answer(True, BOARDS)
            return
        self._held_ms -= ahead_ms
        self._clock.move(ahead_ms)
        self._station.collector.now_ms = self._clock.now_ms()


def _runs(station: Station, known_ms: int) -> bool:
    """Return whether a round's clock ran, or was to run, at a time."""
    desk, roster = station.desk, station.archive.roster
    number, start_ms = desk.round, desk.start_ms
    if number is None or start_ms is None or not desk.open:
        return False
    form = roster.format_of(number)
    assert form is not None  # a published round is stored
    stood_ms = room_stops.stood_ms(station.archive, number)
    untimed = form.minutes == UNTIMED_MIN
    return not untimed and known_ms < start_ms + form.minutes * _MINUTE_MS + stood_ms


def _span(ms: int) -> str:
    """Return hours and minutes as H:MM."""
    minutes = round(ms / _MINUTE_MS)
    return f"{minutes // 60}:{minutes % 60:02}"
