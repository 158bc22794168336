"""Lines about earlier events: the last presses with their times, the last rolls (``rolled``), a
judge's act.

Loaded on demand.
"""

from firmware.core import events
from firmware.ui import facts, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Ledger
    from firmware.ui.types import Face, Words

PRESSES = 0
ROLLS = 1
ACT = 2  # what a judge can take back
LINES = 4
_DID = 23  # text did_20: of the presses
_ACTED = 449  # text acted_23
_NONE = 272  # text undo_none


def lines(what: int, page: int, ledger: "Ledger", screens: "Face", now_ms: int) -> list[str]:
    """Return four lines, newest first; a ``page`` beyond the last shows the first."""
    if what == ACT:
        found = [_act(ledger.journal, screens)]
    else:
        found = _presses(ledger, screens, now_ms) if what == PRESSES else _rolls(ledger, screens)
    pages = max(1, (len(found) + LINES - 1) // LINES)
    at = page % pages * LINES
    return (found[at : at + LINES] + [""] * LINES)[:LINES]


def _line(screens, number, event, shape=""):
    words: "Words" = [0] * word.COUNT
    words[word.ENTERED], words[word.ENTERED_TOO], words[word.SEAT] = event[3], event[4], shape
    return screens.line(number, words)


def _act(journal, screens):
    from firmware.core import judging

    place = judging.last(journal)
    number = _NONE if place is None else _ACTED + judging.ACTS.find(bytes((journal.kind(place),)))
    return _line(screens, number, (0, 0, 0, 0, 0))


def _presses(ledger, screens, now_ms):
    from firmware.core import takeback

    found = []
    journal = ledger.journal
    for place in takeback.presses(journal):
        event = journal.told(place)
        kind, at_ms, a, _, _ = event
        number = _DID + kind - (20 if kind < 30 else 26)
        ago_s = max(0, now_ms - at_ms) // 1000
        said = _line(screens, number, event, _who(ledger.match, kind, a))
        found.insert(0, "\x05%d:%02d  %s" % (ago_s // 60, ago_s % 60, said))
    return found


def _who(match, kind, a):
    """Return the players of a press: shapes, or seats of a team; for WIPED_OUT all that are out."""
    if kind == events.WIPED_OUT:
        if match.team:
            return " ".join([facts.team_seat(match, i) for i in range(4) if a >> i & 1])
        return "".join([facts.SHAPES[i] for i in (0, 1) if a >> i & 1])
    if match.team and kind in (events.TURN_STARTED, events.TURN_ENDED):
        return facts.team_seat(match, a)
    return facts.SHAPES[a & 1]


def _rolls(ledger, screens):
    from firmware.ui import rolled

    return rolled.lines(ledger.journal, screens, _line)
