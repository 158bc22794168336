"""Stops and resumes the whole room (a fire alarm): one act, with an order to each table with a
clock.

The act is stored as a notice, so pages show at once that the room is stopped, and the reason at
each table that is not. It ends when the room is resumed.
"""

from collections.abc import Mapping

from firmware.core import intents, phases
from firmware.core.match import Match
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.staff import Done, Staff
from host.desk.station import Station
from host.event import table_rows
from host.event.room_stops import RUN_ON, STOPPED, Stop, standing

# reasons why a table is not stopped: code for pages, text for the terminal
WHY = {
    "no_board": "it has no board: stop its clock by hand",
    "silent": "its board is not heard: it stops as soon as it is",
    "asked": "stop requested, no answer yet",
    "overtime": "time has been called: no clock is running",
    "no_clock": "no clock is running",
    "runs": "a judge resumed it",
}
_TIME_CALLED = phases.TIME, phases.OVERTIME, phases.FINISHING
_NO_CLOCK = phases.IDLE, phases.AGREED, phases.RESOLVING, phases.PROPOSED, phases.PLAY_ON


def holding(station: Station) -> Stop | None:
    """Return the published round's Stop while a table is stopped by it or has its order pending,
    else None.
    """
    archive, number = station.archive, station.desk.round
    current = standing(archive, number) if number is not None else None
    if current is None:
        return None
    pending = any(order.id in current.orders for order in archive.orders.pending)
    frozen = any(_frozen(station, table) for table in station.desk.open)
    return current if pending or frozen else None


def stop(staff: Staff, reason: str) -> Done:
    """Stop every clock of the published round.

    Raises UserError without a reason, if the room is stopped already, and if no clock can run.
    """
    station, desk, archive = staff.station, staff.desk, staff.archive
    desk.published_round()
    if not reason:
        raise UserError("say why the whole room is stopped, for instance: fire alarm")
    if holding(station):
        raise UserError("the whole room is stopped already: resume all clocks first")
    boards = set(archive.roster.tables)
    tables = [table for table in desk.open if table in boards and _stoppable(station, table)]
    if not boards & set(desk.open):
        raise UserError(
            "no table that plays has a board whose clock could stop: announce it, note how long"
            " play stands still, and tell the players the new end"
        )
    if not tables:
        raise UserError("no clock is running in this round: there is nothing to stop")
    with archive.transaction():
        orders = [order for table in tables for order in desk.freeze(table, staff.author, reason)]
        _note(staff, STOPPED, {"reason": reason, "orders": orders})
    return Done(orders, shown=lines(station))


def resume(staff: Staff) -> list[int]:
    """Resume the tables that the room's Stop stopped; if there are none, all stopped tables.

    Return the ids of the orders. A table that a judge stopped separately stays stopped. Raises
    UserError if no table is stopped.
    """
    station, desk, archive = staff.station, staff.desk, staff.archive
    number = desk.published_round()
    current = standing(archive, number)
    frozen = [table for table in desk.open if _frozen(station, table)]
    by_stop = _stopped_by(station, current, number) if current else []
    tables = by_stop or frozen
    if not tables and current is None:
        raise UserError("no table is stopped now")
    with archive.transaction():
        orders = [order for table in tables for order in desk.resume(table, staff.author)]
        stops = len(archive.notices.every(STOPPED))  # this ends the newest one (``room_stops``)
        _note(staff, RUN_ON, {"orders": orders, "ends": stops})
    return orders


def _stopped_by(station: Station, current: Stop, number: int) -> list[int]:
    """Return the tables that the room's Stop has stopped, or stops once they are heard."""
    orders = station.archive.orders
    pending = {order.id for order in orders.pending}
    tables = list[int]()
    for table in station.desk.open:
        freeze = orders.latest_in_round(number, table, intents.FREEZE)
        if freeze is None or freeze.id not in current.orders:
            continue
        if freeze.id in pending or _frozen(station, table):
            tables.append(table)
    return tables


def running(station: Station, current: Stop) -> dict[int, str]:
    """Return the reason (a code of ``WHY``) by table, for each table in play that is not
    stopped.
    """
    boards = {status.table: status for status in station.collector.statuses.values()}
    orders = station.archive.orders.pending
    pending = {order.table for order in orders if order.id in current.orders}
    found: dict[int, str] = {}
    for table in station.desk.open:
        status = boards.get(table)
        heard_ms = status.heard_ms if status else None
        if status is None:
            found[table] = "no_board"
        elif table in pending:
            silent = heard_ms is None or station.collector.now_ms - heard_ms > table_rows.SILENT_MS
            found[table] = "silent" if silent else "asked"
        elif not _frozen(station, table):
            found[table] = _why_running(_match(station, table))
    return found


def lines(station: Station) -> list[str]:
    """Return a terminal line for each table that could not be stopped yet, and why; none for a
    table whose board only has not answered.
    """
    current = holding(station)
    why = running(station, current) if current else {}
    return [
        Sentence("table {table}: {why}", table=table, why=Sentence(WHY[code]))
        for table, code in why.items()
        if code != "asked"
    ]


def _why_running(match: Match | None) -> str:
    """Return the code of ``WHY`` for a table whose clock is not stopped."""
    if match is None or match.phase in _NO_CLOCK:
        return "no_clock"
    return "overtime" if match.phase in _TIME_CALLED else "runs"


def _stoppable(station: Station, table: int) -> bool:
    """Return whether a table's clock may be running; also if its match is not known yet."""
    match = _match(station, table)
    if match is None:
        return True
    if match.phase in _TIME_CALLED:
        return match.phase == phases.OVERTIME and bool(match.overtime_s)
    return match.phase not in _NO_CLOCK and match.frozen_ms is None


def _frozen(station: Station, table: int) -> bool:
    match = _match(station, table)
    return match is not None and match.frozen_ms is not None


def _match(station: Station, table: int) -> Match | None:
    fold = station.hall.fold_at(table)
    return fold.match if fold and fold.match.round == station.desk.round else None


def _note(staff: Staff, what: str, facts: Mapping[str, Json]) -> None:
    """Store a notice of the stop or its end."""
    round_number = staff.desk.round
    staff.log(what, {**facts, "round": round_number, "at_ms": staff.now_ms, "by": staff.author})
