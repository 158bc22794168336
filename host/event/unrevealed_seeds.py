"""Which records a board holds back: the seed of a match that is not over (``firmware.core.seeds``)."""

from firmware.core import events, frames
from firmware.core.journal import HIDDEN, OVER


class UnrevealedSeeds:
    """One board's, from its records in any order."""

    def __init__(self):
        self._committed = (
            set()
        )  # (epoch, counter) of every commitment: its seed lies right before it
        self._over = (0, 0)  # place of the last end of a match

    def add(self, epoch, counter, frame):
        """Note an archived record."""
        kind, _, a, b, c = frames.event_of(frame)
        if kind == events.SEED_TOLD and a == 0:
            self._committed.add((epoch, counter))
        elif kind in OVER or kind == events.EVENT_JOINED and b != c:
            self._over = max(self._over, (epoch, counter))

    @property
    def seeds(self):
        """The places ``(epoch, counter)`` of every seed whose commitment is known."""
        return _before(self._committed)

    @property
    def now(self):
        """The places of those that cannot be had yet."""
        return _before(place for place in self._committed if place > self._over)

    def __contains__(self, place):
        epoch, counter = place
        return any((epoch, counter + back) in self._committed for back in range(1, HIDDEN + 1))


def _before(places):
    return {(epoch, counter - back) for epoch, counter in places for back in range(1, HIDDEN + 1)}
