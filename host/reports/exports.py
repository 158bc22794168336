"""Writes results.csv for a spreadsheet and results.json with everything."""

import csv
import datetime
import io
import json
import pathlib
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from firmware.core import intents
from host.archive.store import Archive
from host.base.json_values import Json
from host.base.private_files import write_whole
from host.event import event_systems, points
from host.event.fold import Hall
from host.event.match_results import ANNOUNCED, FILE
from host.formats.csv_reader import guard
from host.formats.round_format import words_of
from host.tournament import event_pack

COLUMNS = (
    "event", "round", "table", "number_a", "name_a", "number_b", "name_b",
    "outcome", "games_a", "games_b", "points_a", "points_b", "section", "by", "state",
    "destroyed_a", "destroyed_b", "margin_a", "margin_b",
)  # fmt: skip

_ORDER = (
    "id", "round", "table", "kind", "at_ms", "a", "b", "c", "author", "reason", "state", "refusal",
)  # fmt: skip
_WIN, _LOSS, _TIE = range(3)  # indexes in a tally
# what an outcome is for a and for b
_TALLIED = {
    "A": (_WIN, _LOSS), "B": (_LOSS, _WIN), "tie": (_TIE, _TIE), "neither": (_LOSS, _LOSS),
}  # fmt: skip
ResultLine: TypeAlias = dict[str, str | int | None]
"""A pairing's result under the keys ``COLUMNS``; None for an unknown value."""


def table_of(archive: Archive, hall: Hall, round_number: int) -> list[ResultLine]:
    """Return a round's results, one ResultLine per pairing.

    Points are None if neither the rules, nor the event's pack or organiser define them.
    """
    worth, event = event_pack.points_of(archive), archive.roster.event
    assert event is not None  # there is a round
    results = hall.results(round_number)
    return [
        _line(event.name, pairing, results.get(pairing.pairing), worth)
        for pairing in archive.roster.pairings_of(round_number)
    ]


def _line(event, pairing, result, worth):
    b = pairing.b
    line: ResultLine = dict.fromkeys(COLUMNS)
    line.update(
        event=event, round=pairing.round, table=pairing.table,
        number_a=pairing.a.number, name_a=pairing.a.name,
        number_b=b and b.number, name_b=b and b.name,
        state="bye" if b is None else "open",
    )  # fmt: skip
    if b is None:
        line["points_a"] = worth.get("bye")
    if result is not None:
        line["points_a"], line["points_b"] = points.of(result, worth)
        _pair(line, "games", result.games if result.by != FILE else None)
        _pair(line, "destroyed", result.destroyed)
        _pair(line, "margin", result.margin)
        line.update(
            outcome=result.outcome,
            section=result.section, by=result.by,
            state=_state(result),
        )  # fmt: skip
    return line


def _state(result):
    """Return a result's state: ``final``; ``announced`` if the records are to come; ``incomplete``
    if its board lost records; ``conflict`` if paper and board differ.
    """
    if result.against is not None:
        return "conflict"
    if result.by == ANNOUNCED:
        return ANNOUNCED
    return "incomplete" if result.incomplete else "final"


def _pair(line, name, numbers):
    line[f"{name}_a"], line[f"{name}_b"] = numbers or (None, None)


def tally(lines: Iterable[ResultLine]) -> dict[str, list[int]]:
    """Return ``{player number: [wins, losses, ties]}`` summed over result lines; byes do not
    count.
    """
    sums: dict[str, list[int]] = {}
    for line in lines:
        of_a, of_b = _TALLIED.get(str(line["outcome"]), (None, None))
        for number, index in ((line["number_a"], of_a), (line["number_b"], of_b)):
            if not isinstance(number, str):  # a bye has no b
                continue
            counts = sums.setdefault(number, [0, 0, 0])
            if index is not None:
                counts[index] += 1
    return sums


def lines_of(archive: Archive, hall: Hall) -> list[ResultLine]:
    """Return the results of every round."""
    return [line for number in archive.roster.rounds for line in table_of(archive, hall, number)]


def whole(archive: Archive, hall: Hall) -> dict[str, Json]:
    """Return the content of ``results.json`` for the current event."""
    lines, systems = lines_of(archive, hall), event_systems.of(archive)
    roster, event = archive.roster, archive.roster.current_event
    return {
        "event": {
            "number": event.number,
            "name": event.name,
            "origin_unix_ms": event.origin_unix_ms,
        },
        "rounds": {
            str(number): words_of(roster.stored_format(number), systems) for number in roster.rounds
        },
        "results": lines,
        "tally": tally(lines),
        "points": points.sums(lines),
        "notices": archive.notices.all,
        "orders": [_order(order) for order in archive.orders.all],
        "records": len(archive.records(event.number)),
        "quarantined": len(archive.quarantined),
    }


def write_results(archive: Archive, hall: Hall, folder: pathlib.Path) -> None:
    """Write ``results.csv`` and ``results.json`` into a folder. Raises OSError for a file that
    cannot be written; the other one is written.
    """
    sheet = csv_of(lines_of(archive, hall))
    text = json.dumps(whole(archive, hall), ensure_ascii=False, indent=1)
    try:
        write_whole(folder / "results.csv", sheet, "utf-8-sig", new_folder=True)
    finally:  # even if the other file failed
        write_whole(folder / "results.json", text + "\n", new_folder=True)


def _order(order):
    return {key: getattr(order, key) for key in _ORDER}


def csv_of(lines: Iterable[ResultLine]) -> str:
    """Return result lines as CSV; no cell looks like a formula to a spreadsheet."""
    return csv_rows(COLUMNS, ([_cell(line, column) for column in COLUMNS] for line in lines))


def csv_rows(heads: Sequence[str], rows: Iterable[Sequence[str | int | None]]) -> str:
    """Return rows below their heads as CSV; no cell looks like a formula to a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows([guard(cell) for cell in row] for row in rows)
    return text.getvalue()


def _cell(line, column):
    """Return a cell; undefined points are ``unknown``, never empty or 0."""
    value = line[column]
    if value is None and column.startswith("points_") and line["outcome"]:
        return points.UNKNOWN
    return value


def day_of(archive: Archive) -> datetime.date:
    """Return the day that reports and exports date an event by: this PC's own, on which it began.

    That is the day of the first start, so that an evening past midnight stays on its first day; an
    event that never started here has the day on which it was opened. No archive holds a time zone:
    a PC in another one may name the day before or after.
    """
    orders, origin_ms = archive.orders, archive.roster.current_event.origin_unix_ms
    starts = (orders.latest_of(intents.SET_START, number) for number in archive.roster.rounds)
    first = next((start for start in starts if start), None)
    return local_day(origin_ms + (first.at_ms if first else 0))


def local_day(unix_ms: int) -> datetime.date:
    """Return the day of a moment by this PC's clock."""
    return datetime.datetime.fromtimestamp(unix_ms / 1000).date()
