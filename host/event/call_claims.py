"""Which judge goes to a call: a notice of the host, not shown at the table.

A judge may pass a call on to the head judge; then it waits for the head judge.
"""

from collections.abc import Mapping
from typing import TypedDict

from host.archive.access_links import AccessLink
from host.archive.store import Archive
from host.base.json_values import Json, filled, is_number

CLAIMED = "call claimed"


class ClaimCard(TypedDict):
    """Who goes to a call: name, link, since when, and since when they are at the table (event ms).

    ``head``: nobody goes yet, and since ``at_ms`` the call waits for the head judge.
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
    judge: AccessLink | None,
    now_ms: int,
    arrived_ms: int | None = None,
    head: bool = False,
) -> None:
    """Store which judge goes to a table's call, or is there since ``arrived_ms``.

    Without a judge the call waits again, with ``head`` for the head judge alone.
    """
    card: ClaimCard = {
        "by": judge.name if judge else "",
        "link": judge.id if judge else None,
        "at_ms": now_ms,
        "arrived_ms": arrived_ms,
        "head": head,
    }
    facts = {"round": round_number, "table": table, **card}
    archive.notices.add_facts(CLAIMED, facts, author, now_ms)


def claims(archive: Archive, round_number: int) -> dict[int, ClaimCard]:
    """Return the newest claim of each table in a round, without those given back."""
    by_table: dict[int, ClaimCard] = {}
    for number, table, card in filter(None, archive.notices.read(CLAIMED, read)):
        if number == round_number:
            by_table[table] = card
    return {table: card for table, card in by_table.items() if card["by"] or card["head"]}


def read(facts: Mapping[str, Json]) -> tuple[int, int, ClaimCard] | None:
    """Return round, table and claim in a notice, None if it is of no table. Raises LookupError,
    TypeError.
    """
    number, table = facts["round"], facts["table"]
    if not (is_number(number) and is_number(table)):
        return None
    # older programs wrote none of these
    defaults: dict[str, Json] = {"link": None, "arrived_ms": None, "head": False}
    return number, table, filled(ClaimCard, {**defaults, **facts})
