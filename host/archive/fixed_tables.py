"""Tables that stay: a player who keeps a table in every round until released, and feature tables.

Both are notices; the newest of a player, or of a table, counts.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from host.archive.roster import Pairing
from host.archive.store import Archive
from host.base.json_values import Json, filled

FIXED, FEATURE = "table fixed", "feature table"


class Fixed(NamedTuple):
    """A player's number and the table that the player keeps, None once released."""

    player: str
    table: int | None


class Feature(NamedTuple):
    """A table, and whether it is a feature table."""

    table: int
    on: bool


def fix(archive: Archive, fixed: Fixed, author: str, unix_ms: int) -> None:
    """Store that a player keeps a table, or is released."""
    archive.notices.add(FIXED, json.dumps(fixed._asdict()), author, unix_ms)


def fixed(archive: Archive) -> dict[str, int]:
    """Return the tables that are kept, by the players' numbers, in the order of the tables."""
    newest = {notice.player: notice.table for notice in archive.notices.read(FIXED, read) if notice}
    kept = [(table, player) for player, table in newest.items() if table is not None]
    return {player: table for table, player in sorted(kept)}


def renumber(archive: Archive, before: str, after: str, author: str, unix_ms: int) -> None:
    """Have the table that a player keeps follow the player's new number."""
    table = fixed(archive).get(before)
    if table is not None:
        fix(archive, Fixed(before, None), author, unix_ms)
        fix(archive, Fixed(after, table), author, unix_ms)


def mark(archive: Archive, feature: Feature, author: str, unix_ms: int) -> None:
    """Store whether a table is a feature table."""
    archive.notices.add(FEATURE, json.dumps(feature._asdict()), author, unix_ms)


def features(archive: Archive) -> list[int]:
    """Return the feature tables, ascending."""
    newest = {
        notice.table: notice.on for notice in archive.notices.read(FEATURE, read_feature) if notice
    }
    return sorted(table for table, on in newest.items() if on)


def place(pairings: Iterable[Pairing], tables: Mapping[str, int]) -> list[Pairing]:
    """Return pairings with each match at the table that one of its players keeps.

    The match that was at that table gets the other table. Where both players keep a table, the
    first of ``tables`` counts.
    """
    placed = list(pairings)
    index_of_player = {
        player.number: index
        for index, pairing in enumerate(placed)
        if pairing.b is not None
        for player in (pairing.a, pairing.b)
    }
    final: set[int] = set()  # indexes of matches that have their table
    for player, table in tables.items():
        index = index_of_player.get(player)
        at_table = next((at for at, pairing in enumerate(placed) if pairing.table == table), None)
        if index is None or index in final or at_table in final:
            continue
        if at_table is not None:
            placed[at_table] = replace(placed[at_table], table=placed[index].table)
        placed[index] = replace(placed[index], table=table)
        final.add(index)
    return placed


def read(value: Mapping[str, Json]) -> Fixed:
    """Return the fixed table in a notice. Raises LookupError, TypeError."""
    return filled(Fixed, value)


def read_feature(value: Mapping[str, Json]) -> Feature:
    """Return the feature table in a notice. Raises LookupError, TypeError."""
    return filled(Feature, value)
