"""The archived records of one match, as the board's ``takeback`` reads them."""

from collections.abc import Sequence
from typing import NamedTuple

from firmware.core.events import Event
from host.archive.records import Position


class PlacedEvent(NamedTuple):
    """An event, and the position of its record in the board's journal."""

    position: Position
    event: Event


class PressLog:
    """A log over a sequence of events in ascending positions."""

    first = 0

    def __init__(self, placed: Sequence[PlacedEvent]):
        self._placed = placed
        self.end = len(placed)

    def kind(self, place: int) -> int:
        """Return the kind of the event at an index."""
        return self._placed[place].event.kind

    def event_at(self, place: int) -> Event:
        """Return the event at an index."""
        return self._placed[place].event

    def order(self, place: int) -> int:
        """Return the number by which a TAKEN_BACK names the event: epoch << 16 | counter."""
        epoch, counter = self._placed[place].position
        return epoch << 16 | counter
