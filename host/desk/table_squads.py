"""What a table's board is told of its squads (XW15): the round's totals and a mirror match.

The board says who decides the initiative: the player with the lower total, or a toss (rules X4);
and that players of the same faction choose ID colours (rules X6).
"""

from firmware.core import intents
from firmware.core.intents import SetSquads
from host.archive.store import Archive
from host.event import event_systems, squad_lists
from host.systems import catalogue


def of_round(archive: Archive, round_number: int, now_ms: int) -> dict[int, SetSquads]:
    """Return the SET_SQUADS of each match of a stored round by its pairing's number.

    There is none under a system without squads, nor while one of the two lists lacks. The totals
    are those of the players as paired, wherever they sit.
    """
    form = archive.roster.format_of(round_number)
    if form is None:
        return {}
    _, rules = catalogue.numbered(event_systems.of(archive), form.system)
    if rules is None or not rules.CAPS:
        return {}
    lists, told = squad_lists.of(archive), {}
    for one in archive.roster.pairings_of(round_number):
        first = lists.get(one.a.number)
        second = lists.get(one.b.number) if one.b else None
        if first is not None and second is not None:
            mirror = squad_lists.same_faction(first, second)
            a, b = (sum(squad.flown_in(round_number)) for squad in (first, second))
            told[one.pairing] = intents.SetSquads(now_ms, int(mirror), 0, a, b)
    return told
