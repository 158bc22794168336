"""What is done with boards: shown, swapped, adopted, taken out of use, and packed up."""

from host import handover
from host.errors import Mistake
from host.web.acting import WebAct
from host.web.fields import DEVICE, REASON, TABLE, yes
from host.web.roles import ORGANISER

_BLINK_S = 10


def _blink(office, who, table):
    board = office.archive.roster.board_at(table)
    if board is None:
        raise Mistake("table {table} has no board", table=table)
    office.station.collector.identify(board.device, _BLINK_S)


def _swap(office, who, table, device, reason):
    return handover.swap(office.station, table, device, who.name, reason)


def _adopt(office, who, table, device, reason):
    handover.adopt(office.station, table, device, who.name, reason)


def _revoke(office, who, device, reason):
    handover.revoke(office.station, device, who.name, reason)


def _close(office, who, anyway):
    return handover.close(office.station, who.name, anyway)


_MOVED = {"table": TABLE, "device": DEVICE, "reason": REASON}
ACTS = (
    WebAct("blink", ORGANISER, _blink, {"table": TABLE}),
    WebAct("swap", ORGANISER, _swap, _MOVED),
    WebAct("adopt", ORGANISER, _adopt, _MOVED),
    WebAct("revoke", ORGANISER, _revoke, {"device": DEVICE, "reason": REASON}),
    WebAct("close_event", ORGANISER, _close, {"anyway": (yes, False)}),
)
