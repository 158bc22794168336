"""A call that was ended by mistake is put back, and ended for good."""

from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk.station import Station
from host.event import calls_put_back
from host.event.calls_put_back import PutBack
from host.event.judge_calls import calls


def put_back(station: Station, table: int, author: str) -> Sentence:
    """Have the last call of a table wait for a judge again; return the Sentence that says it.

    Raises UserError where none has ended in the published round.
    """
    archive, number = station.archive, station.desk.round
    found = [one for one in calls(archive) if (one.round, one.table) == (number, table)]
    if not found or number is None:
        raise UserError("no call of table {table} has ended in this round", table=table)
    last = found[-1]
    if last.open:
        raise UserError("table {table} is waiting for a judge already", table=table)
    call = PutBack(number, table, last.called_ms, last.type, station.collector.now_ms)
    calls_put_back.keep(archive, call, author)
    return Sentence("table {table} is waiting for a judge again", table=table)


def end(station: Station, table: int, author: str) -> None:
    """End a table's call that was put back, if there is one."""
    call = calls_put_back.standing(station.archive, station.desk.round or 0).get(table)
    if call is not None:
        calls_put_back.end(station.archive, call, author, station.collector.now_ms)
