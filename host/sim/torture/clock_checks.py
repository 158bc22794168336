"""Checks a board's clock against the time it was last given and the drift that it declares.

A host sends its own laptop's time, which may be an hour wrong. A board is therefore compared with
the laptop whose time it last accepted.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware.core import frames

if TYPE_CHECKING:
    from host.sim.torture.types import FaultyTable, FaultyVenue, Tell


ROUND_UP_MS = 3
DRIFT_PPM = 20_000  # of a free-running oscillator: far more than is declared
_BACK_MS = 1000  # a board that knows only a bound accepts a time this much before it


class ClockChecker:
    """Checks one board's clock in ``venue`` over all its restarts."""

    def __init__(self, venue: FaultyVenue):
        self._venue = venue
        self._told_ms = None  # the error of the laptop whose time the board last accepted
        self._free_s = self._began_s = self._ends_s = 0  # free runs before the last; the last one
        self._asked_s = self._since_s = 0  # free by the last question; by a link's first answer
        self._sent_times = set()  # (host time, nonce) that a host has sent this board

    def time_sent(self, frame: bytes) -> None:
        """Note a TIME frame that a host has sent."""
        self._sent_times.add(frames.time_of(frame))

    def begin_drift(self, length_s: float) -> None:
        """Note that the oscillator runs free for ``length_s`` seconds, or until a reset."""
        now_s = self._venue.loop.time()
        if now_s >= self._ends_s:
            self._free_s, self._began_s = self._ran_free_s(), now_s
        self._ends_s = max(self._ends_s, now_s + length_s)

    def start(self, table: FaultyTable, tell: Tell) -> None:
        """Watch the time answers of a program that has just started; ``tell`` gets each
        violation.
        """
        self._told_ms, self._ends_s = None, min(self._ends_s, self._venue.loop.time())
        base = table.app.timebase
        ask, answer = base.ask_host, base.host_answered

        def asked(nonce, uptime_ms):
            self._asked_s = self._ran_free_s()
            ask(nonce, uptime_ms)

        def answered(host_ms, nonce, uptime_ms):
            range_ms, now_ms = _possible(base, uptime_ms), base.likely_ms(uptime_ms)
            trip_ms, anew = uptime_ms - base.asked_ms, base.first or base.guessed
            taken = answer(host_ms, nonce, uptime_ms)
            if taken is not None:
                for said in self._judged(
                    taken, (host_ms, nonce), host_ms - now_ms, trip_ms, range_ms
                ):
                    tell(said)
            if taken:
                self._believed(host_ms, table.app.journal.event)
                if anew:  # what is declared reaches over all answers since
                    self._since_s = self._asked_s
            return taken

        base.ask_host, base.host_answered = asked, answered

    def _ran_free_s(self):
        """Return how many seconds the oscillator has run free until now."""
        return self._free_s + min(self._venue.loop.time(), self._ends_s) - self._began_s

    def _judged(self, taken, word, off_ms, trip_ms, range_ms):
        """Yield what is wrong with an accepted or refused time, which was ``off_ms`` to ``off_ms +
        trip_ms`` ahead of the board.
        """
        if word not in self._sent_times:
            yield f"took the time from nobody: {word}"
        slack_ms = ROUND_UP_MS if taken else -ROUND_UP_MS
        within = off_ms - slack_ms <= range_ms[1] and off_ms + trip_ms + slack_ms >= range_ms[0]
        if taken != within and taken | within:
            did = "took an impossible time" if taken else "refused the host's time without cause"
            yield f"{did}: {off_ms} ms off, within {range_ms}"

    def _believed(self, host_ms, event):
        off_ms = host_ms - self._venue.event_ms(event)
        offsets = {off for one in self._venue.laptops for off in one.offsets_ms}
        self._told_ms = min(offsets, key=lambda off: abs(off_ms - off))

    def errors(self, table: FaultyTable) -> Iterator[str]:
        """Yield a sentence if the clock is off by more than it declares plus the known drift."""
        app, uptime_ms = table.app, table.board.clock.now_ms()
        if app.timebase.guessed or self._told_ms is None:
            return
        free_s = self._ran_free_s() - self._since_s
        allowed_ms = (
            app.timebase.uncertainty_ms(uptime_ms) + ROUND_UP_MS + round(free_s * DRIFT_PPM / 1000)
        )
        off_ms = (
            app.timebase.now_ms(uptime_ms) - self._venue.event_ms(app.journal.event) - self._told_ms
        )
        if abs(off_ms) > allowed_ms:
            yield (
                f"clock off by {off_ms} ms, {allowed_ms} ms declared, {free_s:.0f} s of drift among"
                " them"
            )


def _possible(base, uptime_ms):
    """Return the (least, most) ms that a host's time may be ahead of a board's."""
    if not base.guessed:
        declared_ms = base.uncertainty_ms(uptime_ms)
        return -declared_ms, declared_ms
    return (-_BACK_MS if base.bounded else -math.inf), math.inf
