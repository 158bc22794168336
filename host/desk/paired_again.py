"""A published round that another program paired anew before anybody played: its tables follow."""

import json
from collections.abc import Sequence
from dataclasses import replace

from firmware.core import intents
from host.archive.roster import Pairing, Player
from host.desk.station import Station
from host.event.imported_results import ImportedRounds


def may_follow(station: Station, number: int) -> bool:
    """Whether a stored round is published and nobody has played it, so that tables may change."""
    orders = station.archive.orders
    published = number <= (orders.last_round(intents.SET_ROUND) or 0)
    begun = orders.started(number) or ImportedRounds(station.archive).finished(number)
    return published and not begun and not station.hall.results(number)


def follow(
    station: Station, number: int, told: Sequence[Pairing], author: str, unix_ms: int
) -> list[int]:
    """Seat a stored round as a file pairs it, where it has as many tables; return the orders' ids.

    Who meets as before stays at the table. Where it cannot be followed nothing is changed.
    """
    archive, ours = station.archive, station.archive.roster.pairings_of(number)
    changed = _changed(ours, told)
    with archive.transaction():
        archive.roster.rename(player for one in changed for player in _players(one))
        archive.roster.seat(changed)
        for one in changed:
            if one.b is not None:
                facts = {"round": number, "table": one.table, "a": one.a.number, "b": one.b.number}
                archive.notices.add("paired anew", json.dumps(facts), author, unix_ms)
        if archive.orders.latest_of(intents.SET_ROUND, number) is None:
            return []
        tables = sorted(one.table for one in changed if one.b is not None and one.table is not None)
        return station.desk.seat_anew(number, tables, [], author)


def _changed(ours: Sequence[Pairing], told: Sequence[Pairing]) -> list[Pairing]:
    """Return the places of a round that get another meeting, with it; none where ``told`` has more
    or fewer tables.

    A new meeting takes the table that the file gives it, if its people leave that; a player who had
    a bye may get an opponent, at a table that is free.
    """
    known, wanted = ({_meeting(one) for one in some} for some in (ours, told))
    free = [one for one in ours if _meeting(one) not in wanted]
    new = [one for one in told if _meeting(one) not in known]
    tables, byes = ([one for one in free if (one.b is None) == bye] for bye in (False, True))
    matches = [one for one in new if one.b is not None]
    if len(new) != len(free) or len(matches) < len(tables):
        return []
    found, later = list[Pairing](), list[Pairing]()
    for one in matches:
        place = next((place for place in tables if place.table == one.table), None)
        if place is None:
            later.append(one)
        else:
            tables.remove(place)
            found.append(replace(place, a=one.a, b=one.b))
    taken = {one.table for one in ours}
    for one in later:
        place = tables.pop(0) if tables else byes.pop(0)
        if place.table is None:
            free_table = next(n for n in (one.table, *range(1, 65536)) if n not in taken)
            taken.add(free_table)
            place = replace(place, table=free_table)
        found.append(replace(place, a=one.a, b=one.b))
    alone = [one for one in new if one.b is None]
    return found + [replace(place, a=one.a) for place, one in zip(byes, alone, strict=True)]


def _meeting(one: Pairing) -> frozenset[str]:
    return frozenset(player.number for player in _players(one))


def _players(one: Pairing) -> list[Player]:
    return [one.a] if one.b is None else [one.a, one.b]
