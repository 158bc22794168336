"""Scores that no choice of ships can give, by the squads that were handed in (XW15 Condotta
Antisportiva).

They are shown to staff, who ask at the table; nobody is accused.
"""

from collections.abc import Mapping, Sequence

from host.archive.roster import Pairing
from host.base.sentences import Sentence
from host.event.scores import Round
from host.event.squad_lists import SquadList
from host.tournament import xwing_setup

Lists = Mapping[str, SquadList]
"""The squad lists by player number."""


def of_pairing(
    pairing: Pairing, destroyed: tuple[int, int], lists: Lists, cap: int
) -> list[Sentence]:
    """Return what is odd about the points that each player of a pairing destroyed."""
    told = [lists.get(one.number) if one else None for one in (pairing.a, pairing.b)]
    a, b = (one and one.flown_in(pairing.round) for one in told)
    return xwing_setup.oddities(destroyed, (a, b), cap)


def of_rounds(rounds: Sequence[Round], lists: Lists) -> list[Sentence]:
    """Return a Sentence on every odd score of an event's rounds."""
    found = []
    for one in rounds:
        caps = one.rules.CAPS if one.rules else ()
        for score in one.scores if caps else ():
            if score.result is None or score.result.destroyed is None:
                continue
            cap = caps[min(one.number, len(caps)) - 1]
            place = {"number": one.number, "table": score.pairing.table}
            found += [
                Sentence("round {number}, table {table}: {odd}", **place, odd=odd)
                for odd in of_pairing(score.pairing, score.result.destroyed, lists, cap)
            ]
    return found
