"""Which boards take what the hall's beacon says: those whose journals answer it."""

from collections.abc import Iterable

from firmware.core import events
from host.archive.records import ArchivedRecord, BoardKey


def answers(record: ArchivedRecord) -> bool:
    """Return whether a record answers the beacon."""
    if record.kind != events.ANSWERED:
        return False
    answer = record.board_event
    return isinstance(answer, events.Answered) and bool(answer.broadcast)


def boards_of(records: Iterable[ArchivedRecord]) -> set[BoardKey]:
    """Return the boards of the records that answer the beacon."""
    return {record.board for record in records if answers(record)}
