"""Acts on boards: identify, swap, adopt, revoke, switch the beacon, and close the event."""

from host.archive.roles import ORGANISER
from host.base.errors import UserError
from host.desk import board_swap
from host.web.act import WebAct
from host.web.fields import DEVICE, REASON, REQUIRED, TABLE, yes

_BLINK_S = 10


def _blink(service, who, table):
    board = service.archive.roster.board_at(table)
    if board is None:
        raise UserError("table {table} has no board: swap a spare in", table=table)
    service.station.collector.identify(board.device, _BLINK_S)


def _swap(service, who, table, device, reason):
    return board_swap.swap(service.station, table, device, who.name, reason)


def _adopt(service, who, table, device, reason):
    board_swap.adopt(service.station, table, device, who.name, reason)


def _revoke(service, who, device, reason):
    board_swap.revoke(service.station, device, who.name, reason)


def _beacon(service, who, on):
    service.station.switch_beacon(on, who.name)


def _close(service, who, anyway):
    return board_swap.close_event(service.station, who.name, anyway)


_MOVED = {"table": TABLE, "device": DEVICE, "reason": REASON}
ACTS = (
    WebAct("blink", ORGANISER, _blink, {"table": TABLE}),
    WebAct("swap", ORGANISER, _swap, _MOVED),
    WebAct("adopt", ORGANISER, _adopt, _MOVED),
    WebAct("revoke", ORGANISER, _revoke, {"device": DEVICE, "reason": REASON}),
    WebAct("beacon", ORGANISER, _beacon, {"on": (yes, REQUIRED)}),
    WebAct("close_event", ORGANISER, _close, {"anyway": (yes, False)}),
)
