"""Changes pairings by hand before a round begins: players exchange seats.

A player without a seat in the round displaces another, or takes the bye's empty seat. A table that
was sent its round already gets the new one. A started round cannot be changed.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from firmware.core import intents
from host.archive.orders import NewOrder
from host.archive.people import People, Person
from host.archive.roster import Pairing, Player
from host.base.errors import UserError
from host.desk import table_squads
from host.desk.station import Station
from host.event.told_results import ToldRounds

Places: TypeAlias = dict[int, Pairing]
"""A round's pairings by number."""


def change_pairing(
    station: Station, number: int, table: int, a: str, b: str, author: str, unix_ms: int
) -> tuple[list[int], list[Player]]:
    """Seat players ``a`` and ``b`` (numbers) at a table of a stored round.

    Returns the ids of the orders made, and the Players who lost their seat in the round. Raises
    UserError, and then nothing was changed.
    """
    before = _open_round(station, number)
    target = next((one for one in before.values() if one.table == table), None)
    if target is None or target.b is None:
        raise UserError(
            "table {table} does not play in round {number}: check its number",
            table=table,
            number=number,
        )
    if a == b:
        raise UserError("nobody plays against themselves: name two players")
    after = dict(before)
    for seat, player in (("a", a), ("b", b)):
        _seat(after, target.pairing, seat, _present(station, player))
    made = _changed(station, before, after, {"table": table, "a": a, "b": b}, author, unix_ms)
    left = _sitting(before).keys() - _sitting(after).keys()
    return made, [_sitting(before)[one] for one in sorted(left)]


def join_bye(
    station: Station, number: int, player: str, author: str, unix_ms: int
) -> tuple[list[int], int]:
    """Seat a player without a seat opposite a stored round's bye; return the order ids and the
    table.

    Raises UserError, and then nothing was changed.
    """
    before, person = _open_round(station, number), _present(station, player)
    bye = next((one for one in before.values() if one.b is None), None)
    if bye is None:
        raise UserError(
            "round {number} has no bye: change a table's pairing instead", number=number
        )
    if person.player.number in _sitting(before):
        raise UserError(
            "player {player} has a seat in round {number}: change that pairing instead",
            player=player,
            number=number,
        )
    taken = {one.table for one in before.values()}
    places = (*station.archive.roster.tables, *range(1, 65536))
    table = next(one for one in places if one not in taken)
    after = before | {bye.pairing: replace(bye, table=table, b=person.player)}
    said = {"table": table, "a": bye.a.number, "b": player}
    return _changed(station, before, after, said, author, unix_ms), table


def _open_round(station: Station, number: int) -> Places:
    """Return a round's Pairings by number; UserError once they are being played."""
    if station.archive.orders.started(number) or ToldRounds(station.archive).finished(number):
        raise UserError(
            "round {number} has its start already: nobody changes places now", number=number
        )
    return {one.pairing: one for one in station.archive.roster.pairings_of(number)}


def _present(station: Station, number: str) -> Person:
    person = People(station.archive).get(number)
    if person.dropped:
        raise UserError("player {number} has dropped: take them back first", number=number)
    return person


def _sitting(places: Places) -> dict[str, Player]:
    return {
        player.number: player
        for one in places.values()
        for player in (one.a, one.b)
        if player is not None
    }


def _seat(places: Places, pairing: int, seat: str, person: Person):
    """Seat a Person; the player there takes the Person's former seat, if there was one."""
    displaced = getattr(places[pairing], seat)
    if displaced.number == person.player.number:
        return
    for key, one in places.items():
        for other in "ab":
            sitting = getattr(one, other)
            if sitting is not None and sitting.number == person.player.number:
                places[key] = replace(one, **{other: displaced})
    places[pairing] = replace(places[pairing], **{seat: person.player})


def _changed(
    station: Station,
    before: Places,
    after: Places,
    said: Mapping[str, int | str],
    author: str,
    unix_ms: int,
) -> list[int]:
    """Store the differences; send them to the tables, and to a new table if the round was
    published.
    """
    archive = station.archive
    changed = [one for key, one in after.items() if one != before[key]]
    number = next(iter(before.values())).round
    told = archive.orders.latest_of(intents.SET_ROUND, number) is not None
    tables = sorted(one.table for one in changed if one.b is not None and one.table is not None)
    with archive.transaction():
        archive.roster.seat(changed)
        archive.notices.add("paired anew", json.dumps({"round": number, **said}), author, unix_ms)
        made = [order for table in tables if told for order in tell(station, number, table, author)]
    station.refresh()
    return made


def tell(station: Station, number: int, table: int, author: str) -> list[int]:
    """Send a table its match of a published round anew; return the ids of the orders."""
    roster, now_ms = station.archive.roster, station.collector.now_ms
    form, pairing = roster.format_of(number), roster.pairing_at(number, table)
    assert form is not None and pairing is not None  # just stored
    squads = table_squads.of_round(station.archive, number, now_ms).get(pairing.pairing)
    sets = (
        (intents.SET_ROUND, now_ms, number, table, pairing.pairing),
        (intents.SET_FORMAT, now_ms, form.system, form.bits, form.minutes),
        *((squads,) if squads else ()),
    )
    return [
        station.collector.add_order(NewOrder(number, table, intent, author, "paired anew"))
        for intent in sets
    ]
