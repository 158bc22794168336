"""What is to be said of each table now, from its fold and its last status: one row a table."""

from dataclasses import dataclass

from firmware.core import frames
from host.fold import PHASES, Result
from host.roster import Pairing

LATE_MS = 30000  # a board that has not been heard for so long is called silent


@dataclass(frozen=True)
class Row:
    """One table of a round; times in ms, None where nothing is known."""

    pairing: Pairing
    phase: str
    turn: int
    games: tuple[int, int]
    remaining_ms: int | None
    extension_s: int
    result: Result | None
    proposal: str | None
    notes: tuple[str, ...]


def rows(archive, hall, collector, round_number, now_ms):
    """Return a Row for every pairing of a round, by table; byes last."""
    watches = {watch.table: watch for watch in collector.watches.values()}
    results = hall.results(round_number)
    pairings = archive.roster.pairings_of(round_number)
    pairings.sort(key=lambda one: (one.table is None, one.table, one.pairing))
    return [
        _row(one, hall.fold_at(one.table), watches.get(one.table), results.get(one.pairing), now_ms)
        for one in pairings
    ]


def _row(pairing, fold, watch, result, now_ms):
    match = fold.match if fold and fold.match.round == pairing.round else None
    notes = _notes(pairing, fold, watch, now_ms)
    if match is None:
        return Row(pairing, "idle", 0, (0, 0), None, 0, result, None, notes)
    return Row(
        pairing, PHASES[match.phase], match.turn or 0, tuple(match.games),
        match.remaining_ms(now_ms), match.extension_s, result, _proposal(fold), notes,
    )  # fmt: skip


def _proposal(fold):
    proposed = fold.proposal
    return proposed and " ".join(filter(None, proposed))


FLAGS = (
    (frames.JUDGE_WANTED, "judge called"),
    (frames.CLOCK_UNCERTAIN, "clock uncertain"),
    (frames.BATTERY_LOW, "battery low"),
)


def _notes(pairing, fold, watch, now_ms):
    if pairing.b is None:
        return ()
    if watch is None:
        return ("no board",)
    if watch.heard_ms is None:
        return ("not heard yet",)
    notes = [text for flag, text in FLAGS if watch.has(flag)]
    if now_ms - watch.heard_ms > LATE_MS:
        notes.append(f"silent for {(now_ms - watch.heard_ms) // 1000} s")
    if fold and fold.waiting:
        notes.append(f"{fold.waiting} records wait for a gap")
    if fold and fold.incomplete:
        notes.append("records lost")
    return tuple(notes)
