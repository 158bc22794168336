"""What is to be said of each table now, from its fold and its last status: one row a table."""

from dataclasses import dataclass, replace

from firmware.core import frames
from host.archive.roster import Pairing
from host.base.words import clock
from host.event import status_preview
from host.event.match_results import Result, as_paired
from host.systems.match_facts import PHASES

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
    """Return a Row for every pairing of a round, by table; byes last.

    ``collector`` is None beside a running host: what boards say besides records is not known then.
    """
    statuses = collector and {status.table: status for status in collector.statuses.values()}
    results = hall.results(round_number)
    pairings = archive.roster.pairings_of(round_number)
    pairings.sort(key=lambda one: (one.table is None, one.table, one.pairing))
    made = [
        _row(one, hall.fold_at(one.table), statuses, results.get(one.pairing), now_ms)
        for one in pairings
    ]
    return [_as_told(row, collector, statuses, now_ms) for row in made] if statuses else made


def _as_told(row, collector, statuses, now_ms):
    """Return a Row as its board's status has it while records have still to come."""
    status = statuses.get(row.pairing.table)
    missing = collector.missing(status) if status and row.result is None else ()
    if not status_preview.ahead(status, missing):
        return row
    said = status_preview.standing(status, row.phase == "frozen")
    left_ms = said["zero_ms"] and (
        row.remaining_ms if status_preview.frozen(status) else said["zero_ms"] - now_ms
    )
    notes = (*row.notes, f"{status_preview.to_come(missing)} records to come")
    return replace(row, phase=said["phase"], turn=said["turn"], remaining_ms=left_ms, notes=notes)


def _row(pairing, fold, statuses, result, now_ms):
    match = fold.match if fold and fold.match.round == pairing.round else None
    if statuses is None:
        notes = _recorded(match) + _gaps(fold)
    else:
        notes = _notes(pairing, fold, statuses.get(pairing.table), now_ms)
    notes += _seats(match)
    if match is None:
        return Row(pairing, "idle", 0, (0, 0), None, 0, result, None, notes)
    return Row(
        pairing, PHASES[match.phase], match.turn or 0, as_paired(match, tuple(match.games)),
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


def _notes(pairing, fold, status, now_ms):
    if pairing.b is None:
        return ()
    if status is None:
        return ("no board",)
    if status.heard_ms is None:
        return ("not heard yet",) + _gaps(fold)
    notes = [text for flag, text in FLAGS if status.has(flag)]
    if now_ms - status.heard_ms > LATE_MS:
        notes.append(f"silent for {(now_ms - status.heard_ms) // 1000} s")
    return tuple(notes) + _gaps(fold)


def _recorded(match):
    return ("judge called",) if match and match.call is not None else ()


def _seats(match):
    return ("seats changed",) if match and match.swapped else ()


def _gaps(fold):
    waiting = (f"{fold.waiting} records wait for a gap",) if fold and fold.waiting else ()
    odd = (f"{len(fold.odd)} records make no sense",) if fold and fold.odd else ()
    return waiting + odd + (("records lost",) if fold and fold.incomplete else ())


def place(row):
    """Return the table's number, or that it is a bye."""
    return "bye" if row.pairing.table is None else f"{row.pairing.table:>3}"


def names(row):
    """Return who plays whom, with their numbers."""
    players = [one for one in (row.pairing.a, row.pairing.b) if one is not None]
    return " – ".join(f"{one.name} ({one.number})" for one in players)


def result(row):
    """Return the result in words, or where the table is on the way to it."""
    if row.pairing.b is None:
        return "bye"
    if row.result is None:
        return f"{row.phase}, {row.proposal} proposed" if row.proposal else row.phase
    won = row.result
    words = {"A": f"{row.pairing.a.name} wins", "B": f"{row.pairing.b.name} wins", "tie": "tie"}
    section = f", section {won.section}" if won.section else ""
    marks = ", A JUDGE MUST LOOK" if won.incomplete else ""
    return f"{words.get(won.outcome, won.outcome)} {won.games[0]}–{won.games[1]} ({won.by}{section}{marks})"


def time_left(row):
    """Return the clock, the overtime turn and the extension, as far as they matter."""
    if row.result is not None or row.remaining_ms is None:
        return ""
    turn = f" turn {row.turn}" if row.phase == "overtime" else ""
    given = f" (+{row.extension_s // 60})" if row.extension_s else ""
    return clock(row.remaining_ms) + turn + given


def board_lines(collector):
    """Return a line for each board, and one for what was refused of boards nobody knows."""
    lines = []
    for device, status in sorted(collector.statuses.items(), key=lambda item: item[1].table):
        heard = "never heard" if status.heard_ms is None else (
            f"heard {(collector.now_ms - status.heard_ms) // 1000} s ago"
        )  # fmt: skip
        refused = [
            f"{n} refused ({why})"
            for (whose, why), n in collector.refused.items()
            if whose == device
        ]
        lines.append(
            "  ".join([f"board {device}", f"table {status.table}", heard, *sorted(refused)])
        )
    strangers = sum(n for (whose, _), n in collector.refused.items() if whose is None)
    if strangers:
        lines.append(f"{strangers} frames of unknown boards or other versions refused")
    lines += [alarm(device, sentence) for _, device, sentence in collector.alarms]
    return lines


def alarm(device, sentence):
    """Return the line of an alarm: of a board, or of this PC where ``device`` is None."""
    return f"this PC: {sentence}" if device is None else f"ALARM board {device}: {sentence}"
