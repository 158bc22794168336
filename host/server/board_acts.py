"""Acts on boards rather than on matches: swaps, walks, codes, and the event's close."""

from host.base.errors import UserError
from host.desk import board_swap
from host.desk.table_numbering import TableNumbering
from host.event import result_codes
from host.keys import judge_codes
from host.server.act import Act, whole

_CODES = 3
_BLINK_S = 10


def _swap(console, table, device, *reason):
    made = board_swap.swap(
        console.station, whole(table), whole(device), console.author, " ".join(reason)
    )
    return made or [f"table {table} has board {device} now"]


def _adopt(console, table, device, *reason):
    board_swap.adopt(console.station, whole(table), whole(device), console.author, " ".join(reason))
    return [f"table {table} has board {device}, as a judge set it up"]


def _revoke(console, device, *reason):
    board_swap.revoke(console.station, whole(device), console.author, " ".join(reason))
    return [f"board {device} is revoked; provision it anew to use it again"]


def _code(console, table, *letters):
    return [result_codes.enter(console.station, whole(table), "".join(letters), console.author)]


def _codes(console, table):
    station = console.station
    board = station.archive.roster.board_at(whole(table))
    if board is None:
        raise UserError("table {table} has no board", table=table)
    found = judge_codes.codes(station.keyring, station.archive, board, _CODES)
    return [f"table {table}: " + ", then ".join(f"{text[:3]} {text[3:]}" for _, text in found)]


def _walk(console, first="1"):
    if first.casefold() == "stop":
        given, console.table_numbering = (
            console.table_numbering.given if console.table_numbering else {},
            None,
        )
        return [f"the walk is over: {len(given)} tables have their boards"]
    console.table_numbering = TableNumbering(console.station, console.author, whole(first))
    return [f"hold J at each board in turn, from table {first} on; then: walk stop"]


def _blink(console, table):
    board = console.station.archive.roster.board_at(whole(table))
    if board is None:
        raise UserError("table {table} has no board", table=table)
    console.station.collector.identify(board.device, _BLINK_S)
    return [f"table {table} blinks when it is reached"]


def _time(console, table, *reason):
    one = None if table.casefold() == "all" else whole(table)
    return console.station.desk.trust(one, console.author, " ".join(reason))


def _close(console, *anyway):
    if anyway not in ((), ("anyway",)):
        raise UserError("close, or: close anyway")
    return board_swap.close_event(console.station, console.author, bool(anyway)) or [
        "the event is closed"
    ]


ACTS = (
    Act(
        "swap",
        "TABLE BOARD [REASON…]",
        _swap,
        "have a spare board take a table over as it was last heard",
    ),
    Act(
        "adopt",
        "TABLE BOARD [REASON…]",
        _adopt,
        "take it that a judge set a spare up there by hand",
    ),
    Act(
        "revoke", "BOARD [REASON…]", _revoke, "take nothing a board says from now on (lost, stolen)"
    ),
    Act("code", "TABLE CODE…", _code, "take a result from its code on the table's screen"),
    Act("codes", "TABLE", _codes, "show a table's next one-time codes to a judge"),
    Act("walk", "[FIRST|stop]", _walk, "number tables in the order in which J is held at them"),
    Act("blink", "TABLE", _blink, "have a table's board show itself"),
    Act(
        "time",
        "TABLE|all [REASON…]",
        _time,
        "have boards that refuse this PC's time take it after all",
    ),
    Act(
        "close",
        "[anyway]",
        _close,
        "end the event, also with results to come: boards forget the players' names",
    ),
)
