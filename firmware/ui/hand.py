"""What a gesture asks of the table, beyond what its screen's row says (``face``)."""

from firmware.core import events, intents
from firmware.ui import face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match
    from firmware.ui.types import Asked, Face

HALF_MS = 10000  # what both seats must ask, they ask one after the other within this time
_BOTH = bytes((intents.REOPEN_RESULT, intents.TAKE_BACK))


class Hand:
    """Turns gestures into intents; ``half`` is the seat (1, 2) that alone asked for an
    act of both.
    """

    def __init__(self, screens: "Face"):
        self.face = screens
        self.half = self._kind = self._until_ms = 0

    def asked(self, gesture: int, match: "Match", uptime_ms: int) -> "tuple[Asked, ...]":
        """Return the intents ``(kind, a, b, c)`` that a gesture comes to, in order."""
        asked = self.face.update(gesture)
        if not asked:
            return ()
        kind, a, b, c = asked
        if kind == face.AGAIN:
            return (_again(match, a),)
        if kind == intents.END_TURN and not match.turning:  # nobody presses to begin one
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
        """Say, once, that the other seat did not ask in time."""
        if not self.half or uptime_ms < self._until_ms:
            return False
        self.half = 0
        return True


def _again(match: "Match", by: int) -> "Asked":
    """Return the intent that says what the other seat told, in this seat's name."""
    told = match.told
    assert told is not None
    state = told[0] == events.STATE_TOLD
    kind = intents.TELL_STATE if state else intents.TELL_TURN
    return kind, told[2] & 15 | by, told[3], told[4]
