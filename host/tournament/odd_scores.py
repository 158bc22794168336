"""Scores that no choice of ships can give with the submitted squads (XW15 Condotta Antisportiva).

They are shown to staff, who ask at the table; nobody is accused.
"""

from collections.abc import Mapping, Sequence

from host.archive.roster import Pairing, Player
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
    squads = [
        _squad(lists, player, pairing.round) if player else None
        for player in (pairing.a, pairing.b)
    ]
    return xwing_setup.oddities(destroyed, (squads[0], squads[1]), cap)


def _squad(lists: Lists, player: Player, round_number: int) -> Sequence[int] | None:
    """Return the ship values of a player's squad in a round, None without a list."""
    squad_list = lists.get(player.number)
    return squad_list.flown_in(round_number) if squad_list else None


def of_rounds(rounds: Sequence[Round], lists: Lists) -> list[Sentence]:
    """Return a Sentence on every odd score of an event's rounds."""
    sentences = []
    for played in rounds:
        if played.rules is None or not played.rules.CAPS:
            continue
        caps = played.rules.CAPS
        cap = caps[min(played.number, len(caps)) - 1]  # the last one stays in later rounds
        for score in played.scores:
            if score.result is None or score.result.destroyed is None:
                continue
            place = {"number": played.number, "table": score.pairing.table}
            sentences += [
                Sentence("round {number}, table {table}: {odd}", **place, odd=odd)
                for odd in of_pairing(score.pairing, score.result.destroyed, lists, cap)
            ]
    return sentences
