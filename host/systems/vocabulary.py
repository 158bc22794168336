"""The words that a system's TOML file uses for the numbers in its table (docs/systems.md).

Each table is ``(word, number)``; the numbers are those of ``firmware.core``.
"""

from firmware.core import intents, luck, phases
from host.systems.value_checks import Number, Words

FIRST = (
    ("flip", "f"),
    ("toss_winner", "c"),
    ("loser", "l"),
    ("who_chose_last", "d"),
    ("other_side", "o"),
    ("ask", "?"),
)
FROM_PAIRING = "from_pairing"  # in place of seconds of set-up
ANY = "any"  # in place of minutes of slack
SIDES = (("A", 0), ("B", 1))
AFTER = (("overtime", phases.OVERTIME), ("finishing", phases.FINISHING))
ASKED = (("score", phases.SCORE), ("starter", phases.STARTER), ("turn", phases.TURN))
PLAYS = tuple(
    (name.lower(), getattr(intents, name))
    for name in (
        "SET_STARTER", "START_TURN", "END_TURN", "WIN_GAME", "LEVEL_GAME", "COUNT_PRIZES",
        "ADJUST_PRIZES", "CLAIM_RESULT", "COUNT_DESTROYED", "WIPE_OUT",
    )
)  # fmt: skip
RANDOMIZERS = (
    ("coin", luck.COIN),
    ("d6", luck.D6),
    ("attack", luck.ATTACK),
    ("defence", luck.DEFENCE),
)
PURPOSES = (
    ("first_player", luck.FIRST_PLAYER), ("card", luck.CARD), ("initiative", luck.INITIATIVE),
    ("colours", luck.COLOURS), ("combat", luck.COMBAT),
)  # fmt: skip
NEEDS = (("switch", luck.SWITCH), ("consent", luck.CONSENT), ("informal", luck.INFORMAL))
# a tree's rows in order, each ``(word, situation)``
SITUATIONS = tuple(
    (name.lower(), getattr(phases, name))
    for name in (
        "LAST", "BETWEEN", "LEVEL", "HALTED", "UNSTARTED", "EXTRA", "WON", "TIED", "EVEN", "LEFT",
        "WIPED",
    )
)  # fmt: skip
# the verdicts in a tree's cells, and their letters in the table
VERDICTS = (
    ("tie", "t"),
    ("leader", "l"),
    ("winner", "w"),
    ("leader_or_tie", "m"),
    ("prizes_or_play_on", "p"),
    ("prizes_or_tie", "d"),
    ("prizes_or_ask", "q"),
    ("more_prizes_or_play_on", "P"),
    ("more_prizes_or_tie", "D"),
    ("more_prizes_or_ask", "Q"),
    ("tiebreaker", "g"),
    ("tiebreaker_as_even", "G"),
    ("score", "s"),
    ("other", "c"),
    ("ask", "?"),
    ("ask_always", "!"),
    ("on", "o"),
    ("none", "-"),
)
TREES = ("swiss_bo1", "swiss_bo3", "elimination_bo1", "elimination_bo3", "team")
WORTH = ("win", "narrow", "draw", "loss")
BY_GAME = "game"  # points for each game won, in addition to the match's
UNKNOWN = 255


def number_of(table: Words[Number], word: str) -> Number:
    """Return the number for ``word``. Raises KeyError if the table lacks it."""
    return dict(table)[word]


def word_of(table: Words[Number], number: Number) -> str:
    """Return the word for ``number``. Raises KeyError if the table lacks it."""
    return {value: word for word, value in table}[number]


def words_of(table: Words[int], bits: int) -> list[str]:
    """Return the words whose numbers are masks of bits set in ``bits``."""
    return [word for word, number in table if bits & number]


def places_of(table: Words[int], bits: int) -> list[str]:
    """Return the words whose numbers are positions of bits set in ``bits``."""
    return [word for word, number in table if bits >> number & 1]
