"""The lines about a match's rolls (``recall``), loaded on demand."""

from firmware.core import events
from firmware.ui import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Ledger, Log
    from firmware.ui.types import Face, Saying, Words

_ROLLED = 39  # text rolled_1
_UNTIL = 255


def places(log: "Log") -> list[int]:
    """Return the places of a match's rolls, oldest first."""
    return [place for place in range(log.first, log.end) if log.kind(place) == events.ROLLED]


def line(
    ledger: "Ledger", place: int, screens: "Face", words: "Words", now_ms: int, say: "Saying"
) -> str:
    """Return the line about a roll; ``say(screens, words, number, event)`` says a text."""
    log = ledger.journal
    event = log.told(place)
    return "%d  %s%s" % (event[4], _rolled(screens, words, say, event), _agreed(log, place))


def _agreed(log, place):
    """Return what shows that both have agreed to a roll, before the next one."""
    for later in range(place + 1, log.end):
        kind = log.kind(later)
        if kind == events.ROLLED:
            break
        if kind == events.ROLL_AGREED and log.told(later)[3] == 2:
            return " \x04"
    return ""


def _rolled(screens, words, line, event):
    face, many = event[3] & 255, event[3] >> 8
    if many == _UNTIL:
        return line(screens, words, _ROLLED + 4, (0, 0, 0, face, 0))
    if many:
        return line(screens, words, _ROLLED + 3, (0, 0, 0, facts.heads(face), many))
    if event[2] & 15:
        return str(face)
    return line(screens, words, _ROLLED + face - 1, event)
