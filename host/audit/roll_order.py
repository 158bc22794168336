"""Whether rolls, and what was said of them, stand where their board could have written them.

The board's own code is asked again at every roll, consent and ruling, in the state that the records
before it leave; and what a board stamps with its present time never goes back within a boot.
"""

from firmware.core import events, frames, intents
from host.audit.log_check import Matches, name
from host.event.fold import TableFold

_INTENTS = {
    events.CONSENT_GIVEN: intents.CONSENT,
    events.ROLLED: intents.ROLL,
    events.ROLL_AGREED: intents.AGREE_ROLL,
    events.ROLL_DISPUTED: intents.DISPUTE_ROLL,
    events.ROLL_RULED: intents.RULE_ROLL,
}
# written with the board's time as it is then; a ruling may bear the desk's
_PRESENT = bytes((
    events.CONSENT_GIVEN, events.ROLLED, events.ROLL_AGREED, events.ROLL_DISPUTED, events.ANSWERED,
    events.TURN_STARTED, events.RESULT_CLAIMED, events.RESULT_CONFIRMED, events.RESULT_REFUSED, events.JUDGE_CALLED,
))  # fmt: skip
_ANEW = bytes(
    (events.BOOTED, events.TIME_SET, events.EVENT_JOINED)
)  # from these on time may be another


class _Anything:
    """A chance in whose place any will do."""

    def begin(self, number, a):
        """Begin a roll."""
        return self

    def face(self, sides):
        """Fall."""
        return sides


class OrderFold(TableFold):
    """A TableFold that notes in ``faults`` what its board cannot have written there, as ``(entry, sentence)``."""

    def __init__(self, *parts):
        self.faults = []
        super().__init__(*parts)

    def _restart(self):
        super()._restart()
        self.faults, self._latest_ms, self._formed = [], 0, False

    def _apply(self, entry):
        event = frames.event_of(entry.frame)
        if entry.event and entry.event != self._event:
            return
        self._time(entry, event)
        self._formed = self._formed or event[0] == events.FORMAT_SET
        if event[0] in _INTENTS:
            self._settle()
        if (
            event[0] in _INTENTS
            and self._formed
            and not self.incomplete
            and not _legal(self.match, event)
        ):
            self.faults.append((entry, "no board can have written this here"))
        super()._apply(entry)

    def _time(self, entry, event):
        kind, at_ms = event[:2]
        if kind in _ANEW:
            self._latest_ms = 0
        elif kind in _PRESENT:
            if at_ms < self._latest_ms:
                self.faults.append((entry, "is older than what stands before it"))
            self._latest_ms = max(self._latest_ms, at_ms)


def _legal(match, event):
    """Whether the board's rules come to this event here, but for the faces and their number."""
    kind, at_ms, a, b, _ = event
    many = b >> 8 if kind == events.ROLLED else 0
    try:
        found = match.decide((_INTENTS[kind], at_ms, a, many, 0), at_ms, _Anything())
    except Exception:  # the last door: whatever a stolen board signs, the audit goes on
        return False
    if not found:
        return False
    if kind == events.ROLLED:
        return (found[0][2], found[0][3] >> 8) == (a, many)
    return found[0] == event


def faults(entries, event, gone, systems):
    """Return sentences on an event's rolls that stand where their boards cannot have written them."""
    boards, matches, found = {}, Matches(entries), []
    for entry in entries:
        boards.setdefault(entry.id[:2], []).append(entry)
    for board, told in boards.items():
        fold = OrderFold(event, gone_of(gone, board), told.copy, systems)
        for entry in told:
            fold.add(entry)
        fold.advance()
        found += [f"{name(e.id)}, {matches.of(e.id)}: {sentence}" for e, sentence in fold.faults]
    return found


def gone_of(gone, board):
    """Return the places ``(epoch, counter)`` that one board has lost."""
    return {place[2:] for place in gone if place[:2] == board}
