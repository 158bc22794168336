"""Archived records: what a record can be only once, and what the archive keeps of it."""

from dataclasses import dataclass
from typing import NamedTuple, Self

from host.archive.database import Database, SqlValue
from host.archive.decoded_frames import BoardEvent, VerifiedFrame, event_of

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
    """Where a record stands in its board's journal; positions order as the journal does."""

    epoch: int
    counter: int


class RecordId(NamedTuple):
    """What a record can be only once."""

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


@dataclass(frozen=True, slots=True)
class ArchivedRecord:
    """One journal record as it was verified.

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
        """Return the record that came in with a verified frame."""
        place = verified.device, verified.generation, verified.epoch, verified.counter
        return cls(*place, verified.event, received_ms, verified.frame)

    @property
    def id(self) -> RecordId:
        """What it can be only once."""
        return RecordId(self.device, self.generation, self.epoch, self.counter)

    @property
    def board(self) -> BoardKey:
        """Whose it is."""
        return self.id.board

    @property
    def boot(self) -> BootId:
        """The boot that wrote it."""
        return self.id.boot

    @property
    def position(self) -> Position:
        """Its place in the board's journal."""
        return self.id.position

    @property
    def board_event(self) -> BoardEvent:
        """What it says happened at the table; a seal is no event and is read by ``seal_of``."""
        return event_of(self.frame)


def stored(
    database: Database, where: str, *values: SqlValue, table: str = "records"
) -> list[ArchivedRecord]:
    """Return the records of a table (``records`` or ``quarantine``) that meet a condition, in SQL
    with its order.
    """
    sql = f"SELECT {COLUMNS} FROM {table} WHERE {where}"
    return database.select(ArchivedRecord, sql, *values)
