"""Who decides who plays first in the next game (P18 9.1, 10; D03 213; rules P16, P21, P22, D3, D4).

A system's ``FIRST`` is three letters, for the first game, after a game won and after a drawn one:
``f`` a flip decides, ``c`` the winner of a toss or other random method chooses, ``l`` the loser
chooses, ``d`` who chose last time chooses again, ``o`` who did not, ``?`` the text is silent.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from host.systems.rules import Rules

FLIP, TOSS, ASK = "flip", "toss winner", "ask"
_HOW = {"f": FLIP, "c": TOSS, "?": ASK}


@dataclass(frozen=True)
class Game:
    """A game that is over: ``won`` by "A" or "B" (None: drawn), and who ``chose`` its first player.

    How it was won does not matter: a game lost by a penalty is a lost game.
    """

    won: str | None
    chose: str | None = None


def who(rules: Rules, games: Sequence[Game], tiebreaker: bool = False) -> str | None:
    """Return who decides before the next game: ``flip``, ``toss winner``, "A", "B" or ``ask``.

    None if the system has no first player. A Tiebreaker Game starts with a flip (P18 9.1).
    """
    if not rules.FIRST:
        return None
    if tiebreaker:
        return FLIP
    letter = rules.FIRST[0 if not games else 1 if games[-1].won else 2]
    if letter == "l":
        return "B" if games[-1].won == "A" else "A"
    if letter == "d":
        return games[-1].chose or ASK
    if letter == "o":
        return {"A": "B", "B": "A"}.get(games[-1].chose or "", ASK)
    return _HOW[letter]
