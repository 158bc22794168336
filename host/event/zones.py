"""Tables assigned to judges by range, as notices: a judge's phone rings for those alone."""

from collections.abc import Mapping
from typing import TypedDict

from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.base.json_values import Json, filled, numbers

NOTICE = "zone"


class Zone(TypedDict):
    """The tables ``first`` to ``last`` of the judge ``name``; 0 and 0 for all tables."""

    name: str
    first: int
    last: int


def current(archive: Archive) -> dict[str, Zone]:
    """Return the zones in force, by the number of a link in use as text."""
    in_use = {str(link.id) for link in AccessLinks(archive).every if not link.revoked}
    by_link: dict[str, Zone] = {}
    for links, zone in filter(None, archive.notices.read(NOTICE, read)):
        by_link |= {str(link): zone for link in links}
    return {link: zone for link, zone in by_link.items() if zone["first"] and link in in_use}


def read(facts: Mapping[str, Json]) -> tuple[list[int], Zone] | None:
    """Return the links and the zone in a notice, None if it is invalid. Raises LookupError,
    TypeError.
    """
    links, zone = numbers(facts["links"]), filled(Zone, facts)
    first, last = zone["first"], zone["last"]
    if links is None or first > last or (not first and last):
        return None
    return links, zone
