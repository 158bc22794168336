"""Turns gestures into intents, beyond what the screen's row defines (``face``)."""

from firmware.core import events, intents
from firmware.ui import face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Match
    from firmware.ui.types import Asked, Face

HALF_MS = 10000  # the time in which both seats must request an act of both
BRIEF_MS = 15000  # without a press, until an opened screen closes: it hides the clock
VISIT = 4  # in ``pending``: a judge's code was right
_SCORE = 252  # as b of RULE_RESULT: the games won so far
_MORE = 251  # as b of EXTEND: c minutes more than the table has
_LESS = 252  # c minutes less
_BOTH = bytes((intents.REOPEN_RESULT, intents.TAKE_BACK, intents.COUNT_TURNS))


class Hand:
    """Turns gestures into intents. ``pending`` is what somebody has begun and nobody has ended: the
    only seat (1, 2) that requested an act of both, and VISIT: several acts by one code, until the
    judge leaves. What nobody goes on with expires.
    """

    def __init__(self, screens: "Face"):
        self.face = screens
        self.pending = self._kind = self._until_ms = self._pressed_ms = self._judged_ms = 0

    def admit(self, right: bool, uptime_ms: int) -> None:
        """Go on after a judge's code: a right one opens a visit."""
        if right:
            self.pending, self._judged_ms = VISIT, uptime_ms
        self.face.go(self.face.goes if right else face.HOME)

    def asked(self, gesture: int, match: "Match", uptime_ms: int) -> "tuple[Asked, ...]":
        """Return the intents ``(kind, a, b, c)`` of a gesture, in order."""
        self._pressed_ms = uptime_ms
        judged = self.face.rows.judged
        asked = self.face.update(gesture)
        if judged or self.face.rows.judged:
            self._judged_ms = uptime_ms
        if not asked:
            return ()
        kind, a, b, c = asked
        if kind == face.LEAVE or kind == intents.END_CALL:
            self.pending = 0
        if kind == face.LEAVE:
            return ()
        if kind == face.AGAIN:
            return (_again(match, a),)
        if kind == intents.END_TURN and not match.turning:  # no press begins a turn
            return (intents.START_TURN, a if match.seat is None else match.seat, 0, 0), asked
        if kind in _BOTH and a in (1, 2):
            return self._half(asked, uptime_ms)
        return (_ruled(match, asked),)

    def _half(self, asked: "Asked", uptime_ms: int) -> "tuple[Asked, ...]":
        kind, a, b, c = asked
        if self.pending & 3 == 3 - a and self._kind == kind:
            self.pending &= VISIT
            self.face.go(face.HOME)
            return ((kind, 3, b, c),)
        self.pending = self.pending & VISIT | a
        self._kind, self._until_ms = kind, uptime_ms + HALF_MS
        return ()

    def expired(self, uptime_ms: int) -> bool:
        """Return True once when the other seat did not request the act in time, a judge has left
        or an opened screen is to close.
        """
        due_ms = self.due_ms
        if due_ms is None or uptime_ms < due_ms:
            return False
        if self.pending & 3:
            self.pending &= VISIT
        elif self.pending:
            self.pending = 0  # and with the visit its screens
        else:
            self.face.close_opened()
        return True

    @property
    def due_ms(self) -> int | None:
        """When something will have expired (uptime), or None."""
        if self.pending & 3:
            return self._until_ms
        if self.pending:
            return self._judged_ms + BRIEF_MS
        return self._pressed_ms + BRIEF_MS if self.face.brief else None


def _ruled(match: "Match", asked: "Asked") -> "Asked":
    """Return a judge's intent in absolutes."""
    kind, a, b, c = asked
    if kind == intents.RULE_RESULT and b == _SCORE:
        return (kind, a) + match.score
    if kind == intents.EXTEND and c:
        more_s = 60 * c if b == _MORE else -60 * c
        return kind, a, max(0, match.extension_s + more_s), 0
    return asked


def _again(match: "Match", by: int) -> "Asked":
    """Return the intent by which this seat enters the same as the other seat."""
    told = match.pending_answer
    assert told is not None
    state = told[0] == events.STATE_TOLD
    kind = intents.TELL_STATE if state else intents.TELL_TURN
    return kind, told[2] & 15 | by, told[3], told[4]
