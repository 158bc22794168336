"""Rounds that a player missed and the organiser counts, as a loss or as a bye, without a match.

For players who came late, came back, or are given a loss before a round. Each is a notice; the
newest of a player and a round counts, unless the player has a match in the round after all.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from host.archive.store import Archive
from host.base.json_values import Json, filled

NOTICE = "missed round"
LOSS, BYE, NOTHING = "loss", "bye", "nothing"
COUNTS = LOSS, BYE, NOTHING


class MissedRound(NamedTuple):
    """A player's number, a round, and what it counts as (one of ``COUNTS``)."""

    player: str
    round: int
    counts: str


def keep(archive: Archive, missed: MissedRound, author: str, unix_ms: int) -> None:
    """Store what a missed round counts as, unless it is stored already."""
    if of_round(archive, missed.round).get(missed.player, NOTHING) != missed.counts:
        archive.notices.add(NOTICE, json.dumps(missed._asdict()), author, unix_ms)


def withdraw(archive: Archive, round_number: int, author: str, unix_ms: int) -> None:
    """Withdraw the counted misses of a round, as its draft is dropped."""
    for player in of_round(archive, round_number):
        keep(archive, MissedRound(player, round_number, NOTHING), author, unix_ms)


def renumber(archive: Archive, before: str, after: str, author: str, unix_ms: int) -> None:
    """Move a player's counted misses to the player's new number."""
    for number in archive.roster.rounds:
        counts = of_round(archive, number).get(before)
        if counts is not None:
            keep(archive, MissedRound(before, number, NOTHING), author, unix_ms)
            keep(archive, MissedRound(after, number, counts), author, unix_ms)


def of_round(archive: Archive, round_number: int) -> dict[str, str]:
    """Return ``LOSS`` or ``BYE`` by the number of each player whose missed round counts."""
    notices = archive.notices.read(NOTICE, read)
    newest = {
        missed.player: missed.counts
        for missed in notices
        if missed and missed.round == round_number
    }
    return {player: counts for player, counts in newest.items() if counts != NOTHING}


def read(facts: Mapping[str, Json]) -> MissedRound | None:
    """Return the missed round in a notice, None if invalid. Raises LookupError, TypeError."""
    missed = filled(MissedRound, facts)
    return missed if missed.counts in COUNTS else None
