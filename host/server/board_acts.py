"""Acts on boards rather than on matches: swaps, table numbers, codes, and the event's close."""

from host.archive import receipt
from host.base.errors import UserError
from host.base.words import amount
from host.desk import board_swap, shown_codes
from host.desk.table_numbering import TableNumbering
from host.event import result_codes
from host.server.act import Act, whole
from host.server.operator import Operator

_BLINK_S = 10


def _swap(operator: Operator, table: str, device: str, *reason: str) -> list[int] | list[str]:
    made = board_swap.swap(
        operator.station, whole(table), whole(device), operator.author, " ".join(reason)
    )
    return made or [f"table {table} has board {device} now"]


def _adopt(operator: Operator, table: str, device: str, *reason: str) -> list[str]:
    board_swap.adopt(
        operator.station, whole(table), whole(device), operator.author, " ".join(reason)
    )
    return [f"table {table} has board {device}, as a judge set it up"]


def _revoke(operator: Operator, device: str, *reason: str) -> list[str]:
    board_swap.revoke(operator.station, whole(device), operator.author, " ".join(reason))
    return [f"board {device} is revoked; provision it anew to use it again"]


def _code(operator: Operator, table: str, *letters: str) -> list[str]:
    return [result_codes.enter(operator.station, whole(table), "".join(letters), operator.author)]


def _codes(operator: Operator, table: str) -> list[str]:
    found = shown_codes.shown(operator.station, whole(table), operator.author)
    return [f"table {table}: " + ", then ".join(found)]


def _number(operator: Operator, first: str = "1") -> list[str]:
    if first.casefold() == "stop":
        given = operator.table_numbering.given if operator.table_numbering else {}
        operator.table_numbering = None
        return [f"the walk is over: {amount(len(given), 'table')} numbered"]
    operator.table_numbering = TableNumbering(operator.station, operator.author, whole(first))
    return [f"hold J at each board in turn, from table {first} on; then: walk stop"]


def _blink(operator: Operator, table: str) -> list[str]:
    board = operator.station.archive.roster.board_at(whole(table))
    if board is None:
        raise UserError("table {table} has no board: swap a spare in", table=table)
    operator.station.collector.identify(board.device, _BLINK_S)
    return [f"table {table} blinks when it is reached"]


def _time(operator: Operator, table: str, *reason: str) -> list[int]:
    one = None if table.casefold() == "all" else whole(table)
    return operator.desk.trust(one, operator.author, " ".join(reason))


def _close(operator: Operator, *anyway: str) -> list[int] | list[str]:
    if anyway not in ((), ("anyway",)):
        raise UserError("close, or: close anyway")
    return board_swap.close_event(operator.station, operator.author, bool(anyway)) or [
        "the event is closed"
    ]


def _receipt(operator: Operator) -> list[str]:
    words = receipt.receipt(operator.station.archive)
    if words is None:
        raise UserError("the event is not closed yet: close")
    return [words]


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
    Act("revoke", "BOARD [REASON…]", _revoke, "reject a board's frames from now on (lost, stolen)"),
    Act("code", "TABLE CODE…", _code, "enter a result by the code on the table's screen"),
    Act("codes", "TABLE", _codes, "show a table's next one-time codes to a judge"),
    Act("walk", "[FIRST|stop]", _number, "number tables in the order in which J is held at them"),
    Act("blink", "TABLE", _blink, "make a table's board blink"),
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
    Act(
        "receipt",
        "",
        _receipt,
        "show the closed event's receipt: hang it up; plusthree audit --receipt compares with it",
    ),
)
