"""Whether a board's clock is what it says it is: against the word that it last took, and what drift
has cost since.

A host tells the time of its own laptop, which may be an hour off: a board is measured by the laptop
that it believed, for as long as it believes it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from firmware.core import frames

if TYPE_CHECKING:
    from host.sim.torture.types import FrailTable, Hall, Tell


ROUND_UP_MS = 3
DRIFT_PPM = 20_000  # of an oscillator that runs free: far more than is declared
_BACK_MS = 1000  # a board that knows only a bound takes a word so much before it


class Timekeeper:
    """One board's clock in ``hall``, over all its lives."""

    def __init__(self, hall: Hall):
        self._hall = hall
        self._told_ms = None  # what the laptop was off that the board last believed
        self._since_s = 0  # when it did
        self._free_s = self._ends_s = 0  # when the oscillator last ran free
        self._spoken = set()  # (host time, nonce) that a host has told this board

    def spoken(self, frame: bytes) -> None:
        """A host has told the time."""
        self._spoken.add(frames.time_of(frame))

    def runs_free(self, length_s: float) -> None:
        """The oscillator runs free from now on, for so long or until a reset."""
        now_s = self._hall.loop.time()
        if now_s >= self._ends_s:
            self._free_s = now_s
        self._ends_s = max(self._ends_s, now_s + length_s)

    def born(self, table: FrailTable, tell: Tell) -> None:
        """A life begins with a bound at the best, and a tame oscillator; ``tell`` hears what is
        wrong with its answers.
        """
        self._told_ms, self._ends_s = None, min(self._ends_s, self._hall.loop.time())
        base = table.app.timebase
        answer = base.answer

        def answered(host_ms, nonce, uptime_ms):
            range_ms, now_ms = _possible(base, uptime_ms), uptime_ms + base.offset_ms
            trip_ms = uptime_ms - base.asked_ms
            taken = answer(host_ms, nonce, uptime_ms)
            if taken is not None:
                for said in self._judged(
                    taken, (host_ms, nonce), host_ms - now_ms, trip_ms, range_ms
                ):
                    tell(said)
            if taken:
                self._believed(host_ms, table.app.journal.event)
            return taken

        base.answer = answered

    def _judged(self, taken, word, off_ms, trip_ms, range_ms):
        """Yield what is wrong with a word taken or refused: it was ``off_ms`` to ``trip_ms`` more
        ahead of the board.
        """
        if word not in self._spoken:
            yield f"took the time from nobody: {word}"
        slack_ms = ROUND_UP_MS if taken else -ROUND_UP_MS
        within = off_ms - slack_ms <= range_ms[1] and off_ms + trip_ms + slack_ms >= range_ms[0]
        if taken != within and taken | within:
            did = "took an impossible time" if taken else "refused the host's time without cause"
            yield f"{did}: {off_ms} ms off, within {range_ms}"

    def _believed(self, host_ms, event):
        off_ms = host_ms - self._hall.event_ms(event)
        offsets = {off for one in self._hall.laptops for off in one.offsets_ms}
        self._told_ms = min(offsets, key=lambda off: abs(off_ms - off))
        self._since_s = self._hall.loop.time()

    def off(self, table: FrailTable) -> Iterator[str]:
        """Yield by what the clock is off, if it is more than it declares and drift explains."""
        app, uptime_ms = table.app, table.board.clock.now_ms()
        if app.timebase.guessed or self._told_ms is None:
            return
        free_s = max(
            0, min(self._hall.loop.time(), self._ends_s) - max(self._since_s, self._free_s)
        )
        allowed_ms = (
            app.timebase.uncertainty_ms(uptime_ms) + ROUND_UP_MS + round(free_s * DRIFT_PPM / 1000)
        )
        off_ms = (
            app.timebase.now_ms(uptime_ms) - self._hall.event_ms(app.journal.event) - self._told_ms
        )
        if abs(off_ms) > allowed_ms:
            yield (
                f"clock off by {off_ms} ms, {allowed_ms} ms declared, {free_s:.0f} s of drift among"
                " them"
            )


def _possible(base, uptime_ms):
    """Return the (least, most) ms that a host may be ahead of a board."""
    if not base.guessed:
        declared_ms = base.uncertainty_ms(uptime_ms)
        return -declared_ms, declared_ms
    return (-_BACK_MS if base.bounded else -math.inf), math.inf
