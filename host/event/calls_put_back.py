"""Calls that staff ended by mistake and put back: they wait for a judge again, since the same time.

The table's board does not know: there the call is over. Putting a call back, and ending it again,
are notices of the host.
"""

from collections.abc import Mapping
from typing import NamedTuple

from host.archive.store import Archive
from host.base.json_values import Json, filled

NOTICE = "call put back"


class PutBack(NamedTuple):
    """A call that waits again: since when it waits, its type, and when it was put back (event
    ms).
    """

    round: int
    table: int
    since_ms: int
    type: str
    at_ms: int


def keep(archive: Archive, call: PutBack, author: str) -> None:
    """Store that a call was put back."""
    _store(archive, call, author, waits=True)


def end(archive: Archive, call: PutBack, author: str, now_ms: int) -> None:
    """Store that a call that was put back has ended."""
    _store(archive, call._replace(at_ms=now_ms), author, waits=False)


def standing(archive: Archive, round_number: int) -> dict[int, PutBack]:
    """Return the calls of a round that were put back and still wait, by table."""
    by_table: dict[int, PutBack] = {}
    for entry in filter(None, archive.notices.read(NOTICE, read)):
        call, waits = entry
        if call.round == round_number and waits:
            by_table[call.table] = call
        elif call.round == round_number:
            by_table.pop(call.table, None)
    return by_table


def _store(archive: Archive, call: PutBack, author: str, *, waits: bool) -> None:
    archive.notices.add_facts(NOTICE, {**call._asdict(), "waits": waits}, author, call.at_ms)


def read(facts: Mapping[str, Json]) -> tuple[PutBack, bool]:
    """Return a notice's call and whether it waits. Raises LookupError, TypeError."""
    return filled(PutBack, facts), facts["waits"] is True
