"""One table over a stream: which addresses are refused, and how a link leads there."""

from collections.abc import Mapping
from urllib.parse import urlencode

from host.archive.store import Archive
from host.base import catalogues
from host.base.sentences import Sentence
from host.event.imported_results import published

LAYOUTS = "bar", "corner"
_TABLES = range(1, 65536)
_LONGEST = 5  # digits


def number(told: str) -> int | None:
    """Return the table that an address names, None for what is no table's number."""
    plain = told.isascii() and told.isdigit() and len(told) <= _LONGEST
    return int(told) if plain and int(told) in _TABLES else None


def refusal(archive: Archive, told: str, layout: str | None) -> Sentence | None:
    """Return what is wrong with an overlay's address: no table, or no layout; None if nothing is.

    Before the first round any table may come to play.
    """
    table = number(told)
    if table is None:
        return Sentence("No table has such a number. Write it at the end: /overlay/7")
    if layout is not None and layout not in LAYOUTS:
        return Sentence("There are two layouts: ?layout=bar and ?layout=corner")
    known = _tables(archive)
    if known and table not in known:
        return Sentence("No match was at table {table} so far: check the number.", table=table)
    return None


def address(told: str | None, query: Mapping[str, str]) -> str:
    """Return the overlay's address for what a link asks, "/" where that is none."""
    table = number(told or "")
    if table is None:
        return "/"
    known = {
        name: word
        for name, words in (("layout", LAYOUTS), ("language", catalogues.languages()))
        if (word := query.get(name)) in words
    }
    return f"/overlay/{table}" + (f"?{urlencode(known)}" if known else "")


def _tables(archive: Archive) -> set[int | None]:
    """Return the tables of all published rounds."""
    rounds = [one for one in archive.roster.rounds if published(archive, one)]
    return {one.table for number in rounds for one in archive.roster.pairings_of(number) if one.b}
