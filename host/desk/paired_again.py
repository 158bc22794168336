"""Pairs a published round again, as another program changed it before anybody played."""

import json
from collections.abc import Sequence
from dataclasses import replace

from firmware.core import intents
from host.archive.roster import Pairing
from host.desk.station import Station
from host.event.imported_results import ImportedRounds


def may_be_paired(station: Station, number: int) -> bool:
    """Whether a round is published and nobody has played it yet."""
    orders = station.archive.orders
    published = number <= (orders.last_round(intents.SET_ROUND) or 0)
    begun = orders.started(number) or ImportedRounds(station.archive).finished(number)
    return published and not begun and not station.hall.results(number)


def pair(
    station: Station, number: int, theirs: Sequence[Pairing], author: str, unix_ms: int
) -> list[int]:
    """Give a stored round a file's pairings, and send them to the tables; return the order ids.

    An unchanged pairing stays at its table. Nothing is changed if the file has more or fewer
    tables.
    """
    archive, ours = station.archive, station.archive.roster.pairings_of(number)
    changed = _changed_pairings(ours, theirs)
    with archive.transaction():
        archive.roster.rename(player for pairing in changed for player in pairing.players)
        archive.roster.seat(changed)
        for pairing in changed:
            a, b = pairing.a, pairing.b
            if b is not None:
                facts = {"round": number, "table": pairing.table, "a": a.number, "b": b.number}
                archive.notices.add("paired anew", json.dumps(facts), author, unix_ms)
        if archive.orders.latest_of(intents.SET_ROUND, number) is None:
            return []
        matches = [pairing for pairing in changed if pairing.b is not None]
        tables = sorted(match.table for match in matches if match.table is not None)
        return station.desk.reseat(number, tables, [], author)


def _changed_pairings(ours: Sequence[Pairing], theirs: Sequence[Pairing]) -> list[Pairing]:
    """Return the stored pairings of a round that get other players, with these; none if ``theirs``
    has more or fewer tables.

    A new match gets the table that the file gives it, if the players there leave it. A player who
    had a bye may get an opponent, at a free table.
    """
    our_numbers = {pairing.numbers for pairing in ours}
    their_numbers = {pairing.numbers for pairing in theirs}
    old = [pairing for pairing in ours if pairing.numbers not in their_numbers]
    new = [pairing for pairing in theirs if pairing.numbers not in our_numbers]
    old_matches = [pairing for pairing in old if pairing.b is not None]
    old_byes = [pairing for pairing in old if pairing.b is None]
    new_matches = [pairing for pairing in new if pairing.b is not None]
    with_bye = [pairing.a for pairing in new if pairing.b is None]
    if len(new) != len(old) or len(new_matches) < len(old_matches):
        return []
    changed, without_table = list[Pairing](), list[Pairing]()
    for match in new_matches:
        stored = next((each for each in old_matches if each.table == match.table), None)
        if stored is None:
            without_table.append(match)
        else:
            old_matches.remove(stored)
            changed.append(replace(stored, a=match.a, b=match.b))
    taken = {pairing.table for pairing in ours}
    for match in without_table:  # one that is left over, then those of players who had a bye
        stored = old_matches.pop(0) if old_matches else old_byes.pop(0)
        table = stored.table
        if table is None:
            table = next(n for n in (match.table, *range(1, 65536)) if n not in taken)
            taken.add(table)
        changed.append(replace(stored, table=table, a=match.a, b=match.b))
    byes = zip(old_byes, with_bye, strict=True)
    return changed + [replace(stored, a=player) for stored, player in byes]
