"""A table's next one-time codes, shown to a judge; the desk log keeps who has seen them."""

import json

from host.base.errors import UserError
from host.desk.station import Station
from host.event import event_log
from host.keys import judge_codes

_CODES = 3


def shown(station: Station, table: int, author: str) -> list[str]:
    """Return the next codes of a table, as ``123 456``; raises UserError without a board."""
    archive = station.archive
    board = archive.roster.board_at(table)
    if board is None:
        raise UserError("table {table} has no board: swap a spare in", table=table)
    unix_ms = archive.roster.current_event.origin_unix_ms + station.collector.now_ms
    archive.notices.add(event_log.CODES, json.dumps({"table": table}), author, unix_ms)
    found = judge_codes.codes(station.keyring, archive, board, _CODES)
    return [f"{text[:3]} {text[3:]}" for _, text in found]
