"""XW15 before the first ship moves: obstacles, who may play, and odd scores afterwards.

Sources: XW15 Formazione delle Squadriglie, Procedura di Schieramento, Partecipazione
dell'Organizzatore, Condotta Antisportiva. The board decides about initiative and ID colours
(``firmware.core.luck``), and whose turn it is to place an obstacle (``firmware.core.play``).
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from host.base.sentences import Sentence

# the tokens a player may bring, by the names that squad builders write (XWS): six asteroids of the
# core set, three debris clouds each of the YT-2400 and the VT-49 Decimator
_SOURCES = (("coreasteroid", 6), ("yt2400debris", 3), ("vt49decimatordebris", 3))
OBSTACLES = tuple(f"{source}{number}" for source, count in _SOURCES for number in range(count))
OBSTACLES_EACH = 3
OBSTACLE_NAMES = "coreasteroid0 to 5, yt2400debris0 to 2, vt49decimatordebris0 to 2"


def obstacle_faults(names: Sequence[str]) -> list[Sentence]:
    """Return sentences on a player's obstacles (names as in ``OBSTACLES``) that the text does not
    allow.
    """
    sentences = [
        Sentence("{name!r} is no obstacle: {names}", name=name, names=OBSTACLE_NAMES)
        for name in names
        if name not in OBSTACLES
    ]
    sentences += [
        Sentence("{name} is there twice: three different obstacles", name=name)
        for name, count in Counter(names).items()
        if count > 1
    ]
    if len(names) != OBSTACLES_EACH:
        sentences.append(
            Sentence.counted(
                "one obstacle: exactly {each}",
                "{count} obstacles: exactly {each}",
                count=len(names),
                each=OBSTACLES_EACH,
            )
        )
    return sentences


def organiser_may_play(category: str, second_announced: bool) -> bool:
    """Return whether the organiser may play: never at premier, else if a second one was
    announced.
    """
    return category != "premier" and second_announced


def judge_may_play(category: str) -> bool:
    """Return whether somebody may both judge and play: at all events but premier."""
    return category != "premier"


def oddities(
    destroyed: tuple[int, int], squads: tuple[Iterable[int] | None, Iterable[int] | None], cap: int
) -> list[Sentence]:
    """Return Sentences about scores that are impossible by the squad lists; they accuse nobody.

    ``destroyed``: by a and by b; ``squads``: a's and b's ship values (None: no list); ``cap``: the
    round's squad points. A side can only have destroyed whole ships of the other, so its number is
    a sum of some of their values.
    """
    sentences = []
    for side, number, ships in zip("▲●", destroyed, (squads[1], squads[0]), strict=True):
        if number > cap:
            text = "{side} destroyed {points} points: more than the round allows"
            sentences.append(Sentence(text, side=side, points=number))
        elif ships is not None and number not in _sums(ships):
            one = "{side} destroyed one point: no choice of the other's ships is worth that"
            several = (
                "{side} destroyed {count} points: no choice of the other's ships is worth that"
            )
            sentences.append(Sentence.counted(one, several, count=number, side=side))
    return sentences


def _sums(values):
    """Return every sum of some of ``values``."""
    sums = {0}
    for value in values:
        sums |= {total + value for total in sums}
    return sums
