"""A board swapped, adopted or taken out of use: each one act at the desk.

A swap says to the spare what the host knows of the table, in absolutes: round, format, the clock as
it stood when the old board was last heard (frozen until a judge resumes it), extensions, stamps and
score. Both seats then confirm the score at the new board.
"""

import json

from firmware.core import intents, phases
from host.archive.audit_log import CLOSED
from host.archive.roster import REVOKED, SPARE
from host.base.errors import UserError
from host.event import roll_policy, typed_results

_OWN_TURNS_AT = 10  # bits 10-13 of a format: turns after time of its own, + 1


def revoke(station, device, author, reason=""):
    """Take a board out of use: nothing it says is taken from now on, unless it gets a new key."""
    _move(station, device, REVOKED, author, reason)
    station.refresh()


def swap(station, table, device, author, reason=""):
    """Have the spare ``device`` take over a table; return the ids of its orders.

    The board there is revoked. Orders that it has not answered are dropped: what is to hold is
    told anew. Raises UserError when ``device`` is no spare in use.
    """
    spare, old = _spare(station, device), station.archive.roster.board_at(table)
    told = _takeover(station, table) if old else _round(station, table)
    archive, made = station.archive, []
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
            made.append(
                archive.orders.add(
                    number, table, intent, author=author, reason=reason, asked_ms=now_ms
                )
            )
    station.refresh()
    return made


def adopt(station, table, device, author, reason=""):
    """Take it that a judge set up the spare ``device`` at a table by hand, while no host was there."""
    spare, old = _spare(station, device), station.archive.roster.board_at(table)
    number = station.desk.round
    pairing = station.archive.roster.pairing_at(number, table) if number else None
    if pairing is None:
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


def close(station, author, anyway=False):
    """End the event: every board that had a table in it forgets its round and the players' names.

    Returns the ids of the orders. A board that was swapped out takes none: it is to be switched off.

    ``anyway``: also where a result is still to come, which raises UserError otherwise.
    """
    if not anyway:
        station.desk.finished(station.desk.tables)
    now_ms, number, made = station.collector.now_ms, station.desk.round or 0, []
    for table in _seated(station):
        intent = (intents.CLEAR_ROUND, now_ms, 0, 0, 0)
        made.append(
            station.collector.add_order(number, table, intent, author=author, reason="close")
        )
    event = station.archive.roster.event
    station.archive.notices.add(
        CLOSED, json.dumps({"event": event.name}), author, event.origin_unix_ms + now_ms
    )
    return made


def _seated(station):
    """Return where orders go for every board in use that stood at a table which any round of the event plays at."""
    roster = station.archive.roster
    pairings = [one for number in roster.rounds for one in roster.pairings_of(number)]
    tables, stood = {one.table for one in pairings if one.b is not None}, roster.stood
    boards = [
        one for one in roster.current_boards.values() if stood[one.device, one.generation] & tables
    ]
    return sorted({board.address for board in boards}.union(station.desk.tables))


def _spare(station, device):
    board = station.archive.roster.current_boards.get(device)
    if board is None or board.table != SPARE:
        raise UserError(
            "board {device} is no spare" if board else "board {device} is not in use", device=device
        )
    return board


def _move(station, device, table, author, reason):
    event = station.archive.roster.event
    unix_ms = event.origin_unix_ms + station.collector.now_ms if event else 0
    station.archive.roster.move(device, table, author, reason, unix_ms)


def _round(station, table):
    """Return what any board at the table is told first: round, format, and the start if it is set."""
    number, now_ms = station.desk.round, station.collector.now_ms
    pairing = station.archive.roster.pairing_at(number, table) if number else None
    if pairing is None or pairing.b is None or pairing.pairing in station.hall.results(number):
        return []
    form = station.archive.roster.format_of(number)
    told = [
        (intents.SET_ROUND, now_ms, number, table, pairing.pairing),
        (intents.SET_FORMAT, now_ms, form.system, form.bits, form.minutes),
    ]
    start = station.archive.orders.latest(number, table, intents.SET_START)
    return [*told, start.intent] if start else told


def _takeover(station, table):
    told, fold = _round(station, table), station.hall.fold_at(table)
    match = fold.match if fold else None
    if not told or match is None or match.round != station.desk.round or match.phase == phases.IDLE:
        return told
    now_ms, at_ms = station.collector.now_ms, _reported_ms(station, table, match)
    desk = station.desk
    more_s, late, adjusted = desk.extension_s(table), desk.late_bits(table), desk.adjusted(table)
    told = [told[0], _format(told[1], match)]
    begun = match.start_ms is not None and match.start_ms + match.lost_ms <= now_ms
    rest = (
        (begun, (intents.FREEZE, at_ms, 0, 0, 0)),
        (
            match.start_ms is not None,
            (intents.SET_START, (match.start_ms or 0) + match.lost_ms, 0, 0, 0),
        ),
        (more_s, (intents.EXTEND, now_ms, 0, more_s, 0)),
        (late, (intents.STAMP_LATE, now_ms, late, 0, 0)),
        (
            (begun or match.swapped) and max(match.score) <= match.best_of // 2,
            _score(match, now_ms),
        ),
        (any(adjusted), (intents.ADJUST_PRIZES, now_ms, 0, *adjusted)),
    )
    return told + [intent for holds, intent in rest if holds]


def _switches(station, table, told):
    """Return what a board is told of luck: what was asked last, done or not, or as its table stood."""
    said = roll_policy.standing(station.archive, table)
    if said is None:
        said = station.hall.match_at(table, station.desk.round, "policy", 0)
    return [(intents.SET_POLICY, station.collector.now_ms, said, 0, 0)] if told and said else []


def _score(match, now_ms):
    return intents.SET_SCORE, now_ms, (match.progress == 1) | match.swapped << 1, *match.score


def _format(intent, match):
    """Return the format with as many turns after time as are left of them."""
    kind, at_ms, system, bits, minutes = intent
    if (
        match.phase == phases.OVERTIME
        or match.phase == phases.FROZEN
        and match.held == phases.OVERTIME
    ):
        left = match.overtime[0] - match.turn
        bits = bits & ~(15 << _OWN_TURNS_AT) | left + 1 << _OWN_TURNS_AT
    return kind, at_ms, system, bits, minutes


def _reported_ms(station, table, match):
    """Return when the table's board last said anything, a status or a record, or since when it stands frozen."""
    if match.frozen_ms is not None:
        return match.frozen_ms
    status = next(one for one in station.collector.statuses.values() if one.table == table)
    event, records = (
        station.archive.roster.event.number,
        station.archive.records_of(status.device, status.generation),
    )
    heard = [one.received_ms for one in records if one.event == event]
    heard += [] if status.heard_ms is None else [status.heard_ms]
    return max(heard, default=station.collector.now_ms)
