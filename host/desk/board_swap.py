"""Swaps, adopts or revokes a board, and closes the event: one act of the desk each.

A swap sends the spare the table's state in absolute terms: round, format, extensions, stamps,
score, who won the tosses, whether a flip for the next game is agreed, the obstacles placed, and the
clock as it was when the old board was last heard, frozen until a judge resumes it. Both seats then
confirm the score at the new board.
"""

import datetime
import json

from firmware.core import intents, phases, play
from firmware.core.intents import Intent
from host.archive import receipt
from host.archive.audit_log import CLOSED
from host.archive.orders import PENDING, NewOrder
from host.archive.roster import REVOKED, SPARE, Board
from host.audit import receipt_check
from host.base.errors import UserError
from host.desk import tom_copy
from host.desk.station import Station
from host.event import roll_policy, squad_lists, typed_results

_OWN_TURNS_AT = 10  # bits 10-13 of a format: turns after time of its own, + 1


def revoke(station: Station, device: int, author: str, reason: str = "") -> None:
    """Revoke a board: its frames are rejected from now on, unless it gets a new key."""
    _move(station, device, REVOKED, author, reason)
    station.refresh()


def swap(station: Station, table: int, device: int, author: str, reason: str = "") -> list[int]:
    """Have the spare ``device`` take over a table; return the ids of its orders.

    The old board is revoked. Its unanswered orders are dropped, because the spare is sent the
    complete state. Raises UserError when ``device`` is no spare in use.
    """
    spare, old = _spare(station, device), station.archive.roster.board_at(table)
    told = _takeover(station, table) if old else _round(station, table)
    archive = station.archive
    made: list[int] = []
    told += _switches(station, table, told)
    with archive.transaction():
        if old:
            _move(station, old.device, REVOKED, author, reason or f"swapped for board {device}")
        _move(station, spare.device, table, author, reason)
        for order in archive.orders.pending_at(table):
            archive.orders.drop(order.id)
        number = station.desk.round or 0
        now_ms = station.collector.now_ms
        for intent in told:
            made.append(archive.orders.add(NewOrder(number, table, intent, author, reason), now_ms))
    station.refresh()
    return made


def adopt(station: Station, table: int, device: int, author: str, reason: str = "") -> None:
    """Note that a judge set up the spare ``device`` at a table by hand while the host was down.

    Raises UserError when ``device`` is no spare in use, or the table does not play.
    """
    spare, old = _spare(station, device), station.archive.roster.board_at(table)
    number = station.desk.round
    pairing = station.archive.roster.pairing_at(number, table) if number else None
    if number is None or pairing is None:
        raise UserError("table {table} does not play", table=table)
    with station.archive.transaction():
        if old:
            _move(station, old.device, REVOKED, author, reason or f"swapped for board {device}")
        _move(station, device, table, author, reason)
        for order in station.archive.orders.pending_at(table):
            station.archive.orders.drop(order.id)
        now_ms = station.collector.now_ms
        typed_results.adopt(station.archive, spare, number, pairing.pairing, author, now_ms)
    station.refresh()


def close_event(station: Station, author: str, anyway: bool = False) -> list[int]:
    """End the event: every board that had a table in it deletes its round and the players' names,
    and the copy of TOM's file with their birth dates is deleted here.

    Returns the ids of the orders. A board that was swapped out gets none and must be switched off.
    Raises UserError if a result is missing, unless ``anyway``, and if the event was closed already
    and nothing was played since.
    """
    _refuse_again(station)
    if not anyway:
        station.desk.require_results(station.desk.tables)
    now_ms, number = station.collector.now_ms, station.desk.round or 0
    event, intent = station.archive.roster.current_event, intents.ClearRound(now_ms)
    with station.archive.transaction():
        made = [
            station.collector.add_order(NewOrder(number, table, intent, author, "close"))
            for table in _seated(station)
        ]
        station.archive.notices.add(
            CLOSED, json.dumps({"event": event.name}), author, event.origin_unix_ms + now_ms
        )
    tom_copy.forget(station.archive)
    return made


def _refuse_again(station: Station) -> None:
    told = receipt.newest_close(station.archive)
    if told is None or receipt_check.played_since(station.archive):
        return
    moment = datetime.datetime.fromtimestamp(told.unix_ms / 1000).astimezone()
    raise UserError(
        "the event was closed at {time} on {day} by {author}: its receipt is on Packing up",
        time=f"{moment:%H:%M}",
        day=f"{moment:%Y-%m-%d}",
        author=told.author,
    )


def _seated(station: Station) -> list[int]:
    """Return the order addresses of all boards in use that had a table in any round of the
    event.
    """
    roster = station.archive.roster
    pairings = [one for number in roster.rounds for one in roster.pairings_of(number)]
    tables, stood = {one.table for one in pairings if one.b is not None}, roster.tables_by_board
    boards = [one for one in roster.current_boards.values() if stood[one.key] & tables]
    return sorted({board.address for board in boards})


def _spare(station: Station, device: int) -> Board:
    board = station.archive.roster.current_boards.get(device)
    if board is None or board.table != SPARE:
        raise UserError(
            "board {device} is not a spare: take one without a table"
            if board
            else "board {device} is not in use: the list of boards has those that are",
            device=device,
        )
    return board


def _move(station: Station, device: int, table: int, author: str, reason: str):
    event = station.archive.roster.event
    unix_ms = event.origin_unix_ms + station.collector.now_ms if event else 0
    station.archive.roster.move(device, table, author, reason, unix_ms)


def _round(station: Station, table: int) -> list[Intent]:
    """Return what a board at the table is sent first: round, format, and the start if set."""
    number, now_ms = station.desk.round, station.collector.now_ms
    pairing = station.archive.roster.pairing_at(number, table) if number else None
    if number is None or pairing is None or pairing.b is None:
        return []
    form = station.archive.roster.format_of(number)
    if form is None or pairing.pairing in station.hall.results(number):
        return []
    told: list[Intent] = [
        intents.SetRound(now_ms, number, table, pairing.pairing),
        intents.SetFormat(now_ms, form.system, form.bits, form.minutes),
    ]
    squads = squad_lists.for_boards(station.archive, number, now_ms)
    if pairing.pairing in squads:
        told.append(squads[pairing.pairing])
    start = station.archive.orders.latest_in_round(number, table, intents.SET_START)
    return [*told, start.intent] if start else told


def _takeover(station: Station, table: int) -> list[Intent]:
    told, fold = _round(station, table), station.hall.fold_at(table)
    match = fold.match if fold else None
    if not told or match is None or match.round != station.desk.round or match.phase == phases.IDLE:
        return told
    now_ms, at_ms = station.collector.now_ms, _reported_ms(station, table, match)
    desk = station.desk
    more_s, late, adjusted = desk.extension_s(table), desk.late_bits(table), desk.adjusted(table)
    kept = [_carried_on(one, match) for one in told]
    told = [one for one in kept if not isinstance(one, intents.SetStart)]
    start_ms = None if match.start_ms is None else match.start_ms + match.lost_ms
    begun = start_ms is not None and start_ms <= now_ms
    if not begun:
        start_ms = _ordered_start_ms(station, table, start_ms)
    rest = (
        (begun, intents.Freeze(at_ms)),
        (start_ms is not None, intents.SetStart(start_ms or 0)),
        (more_s, intents.Extend(now_ms, 0, more_s)),
        (late, intents.StampLate(now_ms, late)),
        (
            (begun or match.swapped or match.flipped or match.obstacle)
            and max(match.score) <= match.best_of // 2,
            _score(match, now_ms),
        ),
        (any(adjusted), intents.AdjustPrizes(now_ms, *adjusted)),
    )
    return told + [intent for holds, intent in rest if holds]


def _ordered_start_ms(station: Station, table: int, known_ms: int | None) -> int | None:
    """Return the start of a table whose old board knows of ``known_ms``: the one that the desk
    ordered since holds, though no board has heard it.
    """
    number = station.desk.round or 0
    order = station.archive.orders.latest_in_round(number, table, intents.SET_START)
    if order and (known_ms is None or order.state == PENDING):
        return order.intent.at_ms
    return known_ms


def _switches(station: Station, table: int, told: list[Intent]) -> list[Intent]:
    """Return the roll switches that a board is sent: those ordered last, done or not, or its
    table's.
    """
    said = roll_policy.switches_of(station.archive, table)
    policy = station.hall.match_at(table, station.desk.round, lambda match: match.policy, 0)
    said = policy if said is None else said | policy & play.COUNTED
    if not told or not said:
        return []
    return [intents.SetPolicy(station.collector.now_ms, said)]


def _score(match, now_ms: int) -> Intent:
    first, second = match.score
    return intents.SetScore(
        now_ms,
        int(match.progress == 1),
        match.swapped,
        first,
        match.flipped,
        second,
        match.placing,
        match.obstacle,
    )


def _carried_on(intent: Intent, match) -> Intent:
    """Return the squads with who won the old board's tosses (``firmware.core.luck``), and the
    format with the turns after time that are left; others as they are.
    """
    if isinstance(intent, intents.SetSquads):
        intent.tossed = match.tossed
    elif isinstance(intent, intents.SetFormat):
        intent.format = _format(intent.format, match)
    return intent


def _format(bits: int, match) -> int:
    if (
        match.phase == phases.OVERTIME
        or match.phase == phases.FROZEN
        and match.held == phases.OVERTIME
    ):
        left = match.overtime[0] - match.turn
        return bits & ~(15 << _OWN_TURNS_AT) | left + 1 << _OWN_TURNS_AT
    return bits


def _reported_ms(station: Station, table: int, match) -> int:
    """Return when the table's board last sent a status or a record, or when it was frozen."""
    if match.frozen_ms is not None:
        return match.frozen_ms
    status = next(one for one in station.collector.statuses.values() if one.table == table)
    event, records = (
        station.archive.roster.current_event.number,
        station.archive.records_of(status.device, status.generation),
    )
    heard = [one.received_ms for one in records if one.event == event]
    heard += [] if status.heard_ms is None else [status.heard_ms]
    return max(heard, default=station.collector.now_ms)
