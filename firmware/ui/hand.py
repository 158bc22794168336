"""Turns gestures into intents, beyond what the screen's row defines (``face``)."""

from firmware.core import events, intents
from firmware.ui import face

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Intent, Match
    from firmware.ui.types import Asked, Face

HALF_MS = 10000  # the time in which both seats must request an act of both
BRIEF_MS = 15000  # without a press, until an opened screen closes: it hides the clock
VISIT = 4  # in ``pending``: a judge's code was right
# instead of the first number of a row
_SCORE = 252  # of RULE_RESULT: the games won so far
_MORE = 251  # of EXTEND: so many minutes more than the table has as the second number says
_LESS = 252  # so many less
_BOTH = (intents.ReopenResult, intents.TakeBack, intents.CountTurns)


class Recall:
    """What a screen asks of its own program: the lines ``what`` of ``recall``, on an older page."""

    def __init__(self, what: int, page: int):
        self.what, self.page = what, page


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

    def asked(
        self, gesture: int, match: "Match", uptime_ms: int, now_ms: int
    ) -> "tuple[Intent | Recall, ...]":
        """Return what a gesture asks for at the event time ``now_ms``, in order."""
        self._pressed_ms = uptime_ms
        judged = self.face.rows.judged
        asked = self.face.update(gesture)
        if judged or self.face.rows.judged:
            self._judged_ms = uptime_ms
        if not asked:
            return ()
        kind, who = asked[0], asked[1]
        if kind == face.LEAVE or kind == intents.END_CALL:
            self.pending = 0
        if kind == face.LEAVE:
            return ()
        if kind == face.RECALL:
            return (Recall(who, asked[2]),)
        if kind == face.AGAIN:
            return (_again(match, who, now_ms),)
        intent = _intent(match, asked, now_ms)
        if kind == intents.END_TURN and not match.turning:  # no press begins a turn
            return intents.StartTurn(now_ms, who if match.seat is None else match.seat), intent
        if isinstance(intent, _BOTH) and intent.by in (1, 2):
            return self._half(intent, uptime_ms)
        return (intent,)

    def _half(
        self, asked: "intents.ReopenResult | intents.TakeBack | intents.CountTurns", uptime_ms: int
    ) -> "tuple[Intent, ...]":
        if self.pending & 3 == 3 - asked.by and self._kind == asked.kind:
            self.pending &= VISIT
            self.face.go(face.HOME)
            asked.by = 3
            return (asked,)
        self.pending = self.pending & VISIT | asked.by
        self._kind, self._until_ms = asked.kind, uptime_ms + HALF_MS
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


def _intent(match: "Match", asked: "Asked", now_ms: int) -> "Intent":
    """Return the intent of a screen's row, a judge's in absolutes."""
    kind, _, first, second = asked
    if kind == intents.EXTEND and second:
        more_s = 60 * second if first == _MORE else -60 * second
        return intents.Extend(now_ms, asked[1], max(0, match.extension_s + more_s))
    intent = intents.of_numbers(kind, now_ms, *asked[1:])
    if isinstance(intent, intents.RuleResult) and intent.first == _SCORE:
        intent.first, intent.second = match.score
    return intent


def _again(match: "Match", by: int, now_ms: int) -> "Intent":
    """Return the intent by which this seat enters the same as the other seat; ``by`` as in a row of
    TELL_STATE.
    """
    told, teller = match.pending_answer, by >> 4
    if isinstance(told, events.StateTold):
        return intents.TellState(now_ms, told.started, teller, told.first, told.second)
    assert isinstance(told, events.TurnTold)
    return intents.TellTurn(now_ms, told.seat, teller, told.turning)
