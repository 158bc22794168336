"""Calls that staff ended by mistake and put back: they wait for a judge again, since when they did.

The table's board is told nothing: its call is over there. What puts a call back, or ends it again,
is a notice of the host.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from host.archive.store import Archive
from host.base.json_values import Json

NOTICE = "call put back"


class PutBack(NamedTuple):
    """A call that waits again: since when it did, of which type, and when it was put back
    (event ms).
    """

    round: int
    table: int
    since_ms: int
    type: str
    at_ms: int


def keep(archive: Archive, call: PutBack, author: str) -> None:
    """Store that a call was put back."""
    _store(archive, call, True, author)


def end(archive: Archive, call: PutBack, author: str, now_ms: int) -> None:
    """Store that a call that was put back is dealt with."""
    _store(archive, call._replace(at_ms=now_ms), False, author)


def standing(archive: Archive, round_number: int) -> dict[int, PutBack]:
    """Return the calls of a round that were put back and still wait, by table."""
    found: dict[int, PutBack] = {}
    for told in filter(None, archive.notices.read(NOTICE, read)):
        call, waits = told
        if call.round == round_number and waits:
            found[call.table] = call
        elif call.round == round_number:
            found.pop(call.table, None)
    return found


def _store(archive: Archive, call: PutBack, waits: bool, author: str) -> None:
    value = json.dumps({**call._asdict(), "waits": waits}, sort_keys=True)
    unix_ms = archive.roster.current_event.origin_unix_ms + call.at_ms
    archive.notices.add(NOTICE, value, author, unix_ms)


def read(told: Mapping[str, Json]) -> tuple[PutBack, bool] | None:
    """Return a notice's call and whether it waits, None where it makes no sense.

    Raises LookupError.
    """
    number, table, since_ms = told["round"], told["table"], told["since_ms"]
    kind, at_ms = told["type"], told["at_ms"]
    if not (isinstance(number, int) and isinstance(table, int) and isinstance(since_ms, int)):
        return None
    if not (isinstance(kind, str) and isinstance(at_ms, int)):
        return None
    return PutBack(number, table, since_ms, kind, at_ms), told["waits"] is True
