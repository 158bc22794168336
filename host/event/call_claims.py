"""Who goes to a judge's call: the host's own note, stored in the archive, shown at no table.

A judge may pass a call on to the head judge: then it waits anew, for the head judge.
"""

import json
from collections.abc import Mapping
from typing import TypedDict

from host.archive.access_links import AccessLink
from host.archive.store import Archive
from host.base.json_values import Json, is_moment, is_number

CLAIMED = "call claimed"


class ClaimCard(TypedDict):
    """Who goes to a call: name, link, since when, and since when they are there (event ms).

    ``head``: nobody yet, and since ``at_ms`` the call waits for the head judge.
    """

    by: str
    link: int | None
    at_ms: int
    arrived_ms: int | None
    head: bool


def claim(
    archive: Archive,
    round_number: int,
    table: int,
    author: str,
    who: AccessLink | None,
    now_ms: int,
    arrived_ms: int | None = None,
    head: bool = False,
) -> None:
    """Store who goes to a table's call, or has been there since ``arrived_ms``; None: ``author``
    gives it back, ``head``: to the head judge.
    """
    taken: ClaimCard = {
        "by": who.name if who else "",
        "link": who.id if who else None,
        "at_ms": now_ms,
        "arrived_ms": arrived_ms,
        "head": head,
    }
    value = json.dumps({"round": round_number, "table": table, **taken}, sort_keys=True)
    unix_ms = archive.roster.current_event.origin_unix_ms + now_ms
    archive.notices.add(CLAIMED, value, author, unix_ms)


def claims(archive: Archive, round_number: int) -> dict[int, ClaimCard]:
    """Return the newest claim of each table in a round, without those given back."""
    found: dict[int, ClaimCard] = {}
    for number, table, taken in filter(None, archive.notices.read(CLAIMED, read)):
        if number == round_number:
            found[table] = taken
    return {table: one for table, one in found.items() if one["by"] or one["head"]}


def read(told: Mapping[str, Json]) -> tuple[int, int, ClaimCard] | None:
    """Return round, table and claim in a notice, None if it is invalid. Raises LookupError.

    Older programs wrote neither ``link`` nor ``arrived_ms`` nor ``head``.
    """
    number, table, by, at_ms = told["round"], told["table"], told["by"], told["at_ms"]
    link, arrived_ms, head = told.get("link"), told.get("arrived_ms"), told.get("head", False)
    if not (is_number(number) and is_number(table) and isinstance(by, str) and is_moment(at_ms)):
        return None
    if not (link is None or is_number(link)) or not isinstance(head, bool):
        return None
    if not (arrived_ms is None or is_moment(arrived_ms)):
        return None
    taken: ClaimCard = {
        "by": by, "link": link, "at_ms": at_ms, "arrived_ms": arrived_ms, "head": head,
    }  # fmt: skip
    return number, table, taken
