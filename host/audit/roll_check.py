"""Recomputes every roll of an archive from its seed (``plusthree audit --rolls``).

Faults are contradictions; remarks name what cannot be checked, such as a seed that was never
revealed. This accuses nobody: a board that was switched off reveals no seed either.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.core import events, intents, luck, seeds
from firmware.core.journal import OVER
from firmware.core.sync import DONE
from host.archive.decoded_frames import BoardEvent
from host.archive.records import ArchivedRecord, BoardKey, Position, RecordId
from host.archive.store import Archive
from host.audit import roll_order
from host.event import event_systems, nonces
from host.event.holdings import Holdings
from host.event.press_log import PlacedEvent
from host.event.timeline import MatchPlace
from host.event.unrevealed_seeds import UnrevealedSeeds

_PUBLIC = (0, 1, 2)
_SECRET = range(seeds.SEED, seeds.NONE)


@dataclass
class Reign:
    """One seed of one match: its rolls, and the parts of it that were revealed."""

    board: BoardKey
    event: int
    match: MatchPlace
    place: Position | None = None  # of the commitment
    parts: dict[int, bytes] = field(default_factory=dict)  # eight bytes each, by ``a`` of SEED_TOLD
    rolls: list[PlacedEvent] = field(default_factory=list)
    after: int = 0  # the number of the last roll before it in this match
    late: bool = False  # a roll or a second nonce record comes before its commitment
    taken: bool = False  # the board has acknowledged a nonce
    over: bool = False
    torn: bool = False  # records between its own are missing

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


class RollCheck(NamedTuple):
    """Contradictions, what cannot be checked (both as sentences), and the count of recomputed
    rolls.
    """

    faults: list[str]
    remarks: list[str]
    recomputed: int


def reigns(records: Iterable[ArchivedRecord]) -> list[Reign]:
    """Return the Reigns of archived records, board by board in the order of their journals."""
    records = list(records)
    found: list[Reign] = []
    whole = _whole(records)
    board, now = None, None
    for record in records:
        event = record.board_event
        if (record.board, record.event) != board:
            board, now = (record.board, record.event), None
        if now is not None and record.id not in whole:
            now.torn = True
        if event.kind == events.ROUND_SET:
            now = Reign(record.board, record.event, MatchPlace(event.a, event.b, event.c))
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
        if event.kind == events.EPOCH_CLOSED:
            closed[record.board, record.epoch] = event.b, event.c
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


def _taken(found: list[Reign], now: Reign, place: Position, event: BoardEvent) -> Reign | None:
    """Note an event under the current Reign; return the Reign that applies after it."""
    kind, a = event.kind, event.a
    if kind == events.SEED_TOLD:
        now = _told(found, now, place, event)
    elif kind == events.ANSWERED and (a, event.c) == (DONE, intents.SET_NONCE):
        now.taken = True
    elif kind == events.ROLLED:
        now.late = now.late or not now.committed
        now.rolls.append(PlacedEvent(place, event))
    elif kind in OVER:
        now.over = True
        return None if kind == events.ROUND_CLEARED else now
    return now


def _told(found: list[Reign], now: Reign, place: Position, event: BoardEvent) -> Reign:
    """Note a part of a seed, a commitment or a nonce; a second commitment begins a new Reign."""
    part = event.a
    opened = part not in (seeds.NONCE, seeds.NONE, seeds.ILL) and (now.over or now.committed)
    if opened:
        last = now.rolls[-1].event.c if now.rolls else now.after
        now = Reign(now.board, now.event, now.match, after=last, late=not now.over, torn=now.torn)
        found.append(now)
    if part == 0:
        now.place = place
    now.late = now.late or part in (seeds.NONCE, seeds.NONE) and bool(now.rolls or _decided(now))
    now.parts[part] = seeds.eight_of(event)
    return now


def _decided(reign: Reign) -> bool:
    return seeds.NONCE in reign.parts or seeds.NONE in reign.parts


def check(archive: Archive) -> RollCheck:
    """Check every roll of the current event."""
    given, unread = _given(archive)
    number, records = archive.roster.current_event.number, archive.records()
    lost = Holdings(records).lost
    faults = unread + roll_order.faults(records, number, lost, event_systems.of(archive))
    remarks: list[str] = []
    count, known = 0, {}
    for reign in reigns([record for record in records if record.event == number]):
        found, missed = _looked_at(reign, given, bool(archive.uncertain_order))
        if reign.torn:  # missing records may explain it
            found, missed = [], [*missed, *found, "records of its match are not here"]
        if reign.seed is not None and known.setdefault(reign.seed, reign) is not reign:
            found.append("its seed was used before")
        faults += [f"{reign.name}: {sentence}" for sentence in found]
        remarks += [f"{reign.name}: {sentence}" for sentence in missed]
        if reign.seed is not None and reign.committed:
            count += len(reign.rolls)
    return RollCheck(faults, remarks, count)


def _given(archive: Archive) -> tuple[dict[RecordId, bytes], list[str]]:
    """Return the nonces that the host drew, by commitment, and sentences on unreadable ones."""
    found: dict[RecordId, bytes] = {}
    unread: list[str] = []
    for value in archive.notices.every(nonces.GIVEN):
        try:
            one = nonces.read_nonce(json.loads(value))
        except (ValueError, TypeError, LookupError):
            one = None
        if one is not None:
            found[one.commitment] = one.nonce
        else:
            unread.append(f"the notice of a nonce cannot be read: {value!r}")
    return found, unread


def _looked_at(
    reign: Reign, given: dict[RecordId, bytes], restored: bool
) -> tuple[list[str], list[str]]:
    faults: list[str] = []
    remarks: list[str] = []
    if seeds.ILL in reign.parts:
        remarks.append("its generator failed its tests")
    if reign.late:
        faults.append("a roll or a nonce stands before the commitment, or comes twice")
    for expected, (place, event) in enumerate(reign.rolls, reign.after + 1):
        if event.c != expected:
            record = f"record {place.epoch}/{place.counter}"
            faults.append(f"roll {event.c} stands where roll {expected} must ({record})")
            break
    if not reign.committed:
        if reign.rolls:
            remarks.append(f"{len(reign.rolls)} rolls without a commitment that is here")
        return faults, remarks
    _of_nonce(reign, given, restored, faults, remarks)
    _of_seed(reign, faults, remarks)
    return faults, remarks


def _of_nonce(
    reign: Reign,
    given: dict[RecordId, bytes],
    restored: bool,
    faults: list[str],
    remarks: list[str],
) -> None:
    drawn = given.get(RecordId(*reign.board, *reign.place)) if reign.place else None
    if reign.taken and seeds.NONCE not in reign.parts:
        faults.append("it answered that it took the nonce, and writes none")
    if seeds.NONE in reign.parts:
        remarks.append(
            "a roll was asked before a nonce came" + (", though one was given" if drawn else "")
        )
    elif seeds.NONCE in reign.parts and reign.parts[seeds.NONCE] != drawn:
        told = remarks if restored else faults  # the archive that drew it may be lost
        told.append("its nonce is none that this host gave for its commitment")
    elif reign.rolls and not _decided(reign):
        remarks.append("rolls, and no word on the nonce that is here")


def _of_seed(reign: Reign, faults: list[str], remarks: list[str]) -> None:
    if reign.seed is None:
        why = (
            "and the match is over: the board was not heard again"
            if reign.over
            else "as the match is not over"
        )
        remarks.append(f"its seed is not told, {why}; {len(reign.rolls)} rolls cannot be looked at")
        return
    if (
        seeds.commitment((reign.board.device, reign.event, *reign.match), reign.seed)
        != reign.commitment
    ):
        faults.append("its seed is not the one that it committed to")
    nonce = reign.parts.get(seeds.NONCE, b"")
    if reign.over is False:
        remarks.append("its seed is told, and the match's end is not here")
    for place, (_, _, a, shown, number) in reign.rolls:
        wanted = None
        if a & 15 < len(luck.SIDES):
            wanted = luck.fallen(seeds.chance(reign.seed, nonce, number, a), a & 15, shown >> 8)
        if wanted != shown:
            name = seeds.audit_id(reign.commitment, number)
            faults.append(
                f"roll {number} ({name}, record {place.epoch}/{place.counter}) is not what seed and"
                " nonce give"
            )
