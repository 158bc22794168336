"""Rounds that a player missed and the organiser counts: as a loss or as a bye, without a match.

For who came late, came back, or is given a loss before a round. Each is a notice; the newest of a
player and a round counts, and none of who sits in the round after all.
"""

import json
from collections.abc import Mapping
from typing import NamedTuple

from host.archive.store import Archive
from host.base.json_values import Json

NOTICE = "missed round"
LOSS, BYE, NOTHING = "loss", "bye", "nothing"
COUNTS = LOSS, BYE, NOTHING


class MissedRound(NamedTuple):
    """A player's number, a round, and what it counts as (one of ``COUNTS``)."""

    player: str
    round: int
    counts: str


def keep(archive: Archive, missed: MissedRound, author: str, unix_ms: int) -> None:
    """Store what a missed round counts as, unless that is what is stored."""
    if of_round(archive, missed.round).get(missed.player, NOTHING) != missed.counts:
        archive.notices.add(NOTICE, json.dumps(missed._asdict()), author, unix_ms)


def withdraw(archive: Archive, round_number: int, author: str, unix_ms: int) -> None:
    """Take back what counts in a round, as its draft is dropped."""
    for player in of_round(archive, round_number):
        keep(archive, MissedRound(player, round_number, NOTHING), author, unix_ms)


def renumber(archive: Archive, before: str, after: str, author: str, unix_ms: int) -> None:
    """Have what counts for a player follow the player's new number."""
    for number in archive.roster.rounds:
        counts = of_round(archive, number).get(before)
        if counts is not None:
            keep(archive, MissedRound(before, number, NOTHING), author, unix_ms)
            keep(archive, MissedRound(after, number, counts), author, unix_ms)


def of_round(archive: Archive, round_number: int) -> dict[str, str]:
    """Return ``LOSS`` or ``BYE`` by player number, for who missed a round that counts."""
    told = archive.notices.read(NOTICE, read)
    newest = {one.player: one.counts for one in told if one and one.round == round_number}
    return {player: counts for player, counts in newest.items() if counts != NOTHING}


def read(told: Mapping[str, Json]) -> MissedRound | None:
    """Return the missed round in a notice, None if invalid. Raises LookupError."""
    player, number, counts = told["player"], told["round"], told["counts"]
    if not isinstance(player, str) or not isinstance(number, int) or counts not in COUNTS:
        return None
    return MissedRound(player, number, str(counts))
