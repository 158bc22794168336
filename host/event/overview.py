"""A round in a few numbers: how far it is, what is missing, who waits; from the archive alone."""

from dataclasses import dataclass

from firmware.core import intents
from host.base.errors import UserError
from host.event import table_rows
from host.event.judge_calls import calls

_OVERTIME = ("time", "overtime", "finishing")


@dataclass(frozen=True)
class Overview:
    """One round: counts of its tables, its open calls, and the last word of a board (event ms, or None)."""

    event: str
    round: int
    rounds: int
    state: str  # stored, published, started or over
    tables: int
    results: int
    playing: int
    overtime: int
    frozen: int
    extended: int
    calls: tuple
    heard_ms: int | None


def overview(archive, hall, now_ms):
    """Return ``(Overview, rows)`` of the round published last, or else stored last; UserError for none."""
    roster = archive.roster
    if not roster.rounds:
        raise UserError("there is no round yet")
    published = archive.orders.last_round(intents.SET_ROUND)
    number = published or roster.rounds[-1]
    rows = [
        row
        for row in table_rows.rows(archive, hall, None, number, now_ms)
        if row.pairing.b is not None
    ]
    open_rows = [row for row in rows if row.result is None]
    heard = archive.query(
        "SELECT max(received_ms) FROM records WHERE event = ?", roster.event.number
    )[0][0]
    waiting = tuple(one for one in calls(archive) if one.open and one.round == number)
    return Overview(
        roster.event.name, number, len(roster.rounds), _state(archive, number, published, open_rows), len(rows),
        len(rows) - len(open_rows), _count(open_rows, ("playing",)), _count(open_rows, _OVERTIME),
        _count(open_rows, ("frozen",)), sum(1 for row in rows if row.extension_s), waiting, heard,
    ), rows  # fmt: skip


def _count(rows, phases):
    return sum(1 for row in rows if row.phase in phases)


def _state(archive, number, published, open_rows):
    if published is None:
        return "stored"
    if not open_rows:
        return "over"
    return "started" if archive.orders.started(number) else "published"
