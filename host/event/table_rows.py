"""One row for each table, from its fold and its board's last status."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from firmware.core import frames
from firmware.core.match import Match
from host.archive.roster import Pairing
from host.archive.store import Archive
from host.base.sentences import Sentence
from host.base.words import amount, clock
from host.event import status_preview
from host.event.fold import Hall, TableFold
from host.event.live_boards import LiveBoards, Status, StatusT
from host.event.match_results import ANNOUNCED, Result, as_paired, score_of
from host.systems.match_facts import PHASES

SILENT_MS = 30_000  # a board not heard for so long counts as silent

_LAST_TABLE = 65535  # higher numbers are the addresses of spares


@dataclass(frozen=True)
class Row:
    """One table of a round; times in ms, None if unknown."""

    pairing: Pairing
    phase: str
    turn: int
    games: tuple[int, int]
    remaining_ms: int | None
    extension_s: int
    result: Result | None
    proposal: str | None
    notes: tuple[str, ...]
    seen: int = 3  # seats (bits) that have seen the extension


def rows(
    archive: Archive,
    hall: Hall,
    collector: LiveBoards[StatusT] | None,
    round_number: int,
    now_ms: int,
) -> list[Row]:
    """Return a Row for every pairing of a round, by table; byes last. ``now_ms`` is event time.

    ``collector`` is None beside a running host; statuses are unknown then.
    """
    statuses = None
    if collector is not None:
        statuses = {status.table: status for status in collector.statuses.values()}
    results = hall.results(round_number)
    pairings = archive.roster.pairings_of(round_number)
    pairings.sort(key=lambda pairing: (pairing.table is None, pairing.table, pairing.pairing))
    table_rows = [
        _row(pairing, hall.fold_at(pairing.table), statuses, results.get(pairing.pairing), now_ms)
        for pairing in pairings
    ]
    if collector is None or not statuses:
        return table_rows
    return [_preview(row, collector, statuses, now_ms) for row in table_rows]


def _preview(
    row: Row, collector: LiveBoards[StatusT], statuses: Mapping[int, StatusT], now_ms: int
) -> Row:
    """Return a Row as its board's status has it while records are missing, else unchanged."""
    status = _status_at(statuses, row.pairing.table)
    missing = collector.missing(status) if status and row.result is None else []
    if not status_preview.ahead(status, missing):
        return row
    preview = status_preview.preview(status, row.phase == "frozen")
    if preview.zero_ms is None:
        left_ms = None
    elif status_preview.frozen(status):
        left_ms = row.remaining_ms
    else:
        left_ms = preview.zero_ms - now_ms
    notes = (*row.notes, f"{status_preview.to_come(missing)} records to come")
    return replace(row, phase=preview.phase, turn=preview.turn, remaining_ms=left_ms, notes=notes)


def _status_at(statuses: Mapping[int, StatusT], table: int | None) -> StatusT | None:
    return None if table is None else statuses.get(table)


def _row(
    pairing: Pairing,
    fold: TableFold | None,
    statuses: Mapping[int, StatusT] | None,
    result: Result | None,
    now_ms: int,
) -> Row:
    match = fold.match if fold and fold.match.round == pairing.round else None
    if statuses is None:
        notes = _call_words(match) + _gaps(fold)
    else:
        notes = _notes(pairing, fold, _status_at(statuses, pairing.table), now_ms)
    notes += _seats(match)
    if match is None or fold is None:
        phase, games = ("agreed", result.games) if result else ("idle", (0, 0))
        return Row(
            pairing, phase, turn=0, games=games, remaining_ms=None, extension_s=0, result=result,
            proposal=None, notes=notes,
        )  # fmt: skip
    return Row(
        pairing, PHASES[match.phase], match.turn or 0,
        as_paired(match, (match.games[0], match.games[1])),
        match.remaining_ms(now_ms), match.extension_s, result, _proposal(fold), notes,
        as_paired(match, match.seen),
    )  # fmt: skip


def _proposal(fold: TableFold) -> str | None:
    proposed = fold.proposal
    return proposed and " ".join(filter(None, proposed))


FLAGS = (
    (frames.JUDGE_WANTED, "judge called"),
    (frames.CLOCK_UNCERTAIN, "clock uncertain"),
    (frames.BATTERY_LOW, "battery low"),
)


def _notes(
    pairing: Pairing, fold: TableFold | None, status: Status | None, now_ms: int
) -> tuple[str, ...]:
    """Return what staff should know of a table's board and records."""
    if pairing.b is None:
        return ()
    if status is None:
        return ("no board",)
    if status.heard_ms is None:
        return ("not heard yet",) + _gaps(fold)
    notes = [text for flag, text in FLAGS if status.has(flag)]
    if now_ms - status.heard_ms > SILENT_MS:
        notes.append(f"silent for {(now_ms - status.heard_ms) // 1000} s")
    return tuple(notes) + _gaps(fold)


def _call_words(match: Match | None) -> tuple[str, ...]:
    return ("judge called",) if match and match.call is not None else ()


def _seats(match: Match | None) -> tuple[str, ...]:
    return ("seats changed",) if match and match.swapped else ()


def _gaps(fold: TableFold | None) -> tuple[str, ...]:
    """Return what a board's records lack, in words."""
    if fold is None:
        return ()
    notes = []
    if fold.waiting:
        notes.append(f"{fold.waiting} records wait for a gap")
    if fold.invalid_records:
        notes.append(amount(len(fold.invalid_records), "invalid record"))
    if fold.incomplete:
        notes.append("records lost")
    return tuple(notes)


def place(row: Row) -> str:
    """Return the table's number, or "bye"."""
    return "bye" if row.pairing.table is None else f"{row.pairing.table:>3}"


def names(row: Row) -> str:
    """Return who plays against whom, with their numbers."""
    players = [player for player in (row.pairing.a, row.pairing.b) if player is not None]
    return " – ".join(f"{player.name} ({player.number})" for player in players)


_BY = {ANNOUNCED: "announced by its board, records to come"}


def result(row: Row) -> str:
    """Return the result in words, or the phase before there is one."""
    if row.pairing.b is None:
        return "bye"
    if row.result is None:
        return f"{row.phase}, {row.proposal} proposed" if row.proposal else row.phase
    given = row.result
    words = {
        "A": f"{row.pairing.a.name} wins",
        "B": f"{row.pairing.b.name} wins",
        "tie": "tie",
        "neither": "both lose",
    }
    section = f", section {given.section}" if given.section else ""
    marks = ", A JUDGE MUST LOOK" if given.incomplete else ""
    source = _BY.get(given.by, given.by)
    if given.author:
        source = f"{given.by}, {given.author}: {given.reason}"
    if given.against is not None:
        other, games = words[given.against.outcome], given.against.games
        marks += f", BUT THE BOARD SAYS: {other}, {games[0]}–{games[1]}"
    text, score = words.get(given.outcome, given.outcome), score_of(given)
    if given.outcome == "tie":  # "tie 1–0" reads as a contradiction
        source = f"{score}; {source}" if score else source
    elif score:
        text = f"{text} {score}"
    return f"{text} ({source}{section}{marks})"


def time_left(row: Row) -> str:
    """Return the clock, the overtime turn and the extension (minutes), if any."""
    if row.result is not None or row.remaining_ms is None:
        return ""
    turn = f" turn {row.turn}" if row.phase == "overtime" else ""
    unseen = "".join(shape for at, shape in enumerate("▲●") if not row.seen >> at & 1)
    to_see = f" unseen by {unseen}" if unseen else ""
    given = f" (+{row.extension_s // 60}){to_see}" if row.extension_s else ""
    return clock(row.remaining_ms) + turn + given


def board_lines(collector: LiveBoards[StatusT]) -> list[str]:
    """Return a line for each board, one for frames of unknown boards, and the alarms."""
    lines = []
    for device, status in sorted(collector.statuses.items(), key=lambda item: item[1].table):
        heard = "never heard"
        if status.heard_ms is not None:
            heard = f"heard {(collector.now_ms - status.heard_ms) // 1000} s ago"
        refused = [
            f"{n} refused ({reason})"
            for (from_device, reason), n in collector.refused.items()
            if from_device == device
        ]
        where = f"table {status.table}" if status.table <= _LAST_TABLE else "spare"
        role = ["listens to the beacon"] if status.listens else []
        lines.append("  ".join([f"board {device}", where, heard, *role, *sorted(refused)]))
    strangers = sum(n for (from_device, _), n in collector.refused.items() if from_device is None)
    if strangers:
        lines.append(f"{amount(strangers, 'frame')} of unknown boards or other versions refused")
    lines += [alarm(device, sentence) for _, device, sentence in collector.alarms]
    return lines


def alarm(device: int | None, sentence: Sentence) -> str:
    """Return the line of an alarm: of a board, or of this PC if ``device`` is None."""
    return f"this PC: {sentence}" if device is None else f"ALARM board {device}: {sentence}"
