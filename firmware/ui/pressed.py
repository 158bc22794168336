"""The lines about a match's last presses (``recall``), with their times, loaded on demand."""

from firmware.core import events, takeback
from firmware.ui import facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Ledger, Log
    from firmware.ui.types import Face, Saying, Words

_DID = 23  # text did_20


def places(log: "Log") -> list[int]:
    """Return the places of the last presses in force, oldest first."""
    return takeback.presses(log)


def line(
    ledger: "Ledger", place: int, screens: "Face", words: "Words", now_ms: int, say: "Saying"
) -> str:
    """Return the line about a press; ``say(screens, words, number, event, shape)`` says a text."""
    event = ledger.journal.told(place)
    kind, at_ms, a, _, _ = event
    number = _DID + kind - (20 if kind < 30 else 26)
    ago_s = max(0, now_ms - at_ms) // 1000
    said = say(screens, words, number, event, _who(ledger.match, kind, a))
    return "\x05%d:%02d  %s" % (ago_s // 60, ago_s % 60, said)


def _who(match, kind, a):
    """Return the players of a press: shapes, or seats of a team; for WIPED_OUT all that are out."""
    if kind == events.WIPED_OUT:
        if match.team:
            return " ".join([facts.team_seat(match, i) for i in range(4) if a >> i & 1])
        return "".join([facts.SHAPES[i] for i in (0, 1) if a >> i & 1])
    if match.team and kind in (events.TURN_STARTED, events.TURN_ENDED):
        return facts.team_seat(match, a)
    return facts.SHAPES[a & 1]
