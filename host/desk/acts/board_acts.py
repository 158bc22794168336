"""Acts on boards rather than on matches: swaps, hand-overs, and the event's close."""

from dataclasses import replace

from host.archive import receipt
from host.archive.access_links import ORGANISER
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk import board_swap, next_round, table_boards
from host.desk.acts.act import HERE, Act, by_desk
from host.desk.acts.fields import DEVICE, EVERY, REASON, TABLE, Field, Typed, text, yes
from host.desk.desk import Desk
from host.desk.staff import Done, Staff

_BLINK_S = 10


def _blink(staff: Staff, table: int) -> Sentence:
    board = table_boards.require(staff.archive, table)
    staff.station.collector.identify(board.device, _BLINK_S)
    return Sentence("table {table} blinks when it is reached", table=table)


def _swap(staff: Staff, table: int, device: int, reason: str) -> Done:
    remarks = board_swap.not_done(staff.station, table)
    orders = board_swap.swap(staff.station, table, device, staff.author, reason)
    message = Sentence("table {table} has board {board} now", table=table, board=device)
    return Done(orders, None if orders else message, remarks)


def _adopt(staff: Staff, table: int, device: int, reason: str) -> Done:
    remarks = board_swap.not_done(staff.station, table)
    board_swap.adopt(staff.station, table, device, staff.author, reason)
    text = "table {table} has board {board}, as a judge set it up"
    remarks += next_round.drawn_before(staff.archive, staff.desk.published_round())
    return Done(message=Sentence(text, table=table, board=device), remarks=remarks)


def _revoke(staff: Staff, device: int, reason: str) -> Sentence:
    board_swap.revoke(staff.station, device, staff.author, reason)
    return Sentence(
        "board {board} is revoked; to use it again give it a new key (plusthree board provision)",
        board=device,
    )


def _hand_on(staff: Staff, device: int, event: str, reason: str) -> Sentence:
    handing = staff.station.handing
    if handing is None:
        raise UserError("this desk has one event alone: plusthree serve A.db B.db serves several")
    return handing.hand_on(staff.station, device, event, staff.author, reason)


def _close(staff: Staff, anyway: bool) -> Done:
    orders = board_swap.close_event(staff.station, staff.author, anyway)
    return Done(orders, shown=() if orders else ["the event is closed"])


def _receipt(staff: Staff) -> Done:
    words = receipt.receipt(staff.archive)
    if words is None:
        raise UserError("the event is not closed yet: close")
    return Done(shown=[words])


_EVENT = Field(replace(text(1, 60), shown="EVENT"))
_MOVED = {"table": TABLE, "device": DEVICE, "reason": REASON}
ACTS = (
    Act("swap", ORGANISER, _swap, _MOVED, "swap",
        "have a spare board take a table over as it was last heard"),
    Act("adopt", ORGANISER, _adopt, _MOVED, "adopt",
        "take it that a judge set a spare up there by hand"),
    Act("revoke", ORGANISER, _revoke, {"device": DEVICE, "reason": REASON}, "revoke",
        "reject a board's frames from now on (lost, stolen)"),
    Act("hand_on", ORGANISER, _hand_on,
        {"device": DEVICE, "event": _EVENT, "reason": REASON}, "hand on",
        "hand a board on to another event that is served here"),
    Act("blink", ORGANISER, _blink, {"table": TABLE}, "blink", "make a table's board blink"),
    Act("trust", HERE, by_desk(Desk.trust), {"table": EVERY, "reason": REASON}, "time",
        "have boards that refuse this PC's time take it after all"),
    Act("close_event", ORGANISER, _close, {"anyway": Field(yes, False, Typed.FLAG)}, "close",
        "end the event, also with results to come: boards forget the players' names"),
    Act("receipt", HERE, _receipt, {}, "receipt",
        "show the closed event's receipt: hang it up; plusthree audit --receipt compares with it"),
)  # fmt: skip
