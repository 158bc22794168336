"""The records that a board withholds: the seed of an unfinished match (``firmware.core.seeds``)."""

from collections.abc import Iterable

from firmware.core import events, frames
from firmware.core.journal import HIDDEN, OVER
from host.archive.records import Position

_KINDS = (*OVER, events.SEED_STORED, events.EVENT_JOINED)  # those that affect a seed
MOST_OPEN = 8  # commitments since the last match's end; a board makes one, or two after a power cut


class UnrevealedSeeds:
    """The seeds of one board, from its records in any order."""

    def __init__(self) -> None:
        # the positions of commitments; each one's seed comes right before it
        self._committed: set[Position] = set()
        self._open: list[Position] = []  # sorted; the newest commitments after the last match's end
        self._last_end = Position(0, 0)  # of the last match's end

    def add(self, epoch: int, counter: int, frame: bytes) -> None:
        """Note an archived record."""
        if frames.kind_of(frame) not in _KINDS:  # the usual case
            return
        position, event = Position(epoch, counter), events.of_record(frame)
        if isinstance(event, events.SeedStored) and event.part == 0:  # a commitment
            self._committed.add(position)
            if position > self._last_end:
                self._open = sorted({*self._open, position})[-MOST_OPEN:]
        elif event.kind in OVER or begins_another(event):
            self._last_end = max(self._last_end, position)
            self._open = [commitment for commitment in self._open if commitment > self._last_end]

    @property
    def seeds(self) -> set[Position]:
        """The positions of every seed whose commitment is known."""
        return _seeds_of(self._committed)

    @property
    def withheld(self) -> set[Position]:
        """The positions of the seeds that the board still withholds."""
        return _seeds_of(self._open)

    def __contains__(self, position: tuple[int, int]) -> bool:
        epoch, counter = position
        return any((epoch, counter + back) in self._committed for back in range(1, HIDDEN + 1))


def begins_another(event: events.Event) -> bool:
    """Return whether a board joins another event with this event."""
    return isinstance(event, events.EventJoined) and event.event != event.before


def _seeds_of(commitments: Iterable[Position]) -> set[Position]:
    return {
        Position(epoch, counter - back)
        for epoch, counter in commitments
        for back in range(1, HIDDEN + 1)
    }
