"""Turns gestures into intents, beyond what the screen's row defines (``face``)."""

from firmware.core import events, intents
from firmware.ui import face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match
    from firmware.ui.types import Asked, Face

HALF_MS = 10000  # the time in which both seats must request an act of both
BRIEF_MS = 15000  # without a press, until an opened screen closes: it hides the clock
_BOTH = bytes((intents.REOPEN_RESULT, intents.TAKE_BACK))


class Hand:
    """Turns gestures into intents; ``half`` is the only seat (1, 2) that requested an act of
    both. What nobody goes on with expires.
    """

    def __init__(self, screens: "Face"):
        self.face = screens
        self.half = self._kind = self._until_ms = self._pressed_ms = 0

    def asked(self, gesture: int, match: "Match", uptime_ms: int) -> "tuple[Asked, ...]":
        """Return the intents ``(kind, a, b, c)`` of a gesture, in order."""
        self._pressed_ms = uptime_ms
        asked = self.face.update(gesture)
        if not asked:
            return ()
        kind, a, b, c = asked
        if kind == face.AGAIN:
            return (_again(match, a),)
        if kind == intents.END_TURN and not match.turning:  # no press begins a turn
            return (intents.START_TURN, a if match.seat is None else match.seat, 0, 0), asked
        if kind in _BOTH and a in (1, 2):
            return self._half(asked, uptime_ms)
        return (asked,)

    def _half(self, asked: "Asked", uptime_ms: int) -> "tuple[Asked, ...]":
        kind, a, b, c = asked
        if self.half == 3 - a and self._kind == kind:
            self.half = 0
            self.face.go(face.HOME)
            return ((kind, 3, b, c),)
        self.half, self._kind, self._until_ms = a, kind, uptime_ms + HALF_MS
        return ()

    def expired(self, uptime_ms: int) -> bool:
        """Return True once when the other seat did not request the act in time, or an opened screen
        is to close.
        """
        due_ms = self.due_ms
        if due_ms is None or uptime_ms < due_ms:
            return False
        if not self.half:
            self.face.close_opened()
        self.half = 0
        return True

    @property
    def due_ms(self) -> int | None:
        """When something will have expired (uptime), or None."""
        if self.half:
            return self._until_ms
        return self._pressed_ms + BRIEF_MS if self.face.brief else None


def _again(match: "Match", by: int) -> "Asked":
    """Return the intent by which this seat enters the same as the other seat."""
    told = match.told
    assert told is not None
    state = told[0] == events.STATE_TOLD
    kind = intents.TELL_STATE if state else intents.TELL_TURN
    return kind, told[2] & 15 | by, told[3], told[4]
