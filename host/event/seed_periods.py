"""The seeds of an event's matches with their rolls, read from the archived records."""

import itertools
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.core import events, intents, payload, seeds
from firmware.core.answers import DONE
from firmware.core.events import Event
from firmware.core.journal import OVER
from host.archive.records import ArchivedRecord, BoardKey, Position, RecordId
from host.archive.store import Archive
from host.event.timeline import MatchPlace
from host.event.unrevealed_seeds import UnrevealedSeeds

_PUBLIC = (0, 1, 2)
_SECRET = range(seeds.SEED, seeds.NONE)
_KINDS = {*OVER, events.SEED_TOLD, events.ROLLED}


class PlacedRoll(NamedTuple):
    """A roll, and the position of its record in the board's journal."""

    position: Position
    event: events.Event


@dataclass
class SeedPeriod:
    """One seed of one match: its rolls, and the parts of it that were revealed."""

    board: BoardKey
    event: int
    match: MatchPlace
    place: Position | None = None  # of the commitment
    parts: dict[int, bytes] = field(default_factory=dict)  # eight bytes each, by part
    rolls: list[PlacedRoll] = field(default_factory=list)
    after: int = 0  # the number of the last roll before it in this match
    late: bool = False  # a roll or a second nonce record comes before its commitment
    taken: bool = False  # the board has acknowledged a nonce
    over: bool = False
    torn: bool = False  # records between its own are missing
    past: bool = False  # the board has begun another match since

    @property
    def committed(self) -> bool:
        """Whether the commitment is archived."""
        return all(part in self.parts for part in _PUBLIC)

    @property
    def commitment(self) -> bytes:
        """Its 24 bytes."""
        return b"".join(self.parts[part] for part in _PUBLIC)

    @property
    def seed(self) -> bytes | None:
        """The seed's 32 bytes, None while a part is missing."""
        if any(part not in self.parts for part in _SECRET):
            return None
        return b"".join(self.parts[part] for part in _SECRET)

    @property
    def name(self) -> str:
        """Board, round and table in words."""
        board = f"board {self.board.device} (key {self.board.generation})"
        return f"{board}, round {self.match.round}, table {self.match.table}"

    @property
    def decided(self) -> bool:
        """Whether a nonce, or that there is none, is archived."""
        return seeds.NONCE in self.parts or seeds.NONE in self.parts


def seed_periods(records: Iterable[ArchivedRecord]) -> list[SeedPeriod]:
    """Return the seed periods of records, board by board in the order of their journals."""
    records = list(records)
    return _periods(records, _whole(records))


def _periods(
    records: Iterable[ArchivedRecord], whole: Container[RecordId] | None
) -> list[SeedPeriod]:
    """Return seed periods; ``whole`` are the records whose predecessor is known, None for all."""
    found: list[SeedPeriod] = []
    board, now = None, None
    for record in records:
        event = record.board_event
        if (record.board, record.event) != board:
            board, now = (record.board, record.event), None
        if now is not None and whole is not None and record.id not in whole:
            now.torn = True
        if isinstance(event, events.RoundSet):
            for one in found[-1:]:
                one.past = one.past or one.board == record.board
            place = MatchPlace(event.round, event.table, event.pairing)
            now = SeedPeriod(record.board, record.event, place)
            found.append(now)
        elif now is not None:
            now = _taken(found, now, record.position, event)
    return [one for one in found if one.parts or one.rolls]


def _whole(records: Iterable[ArchivedRecord]) -> set[RecordId]:
    """Return the records whose predecessor in the journal is archived or withheld."""
    closed: dict[tuple[BoardKey, int], tuple[int, int]] = {}
    boards: dict[BoardKey, UnrevealedSeeds] = {}
    held: set[RecordId] = set()
    for record in records:
        boards.setdefault(record.board, UnrevealedSeeds()).add(*record.position, record.frame)
        held.add(record.id)
        event = record.board_event
        if isinstance(event, events.EpochClosed):
            closed[record.board, record.epoch] = event.epoch, event.records
    found, back = set(), {board: one.seeds for board, one in boards.items()}
    for record in held:
        board, before = record.board, (record.epoch, record.counter - 1)
        if not record.counter:
            older, count = closed.get((board, record.epoch), (0, 0))
            before = (older, count - 1)
        while before in back[board] and RecordId(*board, *before) not in held:
            before = before[0], before[1] - 1
        if before[1] < 0 or RecordId(*board, *before) in held:
            found.add(record)
    return found


def _taken(
    found: list[SeedPeriod], now: SeedPeriod, place: Position, event: Event
) -> SeedPeriod | None:
    """Note an event under the current SeedPeriod; return the one that applies after it."""
    if isinstance(event, events.SeedTold):
        now = _with_part(found, now, place, event)
    elif isinstance(event, events.Answered):
        taken = event.refusal == DONE and not event.broadcast and event.asked == intents.SET_NONCE
        now.taken = now.taken or taken
    elif isinstance(event, events.Rolled):
        now.late = now.late or not now.committed
        now.rolls.append(PlacedRoll(place, event))
    elif event.kind in OVER:
        now.over = True
        return None if event.kind == events.ROUND_CLEARED else now
    return now


def _with_part(
    found: list[SeedPeriod], now: SeedPeriod, place: Position, event: events.Event
) -> SeedPeriod:
    """Note a part of a seed, a commitment or a nonce; a second commitment begins a new period."""
    part = event.part
    opened = part not in (seeds.NONCE, seeds.NONE, seeds.ILL) and (now.over or now.committed)
    if opened:
        last = now.rolls[-1].event.number if now.rolls else now.after
        now = SeedPeriod(
            now.board, now.event, now.match, after=last, late=not now.over, torn=now.torn
        )
        found.append(now)
    if part == 0:
        now.place = place
    now.late = now.late or part in (seeds.NONCE, seeds.NONE) and bool(now.rolls or now.decided)
    now.parts[part] = payload.eight(event)
    return now


class Commitment(NamedTuple):
    """A SeedPeriod whose commitment is archived; ``heard_ms`` is the event time of its arrival."""

    period: SeedPeriod
    heard_ms: int


def commitments(archive: Archive, round_number: int) -> dict[int, list[Commitment]]:
    """Return the commitments of the current event's round by table, board by board."""
    records = list(_of_round(archive, round_number))
    heard_ms = {record.id: record.received_ms for record in records}
    found: dict[int, list[Commitment]] = {}
    for one in _periods(records, None):
        if one.match.round == round_number and one.committed and one.place is not None:
            epoch, counter = one.place
            places = (RecordId(*one.board, epoch, counter + part) for part in _PUBLIC)
            last_ms = max(heard_ms.get(place, 0) for place in places)
            found.setdefault(one.match.table, []).append(Commitment(one, last_ms))
    return found


def _of_round(archive: Archive, round_number: int) -> Iterator[ArchivedRecord]:
    """Yield what boards recorded in a round, each time with the ROUND_SET that follows it."""
    number = archive.roster.current_event.number
    begun = archive.records(number, (events.ROUND_SET,))
    for one, after in itertools.zip_longest(begun, begun[1:]):
        begins = one.board_event
        if not isinstance(begins, events.RoundSet) or begins.round != round_number:
            continue
        last = after if after is not None and after.board == one.board else None
        found = archive.records_between(one.board, one.position, last and last.position, _KINDS)
        yield from (record for record in found if record.event == number)
        if last is not None:
            yield last
