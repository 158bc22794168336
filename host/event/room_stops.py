"""Stops of the whole room and their ends, as notices: the one in force, and how long they took.

An end holds the number of stops stored before it, and ends the newest of those.
"""

from collections.abc import Mapping
from typing import NamedTuple

from host.archive.store import Archive
from host.base.json_values import Json, is_moment, is_number, numbers

STOPPED, RUN_ON = "room paused", "room resumed"


class Stop(NamedTuple):
    """A stop of the room: since when (event ms), by whom, why, and the ids of its orders."""

    at_ms: int
    by: str
    reason: str
    orders: frozenset[int]


def standing(archive: Archive, round_number: int) -> Stop | None:
    """Return the Stop in force in a round, None if the room runs."""
    stops = _stops(archive)
    newest = max(stops, default=None)
    if newest is None or newest in _ended_ms(archive, stops):
        return None
    number, stop = stops[newest]
    return stop if number == round_number else None


def stood_ms(archive: Archive, round_number: int) -> int:
    """Return how long the room was stopped in a round (ms), without a stop still in force."""
    stops = _stops(archive)
    ended_ms = _ended_ms(archive, stops)
    return sum(
        max(0, ended_ms[count] - stop.at_ms)
        for count, (number, stop) in stops.items()
        if number == round_number and count in ended_ms
    )


def _stops(archive: Archive) -> dict[int, tuple[int, Stop]]:
    """Return round and Stop of each valid notice, by its number among the stops, from 1."""
    notices = archive.notices.read(STOPPED, read_stop)
    return {count: notice for count, notice in enumerate(notices, 1) if notice is not None}


def _ended_ms(archive: Archive, stops: Mapping[int, tuple[int, Stop]]) -> dict[int, int]:
    """Return when stops ended, each for the first time, by their counts."""
    ended_ms: dict[int, int] = {}
    for ends, at_ms in filter(None, archive.notices.read(RUN_ON, read_end)):
        newest = max((count for count in stops if count <= ends), default=None)
        if newest is not None:
            ended_ms.setdefault(newest, at_ms)
    return ended_ms


def read_stop(facts: Mapping[str, Json]) -> tuple[int, Stop] | None:
    """Return the round and the Stop in a notice, None if invalid. Raises LookupError."""
    number, at_ms, order_ids = facts["round"], facts["at_ms"], numbers(facts["orders"])
    by, reason = facts["by"], facts["reason"]
    if not (is_number(number) and is_moment(at_ms) and order_ids is not None):
        return None
    if not (isinstance(by, str) and isinstance(reason, str)):
        return None
    return number, Stop(at_ms, by, reason, frozenset(order_ids))


def read_end(facts: Mapping[str, Json]) -> tuple[int, int] | None:
    """Return how many stops there were before an end, and when it was, None if invalid.

    Raises LookupError.
    """
    ends, at_ms = facts["ends"], facts["at_ms"]
    return (ends, at_ms) if is_number(ends) and is_moment(at_ms) else None
