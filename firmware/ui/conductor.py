"""What the face is told of a draft that this board conducts (``core.draft``).

Loaded only for one.
"""

from firmware.core import draft
from firmware.ui import fact, facts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Draft, Match
    from firmware.ui.types import Words

PHASE = 13  # a draft's phases follow the table's
MOST_CARDS = 255
_SHOWN = 3  # marks there are for the pick clock


def seconds(pod: "Draft", now_ms: int) -> int:
    """Return what is left of the running clock in whole seconds, 0 without one."""
    left_ms = pod.remaining_ms(now_ms)
    return 0 if left_ms is None else max(0, (left_ms + 999) // 1000)


def facts_of(news: bytearray, pod: "Draft", match: "Match", three: bool) -> None:
    """Write the facts of a draft: those of an idle table, whether a judge is called, and
    its own.
    """
    facts.clear(news)
    news[fact.THREE] = three
    news[fact.KEYED] = news[fact.SEATED] = news[fact.IDLE] = True
    news[fact.CALLED] = match.call is not None
    news[fact.HERE] = match.call == facts.HERE
    news[fact.POD_LEFT] = bool(pod.clockwise)
    news[fact.POD_MISSED] = bool(pod.missed)
    news[fact.POD_HALTED] = pod.halted_ms is not None
    news[fact.POD_BOOSTER] = pod.kind == draft.BOOSTER
    news[fact.POD_TAKEN] = pod.last is not None
    news[fact.POD_PASSING] = pod.phase == draft.PICKING and pod.kind == draft.BOOSTER


def words(said: "Words", pod: "Draft", left_s: int) -> None:
    """Write the templates' words: %k pick of %g, %r pack of group %t, %e Active; marks of
    seconds.
    """
    said[word.TABLE], said[word.ROUND], said[word.GAMES] = pod.group, pod.pack, pod.cards
    said[word.TURN], said[word.TURNS] = (
        min(left_s, _SHOWN),
        min(_SHOWN, (pod.pick_ms + 999) // 1000),
    )
    said[word.EXTENSION], said[word.GAME] = pod.active, pod.index + 1
