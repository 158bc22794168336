"""Checks a judge's ruling: refuses an impossible result, and questions an unusual one.

Refused: every result that the board would refuse, and a winner if the other player has won enough
games. Questioned: results that a concession, a late player or a penalty may cause (P18 9.2, XW15),
and a tie with unequal games.
"""

from firmware.core import outcome
from host.base.errors import UserError
from host.base.sentences import Sentence

_WON = {"A": 0, "B": 1}
_SHAPES = "▲●"
_POINTS_QUESTION = "{who} with {a}–{b} points destroyed?"

Numbers = tuple[int, int]
"""Games won by A and by B; the points that each destroyed if the system counts those."""


def check(bits: int, won: str, games: Numbers, most: int, cap: int = 0) -> None:
    """Raise UserError for an impossible ruling.

    ``bits``: of the format; ``won``: ``"A"``, ``"B"`` or ``"tie"``; ``games``: won by A and B, out
    of ``most``. With a ``cap`` (above 0), ``games`` are the points destroyed, at most ``cap``.
    """
    if cap:
        if max(games) > cap:
            refusal = "a squad has {cap} points in this round: type both numbers again"
            raise UserError(refusal, cap=cap)
        games, most = (0, 0), 1  # the numbers were points: of games there is nothing to check
    need, (a, b) = most // 2 + 1, games
    if max(games) > need or a + b > most:
        raise UserError(
            "{a}–{b} games cannot be in a best of {most}: type the games that each won",
            a=a,
            b=b,
            most=most,
        )
    if won == "tie" and bits & 1:
        raise UserError("an elimination has a winner: rule one")
    winner = outcome.winner_of(games) - 1
    if max(games) == need and _WON.get(won) != winner:
        raise UserError(
            "at {a}–{b} games {seat} has won: rule that, or other games",
            a=a,
            b=b,
            seat=_SHAPES[winner],
        )


def question(bits: int, won: str, games: Numbers, most: int, cap: int = 0) -> Sentence | None:
    """Return the question to ask before an unusual ruling, or None. Raises like ``check``."""
    check(bits, won, games, most, cap)
    a, b = games
    usual = won == outcome.NAMES[outcome.winner_of(games)]
    if usual or (most == 1 and not cap):  # without a cap a single game has no numbers
        return None
    if won == "tie":
        if cap:
            return Sentence(_POINTS_QUESTION, who=Sentence("a tie"), a=a, b=b)
        return Sentence("A tie with {a}–{b} games?", a=a, b=b)
    seat = _SHAPES[_WON[won]]
    if cap:
        return Sentence(_POINTS_QUESTION, who=Sentence("{seat} wins", seat=seat), a=a, b=b)
    text = "{seat} wins at {a}–{b} games: by a concession, a late player or a penalty?"
    return Sentence(text, seat=seat, a=a, b=b)
