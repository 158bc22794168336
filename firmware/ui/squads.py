"""Facts and words of an X-Wing table's squads: who decides the initiative, and a mirror match.

Pure; loaded once the desk has told the squads.
"""

from firmware.core import luck, phases
from firmware.ui import fact, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match
    from firmware.ui.types import Words

_SHAPES = ("\x01", "\x02")


def facts_of(facts: bytearray, match: "Match") -> None:
    """Write what the squads and the tosses have decided."""
    decides, picks = luck.initiative(match), match.tossed >> 2
    facts[fact.DECIDED] = decides < luck.TOSS
    facts[fact.LEVEL] = decides == luck.TOSS
    facts[fact.MIRROR] = match.mirror and not picks
    facts[fact.PICKS_A] = picks and picks - 1 == match.swapped
    facts[fact.PICKS_B] = picks and picks - 1 != match.swapped


def words_of(said: "Words", match: "Match") -> None:
    """Write who decides the initiative, as whoever is to play, and the totals, the lower first."""
    assert match.squads is not None
    decides = luck.initiative(match)
    if decides < luck.TOSS:
        seat = decides - 1 ^ match.swapped
        short = match.phase == phases.PREGAME  # one line, below the clock
        said[word.TO_PLAY] = _SHAPES[seat] if short else said[word.ONE + seat]
    first, second = match.squads
    sign = "=" if first == second else "<"
    said[word.RECALLED + 4] = "%d %s %d" % (min(first, second), sign, max(first, second))
