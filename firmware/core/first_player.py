"""Who decides who plays first in the next game (P18 9.1, 10; D03 213; rules P16, P21, P22, D3, D4).

A system's ``FIRST`` is three letters, for the first game, after a game won and after a drawn one:
``f`` a flip decides, ``c`` the winner of a toss or other random method chooses, ``l`` the loser
chooses, ``d`` who chose last time chooses again, ``o`` who did not, ``?`` the text is silent.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match

NOBODY = 0  # the system has no first player
# 1 and 2: seat 0, seat 1 chooses
FLIP = 3
TOSS = 4
ASK = 5
# how the last game ended: 0 there was none, 1 and 2 that seat won it
DRAWN = 3
OVER = 4  # in a way that the board was not told


def who(first: str, last: int, chose: int) -> int:
    """Return who decides; ``last``: how the last game ended, also by a penalty; ``chose``: who
    decided before it (1, 2, or 0: nobody knows).
    """
    if not first:
        return NOBODY
    letter = _letter(first, last)
    if letter == "l" and last < DRAWN:
        return 3 - last
    if letter == "d" and chose:
        return chose
    if letter == "o" and chose:
        return 3 - chose
    return {"f": FLIP, "c": TOSS}.get(letter, ASK)


def _letter(first, last):
    """Return the letter of ``FIRST`` for how the last game ended."""
    first_game, after_won, after_drawn = first
    if last == 0:
        return first_game
    return after_drawn if last == DRAWN else after_won


def of(match: "Match") -> int:
    """Return who decides before a match's next game; a Tiebreaker Game begins with a flip (9.1)."""
    first = match.rules.FIRST
    if first and match.tiebreaker:
        return FLIP
    last, chose = _last_game(match)
    return who(first, last, chose)


def by_choice(match: "Match") -> bool:
    """Return whether a player chooses, so that nothing is tossed; the board need not know who."""
    first = match.rules.FIRST
    if not first or match.tiebreaker:
        return False
    last, _ = _last_game(match)
    return last != 0 and _letter(first, last) in "ldo"  # loser, decider, other


def _last_game(match):
    """Return how the last game ended, and who chose before it, as ``who`` takes them."""
    winner = 0 if match.won is None else 1 + match.won  # of the last game that was won
    loser_chooses = match.rules.FIRST[1:] == "ld"  # and again after drawn games
    chose = 3 - winner if winner and loser_chooses else 0
    if match.drawn:
        return DRAWN, chose
    if winner:
        return winner, chose
    return OVER if max(match.score) else 0, 0
