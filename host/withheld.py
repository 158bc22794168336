"""Which records a board holds back: the seed of a match that is not over (``firmware.core.seeds``)."""

from firmware.core import events, frames
from firmware.core.journal import HIDDEN, OVER


class Withheld:
    """One board's, from its records in any order."""

    def __init__(self):
        self._committed = {}  # (epoch, counter) of a commitment -> places of its seed
        self.seeds = set()  # the places of every seed whose commitment is known
        self._over = (0, 0)  # place of the last end of a match

    def add(self, epoch, counter, frame):
        """Note an archived record."""
        kind, _, a, b, c = frames.event_of(frame)
        if kind == events.SEED_TOLD and a == 0:
            self._committed[epoch, counter] = {(epoch, counter - back) for back in range(1, HIDDEN + 1)}
            self.seeds |= self._committed[epoch, counter]
        elif kind in OVER or kind == events.EVENT_JOINED and b != c:
            self._over = max(self._over, (epoch, counter))

    @property
    def now(self):
        """The places of those that cannot be had yet."""
        return set().union(*[held for place, held in self._committed.items() if place > self._over])
