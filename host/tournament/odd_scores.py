"""Scores that no choice of ships can give with the submitted squads (XW15 Condotta Antisportiva).

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
    squads = [lists.get(player.number) if player else None for player in (pairing.a, pairing.b)]
    a, b = (squad and squad.flown_in(pairing.round) for squad in squads)
    return xwing_setup.oddities(destroyed, (a, b), cap)


def of_rounds(rounds: Sequence[Round], lists: Lists) -> list[Sentence]:
    """Return a Sentence on every odd score of an event's rounds."""
    sentences = []
    for played in rounds:
        caps = played.rules.CAPS if played.rules else ()
        for score in played.scores if caps else ():
            if score.result is None or score.result.destroyed is None:
                continue
            cap = caps[min(played.number, len(caps)) - 1]
            place = {"number": played.number, "table": score.pairing.table}
            sentences += [
                Sentence("round {number}, table {table}: {odd}", **place, odd=odd)
                for odd in of_pairing(score.pairing, score.result.destroyed, lists, cap)
            ]
    return sentences
