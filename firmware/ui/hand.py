"""Turns gestures into intents beyond the screen's own keys: acts of both seats at once."""

from firmware.core import intents
from firmware.ui.screen import HOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Intent, Match
    from firmware.ui.types import Face

BOTH_MS = 10000  # the time in which both seats must request an act of both
VISIT = 4  # in ``pending``: a judge's code was right; 1 and 2 are the seats
BRIEF_MS = 15000  # without a press, until an opened screen closes: it hides the clock
_OF_BOTH = (intents.ReopenResult, intents.TakeBack, intents.CountTurns)


class Recall:
    """What asks for lines about earlier events, or (``older``) for their next page."""

    PRESSES, ROLLS, ACT = range(3)  # ACT: what a judge can take back

    def __init__(self, what: int, older: bool = False):
        self.what, self.older = what, older


class Leave:
    """What ends a judge's visit."""


class Verify:
    """What compares the typed code with the judge's next ones; a right one opens a visit."""


class Hand:
    """Turns gestures into intents. The table's ``pending`` is what somebody has begun and nobody
    has ended: the only seat (1, 2) that requested an act of both, and VISIT: several acts by one
    code, until the judge leaves. What nobody goes on with expires.
    """

    def __init__(self, face: "Face"):
        self.face, self._table = face, face.table
        self._kind = self._until_ms = self._pressed_ms = self._judged_ms = 0

    def admit(self, right: bool, uptime_ms: int) -> None:
        """Go on after a judge's code: a right one opens a visit."""
        if right:
            self._table.pending, self._judged_ms = VISIT, uptime_ms
        self.face.go("judge_menu" if right else HOME)

    def intents_for(
        self, gesture: int, match: "Match", uptime_ms: int, now_ms: int
    ) -> "tuple[Intent | Recall, ...]":
        """Return what a gesture asks for at the event time ``now_ms``, in order."""
        self._pressed_ms = uptime_ms
        self._table.now_ms = now_ms
        before = self.face.screen
        request = self.face.update(gesture)
        if before.judged or self.face.screen.judged:
            self._judged_ms = uptime_ms
        if isinstance(request, (Leave, intents.EndCall)):
            self._table.pending = 0
        if request is None or isinstance(request, Leave):
            return ()
        if isinstance(request, intents.EndTurn) and not match.turning:  # no press begins a turn
            seat = 0 if match.seat is None else match.seat
            return intents.StartTurn(now_ms, seat), request
        if isinstance(request, _OF_BOTH) and request.by in (1, 2):
            return self._of_both(request, uptime_ms)
        return (request,)

    def _of_both(self, intent: "intents.Intent", uptime_ms: int) -> "tuple[Intent, ...]":
        """Return an intent of both seats once the other one has requested it, too; else keep it."""
        other_seat = 3 - intent.by
        if self._table.requested_by == other_seat and self._kind == intent.kind:
            self._table.pending &= VISIT
            self.face.go(HOME)
            intent.by = 3
            return (intent,)
        self._table.pending = (self._table.pending & VISIT) | intent.by
        self._kind, self._until_ms = intent.kind, uptime_ms + BOTH_MS
        return ()

    def expired(self, uptime_ms: int) -> bool:
        """Return True once when one seat's request, a judge's visit or an opened screen expires."""
        due_ms = self.due_ms
        if due_ms is None or uptime_ms < due_ms:
            return False
        if self._table.requested_by:
            self._table.pending &= VISIT
        elif self._table.pending:
            self._table.pending = 0  # and with the visit its screens
        else:
            self.face.close_opened()
        return True

    @property
    def due_ms(self) -> int | None:
        """When something will have expired (uptime), or None."""
        if self._table.requested_by:
            return self._until_ms
        if self._table.pending:
            return self._judged_ms + BRIEF_MS
        return self._pressed_ms + BRIEF_MS if self.face.brief else None
