"""Lines about earlier events: the last presses (``pressed``), the last rolls (``rolled``), a
judge's act.

Loaded on demand.
"""

from firmware.core import judging
from firmware.ui import pressed, rolled, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Ledger
    from firmware.ui.types import Face, Words

PRESSES = 0
ROLLS = 1
ACT = 2  # what a judge can take back
LINES = 4
_ACTED = 448  # text acted_23
_NONE = 272  # text undo_none


def lines(
    what: int, page: int, ledger: "Ledger", screens: "Face", words: "Words", now_ms: int
) -> list[str]:
    """Return four lines, newest first; a ``page`` beyond the last shows the first. Some of the
    ``words`` are overwritten: an evening's last memory may be needed here.
    """
    journal = ledger.journal
    if what == ACT:
        return [_act(journal, screens, words)] + [""] * (LINES - 1)
    if what == PRESSES:
        places, line = pressed.places(journal), pressed.line
    else:
        places, line = rolled.places(journal), rolled.line
    end = len(places) - page % max(1, (len(places) + LINES - 1) // LINES) * LINES
    found = [""] * LINES
    for at in range(min(end, LINES)):
        found[at] = line(ledger, places[end - 1 - at], screens, words, now_ms, _line)
    return found


def _line(screens, words, number, event, shape=""):
    words[word.ENTERED], words[word.ENTERED_TOO], words[word.SEAT] = event[3], event[4], shape
    return screens.line(number, words)


def _act(journal, screens, words):
    place = judging.last(journal)
    number = _NONE if place is None else _ACTED + judging.ACTS.find(bytes((journal.kind(place),)))
    return _line(screens, words, number, (0, 0, 0, 0, 0))
