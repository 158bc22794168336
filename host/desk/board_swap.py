"""Acts of the desk on boards: swap, adopt, revoke, and close the event.

A swap sends the spare the table's absolute state: round, format, extensions, stamps, score, winners
of the tosses, an agreed flip for the next game, placed obstacles, and the clock as of the last
frame from the old board, frozen until a judge resumes it. Both seats then confirm the score at the
new board.
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
from host.base import commands
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import tom_copy
from host.desk.desk import set_up_intents
from host.desk.station import Station
from host.event import roll_policy, squad_lists, typed_results

# a spare is sent the state that orders lead to, but for these: they are acts at a certain moment
_NOT_TAKEN_OVER = (
    intents.LOSE_GAME,
    intents.RULE_RESULT,
    intents.REOPEN_RESULT,
    intents.APPROVE_RESULT,
)
# bits 10-13 of a format: its own number of turns after time, + 1
_OWN_TURNS_AT = 10
_OWN_TURNS = 15 << _OWN_TURNS_AT


def revoke(station: Station, device: int, author: str, reason: str = "") -> None:
    """Revoke a board: its frames are rejected from now on, until it gets a new key."""
    station.archive.roster.move(device, REVOKED, author, reason, station.unix_ms)
    station.refresh()


def swap(station: Station, table: int, device: int, author: str, reason: str = "") -> list[int]:
    """Replace a table's board by the spare ``device``; return the ids of its orders.

    The old board is revoked. Its unanswered orders are dropped, because the spare is sent the
    complete state. Raises UserError if ``device`` is not a spare in use.
    """
    _require_spare(station, device)
    archive, old = station.archive, station.archive.roster.board_at(table)
    setup = _takeover(station, table) if old else _round_intents(station, table)
    setup += _switches(station, table, setup)
    number, now_ms = station.desk.round or 0, station.collector.now_ms
    with archive.transaction():
        _replace_board(station, table, device, author, reason)
        orders = [
            archive.orders.add(NewOrder(number, table, intent, author, reason), now_ms)
            for intent in setup
        ]
    station.refresh()
    return orders


def not_done(station: Station, table: int) -> list[Sentence]:
    """Return a remark on each judge's act that a swap leaves out: one that the table's board has
    not answered, and a game loss that waits there for the score.
    """
    kinds = {order.intent.kind for order in station.archive.orders.pending_at(table)}
    if station.hall.match_at(table, station.desk.round, lambda match: match.pending_penalty, None):
        kinds.add(intents.LOSE_GAME)
    text = "table {table}: not done on the old board: {act}; order it again"
    left_out = kinds.intersection(_NOT_TAKEN_OVER)
    acts = [command.title for command in commands.COMMANDS if command.kind in left_out]
    return [Sentence(text, table=table, act=Sentence(act)) for act in acts]


def _replace_board(station: Station, table: int, device: int, author: str, reason: str) -> None:
    """Revoke a table's board, if there is one, move another board there, and drop the table's
    unanswered orders.
    """
    roster, unix_ms = station.archive.roster, station.unix_ms
    old = roster.board_at(table)
    if old:
        why = reason or f"swapped for board {device}"
        roster.move(old.device, REVOKED, author, why, unix_ms)
    roster.move(device, table, author, reason, unix_ms)
    for order in station.archive.orders.pending_at(table):
        station.archive.orders.drop(order.id)


def adopt(station: Station, table: int, device: int, author: str, reason: str) -> None:
    """Store that a judge set up the spare ``device`` at a table by hand while the host was down.

    Raises UserError if ``device`` is not a spare in use, or the table does not play.
    """
    spare, number = _require_spare(station, device), station.desk.round
    pairing = station.archive.roster.pairing_at(number, table) if number else None
    if number is None or pairing is None:
        raise UserError("table {table} does not play", table=table)
    with station.archive.transaction():
        _replace_board(station, table, device, author, reason)
        now_ms = station.collector.now_ms
        typed_results.adopt(station.archive, spare, number, pairing.pairing, author, now_ms)
    station.refresh()


def close_event(station: Station, author: str, anyway: bool = False) -> list[int]:
    """End the event: every board that had a table in it deletes its round and the players' names,
    and this PC deletes its copy of TOM's file with their birth dates.

    Return the ids of the orders. A board that was swapped out gets none and must be switched off.
    Raises UserError if a result is missing, unless ``anyway``, and if the event was closed already
    and nothing was played since.
    """
    _require_unclosed(station)
    if not anyway:
        station.desk.require_results(station.desk.tables)
    now_ms, number = station.collector.now_ms, station.desk.round or 0
    intent = intents.ClearRound(now_ms)
    facts = json.dumps({"event": station.archive.roster.current_event.name})
    with station.archive.transaction():
        orders = [
            station.collector.add_order(NewOrder(number, table, intent, author, "close"))
            for table in _used_addresses(station)
        ]
        station.archive.notices.add(CLOSED, facts, author, station.unix_ms)
    tom_copy.delete(station.archive)
    return orders


def _require_unclosed(station: Station) -> None:
    """Raise UserError if the event was closed and nothing was played since."""
    close = receipt.newest_close(station.archive)
    if close is None or receipt_check.played_since(station.archive):
        return
    moment = datetime.datetime.fromtimestamp(close.unix_ms / 1000).astimezone()
    raise UserError(
        "the event was closed at {time} on {day} by {author}: its receipt is on Packing up",
        time=f"{moment:%H:%M}",
        day=f"{moment:%Y-%m-%d}",
        author=close.author,
    )


def _used_addresses(station: Station) -> list[int]:
    """Return the order addresses of all boards in use that had a table in any round of the
    event.
    """
    roster = station.archive.roster
    pairings = [pairing for number in roster.rounds for pairing in roster.pairings_of(number)]
    tables = {pairing.table for pairing in pairings if pairing.b is not None}
    tables_of = roster.tables_by_board
    boards = [board for board in roster.current_boards.values() if tables_of[board.key] & tables]
    return sorted({board.address for board in boards})


def _require_spare(station: Station, device: int) -> Board:
    """Return the spare ``device``. Raises UserError if it is none, or not in use."""
    board = station.archive.roster.current_boards.get(device)
    if board is None or board.table != SPARE:
        raise UserError(
            "board {device} is not a spare: take one without a table"
            if board
            else "board {device} is not in use: the list of boards has those that are",
            device=device,
        )
    return board


def _round_intents(station: Station, table: int) -> list[Intent]:
    """Return the intents that set up the table's round: round, format, squads, and the start if
    set; none if the table has no match left to play.
    """
    number, now_ms = station.desk.round, station.collector.now_ms
    pairing = station.archive.roster.pairing_at(number, table) if number else None
    if number is None or pairing is None or pairing.b is None:
        return []
    if pairing.pairing in station.hall.results(number):
        return []
    form = station.archive.roster.stored_format(number)
    squads = squad_lists.for_boards(station.archive, number, now_ms)
    setup = set_up_intents(pairing, form, squads, now_ms)
    start = station.archive.orders.latest_in_round(number, table, intents.SET_START)
    return [*setup, start.intent] if start else setup


def _takeover(station: Station, table: int) -> list[Intent]:
    """Return the intents that give a spare the state of the table's old board."""
    setup, fold = _round_intents(station, table), station.hall.fold_at(table)
    match = fold.match if fold else None
    if not setup or match is None:
        return setup
    if match.round != station.desk.round or match.phase == phases.IDLE:
        return setup
    now_ms = station.collector.now_ms
    round_intents = [intent for intent in setup if not isinstance(intent, intents.SetStart)]
    state = [_with_progress(intent, match) for intent in round_intents]
    state += _clock_intents(station, table, match)
    late = station.desk.late_bits(table)
    if late:
        state.append(intents.StampLate(now_ms, late))
    has_progress = _has_begun(match, now_ms) or match.swapped or match.flipped or match.obstacle
    # a board accepts no score that decides the match
    if has_progress and max(match.score) <= match.best_of // 2:
        state.append(_score(match, now_ms))
    prize_penalties = station.desk.prize_penalties(table)
    if any(prize_penalties):
        state.append(intents.AdjustPrizes(now_ms, *prize_penalties))
    return state


def _clock_intents(station: Station, table: int, match) -> list[Intent]:
    """Return the intents that give a spare the old board's clock: stopped as of its last frame if
    the round has begun, its start, and the extension.
    """
    now_ms, start_ms = station.collector.now_ms, _start_ms(match)
    clock: list[Intent] = []
    if _has_begun(match, now_ms):
        clock.append(intents.Freeze(_reported_ms(station, table, match)))
    else:
        start_ms = _ordered_start_ms(station, table, start_ms)
    if start_ms is not None:
        clock.append(intents.SetStart(start_ms))
    extension_s = station.desk.extension_s(table)
    if extension_s:
        clock.append(intents.Extend(now_ms, 0, extension_s))
    return clock


def _start_ms(match) -> int | None:
    """Return the start that gives a match's deadline: stops have moved that on."""
    return None if match.start_ms is None else match.start_ms + match.lost_ms


def _has_begun(match, now_ms: int) -> bool:
    start_ms = _start_ms(match)
    return start_ms is not None and start_ms <= now_ms


def _ordered_start_ms(station: Station, table: int, known_ms: int | None) -> int | None:
    """Return the start of a table whose old board had the start ``known_ms``. A start that the
    desk has ordered since overrides it, even if no board has received it.
    """
    number = station.desk.round or 0
    order = station.archive.orders.latest_in_round(number, table, intents.SET_START)
    if order and (known_ms is None or order.state == PENDING):
        return order.intent.at_ms
    return known_ms


def _switches(station: Station, table: int, setup: list[Intent]) -> list[Intent]:
    """Return the intent that sets the roll switches, if ``setup`` has a round: those ordered last,
    even if not confirmed, else those of the table's old board.
    """
    ordered = roll_policy.switches_of(station.archive, table)
    policy = station.hall.match_at(table, station.desk.round, lambda match: match.policy, 0)
    switches = policy
    if ordered is not None:
        switches = ordered | (policy & play.COUNTED)  # counting can be switched at the table, too
    if not setup or not switches:
        return []
    return [intents.SetPolicy(station.collector.now_ms, switches)]


def _score(match, now_ms: int) -> Intent:
    """Return the intent with the score and progress of the old board's match."""
    first, second = match.score
    return intents.SetScore(
        now_ms,
        int(match.progress == phases.IN_PROGRESS),
        match.swapped,
        first,
        match.flipped,
        second,
        match.placing,
        match.obstacle,
    )


def _with_progress(intent: Intent, match) -> Intent:
    """Add the old board's progress to an intent: to the squads the winners of the tosses
    (``firmware.core.luck``), to the format the turns after time that are left.
    """
    if isinstance(intent, intents.SetSquads):
        intent.tossed = match.tossed
    elif isinstance(intent, intents.SetFormat):
        phase = match.held if match.phase == phases.FROZEN else match.phase
        if phase == phases.OVERTIME:
            turns_left = match.overtime_turns - match.turn
            intent.format &= ~_OWN_TURNS
            intent.format |= (turns_left + 1) << _OWN_TURNS_AT
    return intent


def _reported_ms(station: Station, table: int, match) -> int:
    """Return the time of the freeze, or of the last status or record from the table's board."""
    if match.frozen_ms is not None:
        return match.frozen_ms
    statuses = station.collector.statuses.values()
    status = next(status for status in statuses if status.table == table)
    event = station.archive.roster.current_event.number
    records = station.archive.records_of(*status.key)
    times_ms = [record.received_ms for record in records if record.event == event]
    if status.heard_ms is not None:
        times_ms.append(status.heard_ms)
    return max(times_ms, default=station.collector.now_ms)
