"""Gives tables to judges by range (``event.zones``)."""

import json

from host.archive.access_links import AccessLinks
from host.archive.roles import JUDGE, may
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.desk.station import Station
from host.event import zones


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
    archive.notices.add(zones.NOTICE, json.dumps(facts, sort_keys=True), author, unix_ms)
    if not first:
        return Sentence("{name} has all tables", name=name)
    said = "{name} has tables {first} to {last}"
    return Sentence(said, name=name, first=first, last=last)
