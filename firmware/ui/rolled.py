"""The lines about a match's rolls (``recall``), loaded on demand."""

from firmware.core import events
from firmware.ui import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.core.types import Event, Log
    from firmware.ui.types import Face

    Line = Callable[[Face, int, Event], str]

_ROLLED = 39  # text rolled_1
_UNTIL = 255


def lines(log: "Log", screens: "Face", line: "Line") -> list[str]:
    """Return a line for each roll, newest first; ``line(screens, number, event)`` says a text."""
    found: list[str] = []
    for place in range(log.first, log.end):
        kind = log.kind(place)
        if kind == events.ROLLED:
            event = log.told(place)
            found.insert(0, "%d  %s" % (event[4], _rolled(screens, line, event)))
        elif kind == events.ROLL_AGREED and found and log.told(place)[3] == 2:
            found[0] += " \x04"
    return found


def _rolled(screens, line, event):
    face, many = event[3] & 255, event[3] >> 8
    if many == _UNTIL:
        return line(screens, _ROLLED + 4, (0, 0, 0, face, 0))
    if many:
        return line(screens, _ROLLED + 3, (0, 0, 0, facts.heads(face), many))
    if event[2] & 15:
        return str(face)
    return line(screens, _ROLLED + face - 1, event)
