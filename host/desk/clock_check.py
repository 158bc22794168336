"""Checks this PC's clock against the event's time.

The event's time is read from the PC's clock once, when ``serve`` begins, and then counted by a
monotonic clock. So a clock that is wrong at that moment would take time away from a running round.
A short gap since the event last ran is normal (the laptop crashed). After a long gap in a running
round the event's time stays where it was, and people are asked; nothing is stored meanwhile that an
earlier time would contradict. Boards have counted on, so times in their records are accepted.
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
BOARDS = "boards"  # the author of an answer that records of boards gave
ASK_MS = 10 * 60_000  # a crashed laptop is back sooner
STEP_MS = 60_000  # smaller errors of the clock are ignored
_MINUTE_MS = 60_000
# records whose time is in the future, estimated after a reset, or no time of the event
_NO_EVIDENCE = events.SEALED, events.START_SET, events.BOOTED, events.TIME_SET


class ClockCheck:
    """Compares the PC's clock with the event's time; times are event time in ms.

    ``unix_ms()`` is the PC's clock, ``known_ms`` the last time at which the event certainly ran.
    Create it before anything is stored, as it may set ``clock`` back to ``known_ms``.
    """

    def __init__(
        self, station: Station, clock: HostClock, unix_ms: Callable[[], int], known_ms: int
    ):
        self._station, self._clock, self._unix_ms = station, clock, unix_ms
        self._unconfirmed_ms = 0  # time that passed by the PC's clock only
        # the program did not run meanwhile: somebody must say whether that clock was set
        passed_ms = clock.now_ms() - known_ms
        if passed_ms > ASK_MS and _runs(station, known_ms):
            self._unconfirmed_ms = passed_ms
            clock.move(-passed_ms)
            station.listeners.append(self._move_on)
        self._known_off_ms = 0  # the error of the PC's clock that people know of

    @property
    def _off_ms(self) -> int:
        """The PC's clock minus the event's time."""
        return self._unix_ms() - self._station.origin_unix_ms - self._clock.now_ms()

    def update(self) -> Sentence | None:
        """Begin or end the troubles; return a new trouble, None without."""
        now_ms, station_troubles = self._clock.now_ms(), self._station.troubles
        off_ms = self._off_ms
        if abs(off_ms) < STEP_MS:  # it never was wrong, or somebody has set it right
            self._unconfirmed_ms = 0
            self._known_off_ms = 0
        question = error = None
        if self._unconfirmed_ms:
            question = troubles.clock_question(_span(self._unconfirmed_ms))
        elif abs(off_ms - self._known_off_ms) >= STEP_MS:
            error = troubles.clock_off(_span(abs(off_ms)), off_ms > 0)
        news = None
        for kind, why in ((troubles.CLOCK, question), (troubles.CLOCK_OFF, error)):
            if why is None:
                station_troubles.end(kind)
            elif station_troubles.begin(kind, now_ms, why):
                news = why
        return news

    def answer(self, passed: bool, author: str) -> Sentence:
        """Process an answer. ``passed``: the time has passed; else the PC's clock is wrong.

        Return a sentence for the user. Raises UserError without a question, and for ``passed`` if
        this program has counted the time already.
        """
        off_ms, unconfirmed_ms, station = self._off_ms, self._unconfirmed_ms, self._station
        if not unconfirmed_ms and abs(off_ms - self._known_off_ms) < STEP_MS:
            raise UserError("this PC's clock agrees with the event's time: nothing is asked")
        if passed and not unconfirmed_ms:
            raise UserError(
                "the time was counted here all along: set this PC's clock right, and say: clock"
                " wrong"
            )
        if passed:
            self._clock.move(unconfirmed_ms)
            station.collector.now_ms = self._clock.now_ms()
        self._unconfirmed_ms = 0
        self._known_off_ms = self._off_ms
        facts = {"passed": passed, "off_ms": unconfirmed_ms or off_ms}
        unix_ms = station.origin_unix_ms + self._clock.now_ms()
        station.archive.notices.add(JUDGED, json.dumps(facts, sort_keys=True), author, unix_ms)
        self.update()
        if passed:
            return Sentence("{span} h have gone by for every clock", span=_span(unconfirmed_ms))
        return Sentence("the rounds go on by the event's own time")

    def _move_on(self, entries: Iterable[ArchivedRecord]) -> None:
        """Move the event's time on to that of new records, which prove that it has passed; an
        unconfirmed remainder below ``ASK_MS`` counts as passed, too.
        """
        number = self._station.archive.roster.current_event.number
        board_events = [entry.board_event for entry in entries if entry.event == number]
        times_ms = [event.at_ms for event in board_events if event.kind not in _NO_EVIDENCE]
        ahead_ms = max(times_ms, default=0) - self._clock.now_ms()
        if not self._unconfirmed_ms or not 0 < ahead_ms < self._unconfirmed_ms + STEP_MS:
            return
        if self._unconfirmed_ms - ahead_ms < ASK_MS:
            self.answer(passed=True, author=BOARDS)
            return
        self._unconfirmed_ms -= ahead_ms
        self._clock.move(ahead_ms)
        self._station.collector.now_ms = self._clock.now_ms()


def _runs(station: Station, known_ms: int) -> bool:
    """Return whether a round's clock ran, or was still to run, at ``known_ms``."""
    desk, roster = station.desk, station.archive.roster
    number, start_ms = desk.round, desk.start_ms
    if number is None or start_ms is None or not desk.open:
        return False
    form = roster.stored_format(number)
    stood_ms = room_stops.stood_ms(station.archive, number)
    untimed = form.minutes == UNTIMED_MIN
    return not untimed and known_ms < start_ms + form.minutes * _MINUTE_MS + stood_ms


def _span(ms: int) -> str:
    """Return hours and minutes as H:MM."""
    minutes = round(ms / _MINUTE_MS)
    return f"{minutes // 60}:{minutes % 60:02}"
