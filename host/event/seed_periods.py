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
from host.event.holdings import ClosedBoot
from host.event.timeline import MatchPlace
from host.event.unrevealed_seeds import UnrevealedSeeds

_PUBLIC = (0, 1, 2)
_SECRET = range(seeds.SEED, seeds.NONE)
_KINDS = {*OVER, events.SEED_STORED, events.ROLLED}


class PlacedRoll(NamedTuple):
    """A roll, and the position of its record in the board's journal."""

    position: Position
    event: events.Event


@dataclass
class SeedPeriod:
    """The part of a match under one seed: its rolls, and the parts of the seed that were
    revealed.
    """

    board: BoardKey
    event: int
    match: MatchPlace
    place: Position | None = None  # of the commitment
    parts: dict[int, bytes] = field(default_factory=dict)  # eight bytes each, by part
    rolls: list[PlacedRoll] = field(default_factory=list)
    after: int = 0  # the number of the match's last roll before it
    late: bool = False  # a roll or a second nonce record comes before its commitment
    taken: bool = False  # the board has acknowledged a nonce
    over: bool = False
    incomplete: bool = False  # records within it are missing
    past: bool = False  # the board has begun another match since

    @property
    def committed(self) -> bool:
        """Whether the commitment is archived."""
        return all(part in self.parts for part in _PUBLIC)

    @property
    def commitment(self) -> bytes:
        """The commitment's 24 bytes."""
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

    def under_next_seed(self) -> "SeedPeriod":
        """Return the part of the same match that another seed begins."""
        return SeedPeriod(
            self.board,
            self.event,
            self.match,
            after=self.rolls[-1].event.number if self.rolls else self.after,
            late=not self.over,
            incomplete=self.incomplete,
        )


def seed_periods(records: Iterable[ArchivedRecord]) -> list[SeedPeriod]:
    """Return the SeedPeriods of archived records, board by board in the order of their journals."""
    records = list(records)
    return _seed_periods(records, _without_gap_before(records))


def _seed_periods(
    records: Iterable[ArchivedRecord], without_gap: Container[RecordId] | None
) -> list[SeedPeriod]:
    """Return the SeedPeriods; ``without_gap`` are the records before which none is missing, None
    for all.
    """
    periods: list[SeedPeriod] = []
    board, current = None, None
    for record in records:
        event = record.board_event
        if (record.board, record.event) != board:
            board, current = (record.board, record.event), None
        if current is not None and without_gap is not None and record.id not in without_gap:
            current.incomplete = True
        if isinstance(event, events.RoundSet):
            if periods and periods[-1].board == record.board:
                periods[-1].past = True
            place = MatchPlace(event.round, event.table, event.pairing)
            current = SeedPeriod(record.board, record.event, place)
            periods.append(current)
        elif current is not None:
            current = _add_event(periods, current, record.position, event)
    return [period for period in periods if period.parts or period.rolls]


def _without_gap_before(records: Iterable[ArchivedRecord]) -> set[RecordId]:
    """Return the records whose predecessor in the journal is archived or withheld."""
    closed_before: dict[tuple[BoardKey, int], ClosedBoot] = {}  # by the epoch that came next
    unrevealed: dict[BoardKey, UnrevealedSeeds] = {}
    archived: set[RecordId] = set()
    for record in records:
        seeds_of_board = unrevealed.setdefault(record.board, UnrevealedSeeds())
        seeds_of_board.add(*record.position, record.frame)
        archived.add(record.id)
        event = record.board_event
        if isinstance(event, events.EpochClosed):
            closed_before[record.board, record.epoch] = ClosedBoot(event.epoch, event.records)
    withheld = {board: seeds_of_board.seeds for board, seeds_of_board in unrevealed.items()}

    def follows_archived(record: RecordId) -> bool:
        """Whether the next earlier record that the board did not withhold is archived, or none is
        known.
        """
        board, epoch, counter = record.board, record.epoch, record.counter - 1
        if counter < 0:  # the last record of the boot before
            boot = closed_before.get((board, record.epoch), ClosedBoot(0, 0))
            epoch, counter = boot.epoch, boot.size - 1
        while (epoch, counter) in withheld[board]:
            if RecordId(*board, epoch, counter) in archived:
                return True
            counter -= 1
        return counter < 0 or RecordId(*board, epoch, counter) in archived

    return {record for record in archived if follows_archived(record)}


def _add_event(
    periods: list[SeedPeriod], current: SeedPeriod, place: Position, event: Event
) -> SeedPeriod | None:
    """Add an event to the current SeedPeriod; return the one that applies after it."""
    if isinstance(event, events.SeedStored):
        current = _add_seed_part(periods, current, place, event)
    elif isinstance(event, events.Answered):
        done = event.refusal == DONE and not event.broadcast
        current.taken = current.taken or (done and event.asked == intents.SET_NONCE)
    elif isinstance(event, events.Rolled):
        current.late = current.late or not current.committed
        current.rolls.append(PlacedRoll(place, event))
    elif event.kind in OVER:
        current.over = True
        return None if event.kind == events.ROUND_CLEARED else current
    return current


def _add_seed_part(
    periods: list[SeedPeriod], current: SeedPeriod, place: Position, event: events.Event
) -> SeedPeriod:
    """Add a part to the current SeedPeriod, or to a new one if it is a second seed's; return it."""
    part = event.part
    of_nonce = part in (seeds.NONCE, seeds.NONE)
    of_seed = not of_nonce and part != seeds.ILL  # or of its commitment, written with it
    if of_seed and (current.over or current.committed):
        current = current.under_next_seed()
        periods.append(current)
    if part == 0:  # a commitment stands where its first part does
        current.place = place
    if of_nonce and (current.rolls or current.decided):
        current.late = True
    current.parts[part] = payload.data_of(event)
    return current


class Commitment(NamedTuple):
    """A SeedPeriod with an archived commitment, received at ``heard_ms`` (event time)."""

    period: SeedPeriod
    heard_ms: int


def commitments(archive: Archive, round_number: int) -> dict[int, list[Commitment]]:
    """Return the commitments of the current event's round by table, board by board."""
    records = list(_of_round(archive, round_number))
    heard_ms = {record.id: record.received_ms for record in records}
    by_table: dict[int, list[Commitment]] = {}
    for period in _seed_periods(records, None):
        if period.match.round == round_number and period.committed and period.place is not None:
            epoch, counter = period.place
            places = (RecordId(*period.board, epoch, counter + part) for part in _PUBLIC)
            last_ms = max(heard_ms.get(place, 0) for place in places)
            by_table.setdefault(period.match.table, []).append(Commitment(period, last_ms))
    return by_table


def _of_round(archive: Archive, round_number: int) -> Iterator[ArchivedRecord]:
    """Yield the boards' records of a round, each board's with the ROUND_SET that follows."""
    number = archive.roster.current_event.number
    begun = archive.records(number, (events.ROUND_SET,))
    for first, following in itertools.zip_longest(begun, begun[1:]):
        round_set = first.board_event
        if not isinstance(round_set, events.RoundSet) or round_set.round != round_number:
            continue
        last = following if following is not None and following.board == first.board else None
        records = archive.records_between(
            first.board, first.position, last.position if last else None, _KINDS
        )
        yield from (record for record in records if record.event == number)
        if last is not None:
            yield last
