"""Facts and words for the screens of a draft that this board conducts (``core.draft``).

Loaded only for a draft.
"""

from firmware.core import draft
from firmware.core.match import JUDGE_IS_HERE
from firmware.ui import fact, facts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Draft, Match
    from firmware.ui.types import Words

PHASE = 13  # the first phase of a draft, after those of a table
MOST_CARDS = 255
_SHOWN = 3  # the most marks of the pick clock


def seconds(pod: "Draft", now_ms: int) -> int:
    """Return the running clock's remaining time in whole seconds, 0 without a clock."""
    left_ms = pod.remaining_ms(now_ms)
    return 0 if left_ms is None else max(0, (left_ms + 999) // 1000)


def facts_of(news: bytearray, pod: "Draft", match: "Match", three: bool, pending: int = 0) -> None:
    """Write the facts of a draft into ``news``: an idle table's, the judge's call, the draft's."""
    facts.clear(news)
    news[fact.THREE] = three
    news[fact.KEYED] = news[fact.SEATED] = news[fact.IDLE] = True
    news[fact.CALLED], news[fact.VISIT] = match.call is not None, pending >> 2
    news[fact.HERE] = match.call == JUDGE_IS_HERE
    news[fact.POD_LEFT] = bool(pod.clockwise)
    news[fact.POD_MISSED] = bool(pod.missed)
    news[fact.POD_HALTED] = pod.halted_ms is not None
    news[fact.POD_BOOSTER] = pod.kind == draft.BOOSTER
    news[fact.POD_TAKEN] = pod.last is not None
    news[fact.POD_BUILT] = pod.built
    news[fact.POD_PASSING] = pod.phase == draft.PICKING and pod.kind == draft.BOOSTER


def words(said: "Words", pod: "Draft", left_s: int) -> None:
    """Write the words of a draft into ``said``: pick %k of %g, pack %r of group %t, active seat %e.

    The turn marks show the seconds left of a pick.
    """
    said[word.TABLE], said[word.ROUND], said[word.GAMES] = pod.group, pod.pack, pod.cards
    said[word.TURN], said[word.TURNS] = (
        min(left_s, _SHOWN),
        min(_SHOWN, (pod.pick_ms + 999) // 1000),
    )
    said[word.EXTENSION], said[word.GAME] = pod.active, pod.index + 1
