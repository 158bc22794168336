"""Archived records: their unique ids, and the values that the archive stores of each."""

from collections.abc import Collection
from typing import NamedTuple, Self

from firmware.core import events, frames
from firmware.core.events import Event
from host.archive.database import Database, SqlValue
from host.archive.decoded_frames import VerifiedFrame

COLUMNS = "device, generation, epoch, counter, event, received_ms, frame"


class BoardKey(NamedTuple):
    """A board under one of its keys: a new key begins a new journal."""

    device: int
    generation: int


class BootId(NamedTuple):
    """One boot of a board."""

    device: int
    generation: int
    epoch: int


class Position(NamedTuple):
    """A record's place in its board's journal; positions sort in journal order."""

    epoch: int
    counter: int


class RecordId(NamedTuple):
    """A record's unique id."""

    device: int
    generation: int
    epoch: int
    counter: int

    @property
    def board(self) -> BoardKey:
        """Whose it is."""
        return BoardKey(self.device, self.generation)

    @property
    def boot(self) -> BootId:
        """The boot that wrote it."""
        return BootId(self.device, self.generation, self.epoch)

    @property
    def position(self) -> Position:
        """Its place in the board's journal."""
        return Position(self.epoch, self.counter)


class ArchivedRecord(NamedTuple):
    """One verified journal record; as a tuple it is its row in the archive (``COLUMNS``).

    ``event`` is the number of the event (the tournament) under whose key it is, 0 for none;
    ``received_ms`` the event time at which it came in; ``frame`` its 24 bytes.
    """

    device: int
    generation: int
    epoch: int
    counter: int
    event: int
    received_ms: int
    frame: bytes

    @classmethod
    def of(cls, verified: VerifiedFrame, received_ms: int) -> Self:
        """Return the record in a verified frame."""
        place = verified.device, verified.generation, verified.epoch, verified.counter
        return cls(*place, verified.event, received_ms, verified.frame)

    @property
    def id(self) -> RecordId:
        """Its unique id."""
        return RecordId(self.device, self.generation, self.epoch, self.counter)

    @property
    def kind(self) -> int:
        """Its event's kind."""
        return frames.kind_of(self.frame)

    @property
    def board(self) -> BoardKey:
        """Whose it is."""
        return BoardKey(self.device, self.generation)

    @property
    def boot(self) -> BootId:
        """The boot that wrote it."""
        return BootId(self.device, self.generation, self.epoch)

    @property
    def position(self) -> Position:
        """Its place in the board's journal."""
        return Position(self.epoch, self.counter)

    @property
    def board_event(self) -> Event:
        """Its event at the table, of the class of its kind."""
        return events.of_record(self.frame)

    @property
    def answers_beacon(self) -> bool:
        """Whether its board takes what the hall's beacon says: it answers that here."""
        if self.kind != events.ANSWERED:
            return False
        answer = self.board_event
        return isinstance(answer, events.Answered) and bool(answer.broadcast)

    def came_from_another(self, own: Collection[int]) -> bool:
        """Whether this is where its board was handed on from another archive's event to this one;
        ``own`` are the numbers of this archive's events.

        The board's earlier records are in the other archive. This one could not even verify them,
        as they are signed under a key of that event.
        """
        if self.kind != events.EVENT_JOINED:
            return False
        joined = self.board_event
        assert isinstance(joined, events.EventJoined)
        return joined.before not in (0, joined.event) and joined.before not in own


def stored(
    database: Database, where: str, *values: SqlValue, table: str = "records"
) -> list[ArchivedRecord]:
    """Return records of a table (``records`` or ``quarantine``).

    ``where`` is SQL: a condition and the order.
    """
    sql = f"SELECT {COLUMNS} FROM {table} WHERE {where}"
    return database.select(ArchivedRecord, sql, *values)
