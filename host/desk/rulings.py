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
        games, most = (0, 0), 1
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
    if cap:
        if won == outcome.NAMES[outcome.winner_of(games)]:
            return None
        who = Sentence("{seat} wins", seat=_SHAPES[_WON[won]]) if won in _WON else Sentence("a tie")
        return Sentence("{who} with {a}–{b} points destroyed?", who=who, a=a, b=b)
    if most == 1:
        return None
    if won == "tie":
        return Sentence("A tie with {a}–{b} games?", a=a, b=b) if a != b else None
    seat = _WON[won]
    if games[seat] > games[1 - seat]:
        return None
    return Sentence(
        "{seat} wins at {a}–{b} games: by a concession, a late player or a penalty?",
        seat=_SHAPES[seat],
        a=a,
        b=b,
    )
