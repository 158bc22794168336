"""One table as an overlay over a video stream: which addresses are refused, and how a link leads
there.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from host.archive.store import Archive
from host.base import catalogues
from host.base.sentences import Sentence
from host.event.imported_results import published

LAYOUTS = "bar", "corner"
_TABLES = range(1, 65536)
_LONGEST = 5  # digits


def number(text: str) -> int | None:
    """Return the table number in an address, None if it is not one."""
    plain = text.isascii() and text.isdigit() and len(text) <= _LONGEST
    return int(text) if plain and int(text) in _TABLES else None


def refusal(archive: Archive, text: str, layout: str | None) -> Sentence | None:
    """Return what is wrong with an overlay's address (table or layout), None if it is right.

    Before the first round any table is accepted.
    """
    table = number(text)
    if table is None:
        return Sentence("No table has such a number. Write it at the end: /overlay/7")
    if layout is not None and layout not in LAYOUTS:
        return Sentence("There are two layouts: ?layout=bar and ?layout=corner")
    known = _tables(archive)
    if known and table not in known:
        return Sentence("No match was at table {table} so far: check the number.", table=table)
    return None


def address(text: str | None, query: Mapping[str, str]) -> str:
    """Return the overlay's address for a link's table and query, "/" for an invalid table."""
    table = number(text or "")
    if table is None:
        return "/"
    kept: dict[str, str] = {}
    for name, words in (("layout", LAYOUTS), ("language", catalogues.languages())):
        if query.get(name) in words:
            kept[name] = query[name]
    return f"/overlay/{table}?{urlencode(kept)}" if kept else f"/overlay/{table}"


def _tables(archive: Archive) -> set[int | None]:
    """Return the tables of all published rounds."""
    rounds = [number for number in archive.roster.rounds if published(archive, number)]
    return {
        pairing.table
        for number in rounds
        for pairing in archive.roster.pairings_of(number)
        if pairing.b
    }
