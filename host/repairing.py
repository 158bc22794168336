"""One table paired anew before its round begins: who comes from another place changes places.

A table that was told its round already is told again; a started round is let be.
"""

from dataclasses import replace

from firmware.core import intents
from host.errors import Mistake
from host.people import People


def repair(station, number, table, a, b, author, unix_ms):
    """Seat players ``a`` and ``b`` (numbers) at a table of a stored round; return the ids of orders made.

    Raises Mistake, and then nothing was changed.
    """
    archive = station.archive
    before = {one.pairing: one for one in archive.roster.pairings_of(number)}
    target = next((one for one in before.values() if one.table == table), None)
    if target is None or target.b is None:
        raise Mistake(f"table {table} does not play in round {number}")
    if archive.orders.started(number):
        raise Mistake(f"round {number} has its start already: nobody changes places now")
    if a == b:
        raise Mistake("nobody plays against themselves")
    after = dict(before)
    for seat, player in (("a", a), ("b", b)):
        _seat(after, target.pairing, seat, People(archive).get(player))
    changed = [one for key, one in after.items() if one != before[key]]
    with archive.transaction():
        archive.roster.seat(changed)
        archive.notices.add("paired anew", f"round {number}, table {table}: {a} - {b}", author, unix_ms)
    station.collector.refresh()  # the names that boards ask for
    told = [one.table for one in changed if archive.orders.latest(number, one.table or 0, intents.SET_ROUND)]
    return [order for one in sorted(told) for order in _tell(station, number, one, author)]


def _seat(places, pairing, seat, person):
    """Put a Person on a seat; who sat there takes the place that this leaves, if there was one."""
    if person.dropped:
        raise Mistake(f"player {person.player.number} has dropped")
    displaced = getattr(places[pairing], seat)
    if displaced.number == person.player.number:
        return
    for key, one in places.items():
        for other in "ab":
            sitting = getattr(one, other)
            if sitting is not None and sitting.number == person.player.number:
                places[key] = replace(one, **{other: displaced})
    places[pairing] = replace(places[pairing], **{seat: person.player})


def _tell(station, number, table, author):
    roster, now_ms = station.archive.roster, station.collector.now_ms
    form, pairing = roster.format_of(number), roster.pairing_at(number, table)
    sets = (
        (intents.SET_ROUND, now_ms, number, table, pairing.pairing),
        (intents.SET_FORMAT, now_ms, form.system, form.bits, form.minutes),
    )
    return [station.collector.ask(number, table, intent, author=author, reason="paired anew") for intent in sets]
