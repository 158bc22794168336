"""The archive's records with the match they belong to."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from firmware.core import events
from firmware.core.events import Event
from host.archive.records import ArchivedRecord
from host.archive.store import Archive

_PLACES = events.ROUND_SET, events.ROUND_CLEARED


class MatchPlace(NamedTuple):
    """A match: its round, table and pairing number."""

    round: int
    table: int
    pairing: int


class MatchEvent(NamedTuple):
    """An event of a match."""

    round: int
    table: int
    pairing: int
    event: Event


def match_events(archive: Archive, kinds: Collection[int]) -> list[MatchEvent]:
    """Return the current event's events of some kinds, by board, in journal order."""
    placed = placed_records(archive, kinds)
    return [MatchEvent(*place, record.board_event) for place, record in placed]


def placed_records(
    archive: Archive, kinds: Collection[int]
) -> Iterator[tuple[MatchPlace, ArchivedRecord]]:
    """Yield the current event's records of some kinds with the match that each belongs to, by
    board, in journal order; those outside of a match are left out.
    """
    board, place = None, None
    for record in archive.records(archive.roster.current_event.number, {*kinds, *_PLACES}):
        event = record.board_event
        if record.board != board:
            board, place = record.board, None
        if isinstance(event, events.RoundSet):
            place = MatchPlace(event.round, event.table, event.pairing)
        elif event.kind == events.ROUND_CLEARED:
            place = None
        if place is not None and event.kind in kinds:
            yield place, record


def game_rounds(happened: Iterable[MatchEvent]) -> dict[tuple[int, int], int]:
    """Return how many game rounds were begun, by (round, pairing), as far as recorded (XW15)."""
    counts: dict[tuple[int, int], int] = {}
    for placed in happened:
        if placed.event.kind == events.TURN_STARTED:
            key = placed.round, placed.pairing
            counts[key] = counts.get(key, 0) + 1
    return counts
