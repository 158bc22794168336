"""Tables given to judges by range: a judge's phone rings for those alone."""

import json
from collections.abc import Mapping
from typing import TypedDict

from host.archive.access_links import AccessLinks
from host.archive.roles import JUDGE, may
from host.archive.store import Archive
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.desk.station import Station

NOTICE = "zone"


class Zone(TypedDict):
    """The tables ``first`` to ``last`` of the judge ``name``."""

    name: str
    first: int
    last: int


def give(station: Station, name: str, first: int, last: int, author: str) -> Sentence:
    """Give the judge of a name the tables from ``first`` to ``last``, or all of them for 0 and 0.

    Raises UserError where no link has that name, and for a range that is none.
    """
    archive = station.archive
    links = [one for one in AccessLinks(archive).every if not one.revoked and may(one.role, JUDGE)]
    found = [one for one in links if one.name.casefold() == name.casefold()]
    if not found:
        raise UserError(
            "no judge has the name {name}: {names} have links",
            name=name,
            names=", ".join(dict.fromkeys(one.name for one in links)),
        )
    if first > last or (not first and last):
        raise UserError("tables are given from a number to the same or a greater one: 1 to 24")
    unix_ms = archive.roster.current_event.origin_unix_ms + station.collector.now_ms
    name = found[0].name
    facts = {"links": [one.id for one in found], "name": name, "first": first, "last": last}
    archive.notices.add(NOTICE, json.dumps(facts, sort_keys=True), author, unix_ms)
    if not first:
        return Sentence("{name} has all tables", name=name)
    said = "{name} has tables {first} to {last}"
    return Sentence(said, name=name, first=first, last=last)


def current(archive: Archive) -> dict[str, Zone]:
    """Return the zones in force, by the number of a link as text."""
    found: dict[str, Zone] = {}
    for links, zone in filter(None, archive.notices.read(NOTICE, _read)):
        found |= {str(link): zone for link in links}
    return {link: zone for link, zone in found.items() if zone["first"]}


def _read(told: Mapping[str, Json]) -> tuple[list[int], Zone] | None:
    """Return the links and the zone in a notice, None if it makes no sense."""
    links, name, first, last = told["links"], told["name"], told["first"], told["last"]
    if not (isinstance(links, list) and isinstance(name, str)):
        return None
    if not (isinstance(first, int) and isinstance(last, int)):
        return None
    numbers = [one for one in links if isinstance(one, int)]
    return numbers, {"name": name, "first": first, "last": last}
