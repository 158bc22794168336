"""Rounds with results, made without boards: what standings and drafts are reckoned from."""

from host.archive.roster import Format, Pairing, Player
from host.event.match_results import AGREED, Result
from host.event.scores import Round, Score

SYSTEMS = ("p18", "d03", "xw15")


def player(number):
    return Player(str(number), f"Name {number}")


def score(round_number, place, a, b, outcome="A", games=(2, 0), **more):
    """Return a Score; ``b`` None is a bye, ``outcome`` None an open match."""
    pairing = Pairing(round_number, place, None if b is None else place, player(a), b and player(b))
    if b is None or outcome is None:
        return Score(pairing, None)
    return Score(
        pairing, Result(round_number, place, outcome, games, None, AGREED, 0, False, **more)
    )


def a_round(number, *matches, system="p18", elimination=False):
    scores = tuple(score(number, place, *match) for place, match in enumerate(matches, 1))
    form = Format(SYSTEMS.index(system), 6 | elimination, 50)
    return Round(number, system, form, scores)
