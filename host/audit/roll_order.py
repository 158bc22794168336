"""Checks that each roll, consent and ruling was legal at its place in the journal.

The board's own code decides each of them again, in the state that the earlier records give. The
time of events that a board stamps with its current time never goes back within a boot.
"""

from collections.abc import Collection, Iterable
from typing import NamedTuple, Self

from firmware.core import events, intents
from firmware.core.events import Event
from firmware.core.match import Match
from firmware.core.seeds import Chance
from host.archive.records import ArchivedRecord, BoardKey, Position, RecordId
from host.audit.log_check import Matches, name
from host.event.fold import TableFold
from host.systems.rules import Catalogue

_INTENTS = {
    events.CONSENT_GIVEN: lambda event: intents.Consent(event.at_ms, event.seat),
    events.ROLLED: lambda event: intents.Roll(
        event.at_ms, event.randomizer, event.purpose, event.flips
    ),
    events.ROLL_AGREED: lambda event: intents.AgreeRoll(event.at_ms, event.seat),
    events.ROLL_DISPUTED: lambda event: intents.DisputeRoll(event.at_ms, event.seat),
    events.ROLL_RULED: lambda event: intents.RuleRoll(event.at_ms, event.conclusive),
}
# written with the board's current time; a ruling may have the desk's time
_PRESENT = frozenset((
    events.CONSENT_GIVEN, events.ROLLED, events.ROLL_AGREED, events.ROLL_DISPUTED, events.ANSWERED,
    events.TURN_STARTED, events.RESULT_CLAIMED, events.RESULT_CONFIRMED, events.RESULT_REFUSED,
    events.JUDGE_CALLED,
))  # fmt: skip
# after these the board's time may differ
_CLOCK_CHANGES = frozenset((events.BOOTED, events.TIME_SET, events.EVENT_JOINED))


class _Anything(Chance):
    """A source of rolls whose faces do not matter."""

    def __init__(self) -> None:
        super().__init__(bytes)

    def begin(self, number: int, randomizer: int, purpose: int) -> Self:
        """Begin a roll."""
        return self

    def face(self, sides: int) -> int:
        """Return a face."""
        return sides


class Fault(NamedTuple):
    """A record that its board cannot have written at its place, and why."""

    record: ArchivedRecord
    sentence: str


class OrderFold(TableFold):
    """A TableFold that collects in ``faults`` the records that their board cannot have written at
    their place.
    """

    faults: list[Fault]

    def _restart(self) -> None:
        super()._restart()
        self.faults, self._latest_ms, self._has_format = [], 0, False

    def _apply(self, record: ArchivedRecord) -> None:
        """Check a record before it is folded."""
        event = record.board_event
        if record.event and record.event != self._event:
            return
        self._check_time(record, event)
        if event.kind == events.FORMAT_SET:
            self._has_format = True
        if event.kind in _INTENTS:
            self._refold()
            if self._has_format and not self.incomplete and not _legal(self.match, event):
                self.faults.append(Fault(record, "no board can have written this here"))
        super()._apply(record)

    def _check_time(self, record: ArchivedRecord, event: Event) -> None:
        if event.kind in _CLOCK_CHANGES:
            self._latest_ms = 0
        elif event.kind in _PRESENT:
            if event.at_ms < self._latest_ms:
                self.faults.append(Fault(record, "is older than what stands before it"))
            self._latest_ms = max(self._latest_ms, event.at_ms)


def _legal(match: Match, event: Event) -> bool:
    """Whether the board's rules allow this event here, ignoring the faces and the roll's number."""
    try:
        decided = match.decide(_INTENTS[event.kind](event), event.at_ms, _Anything())
    except Exception:  # whatever a stolen board signs, the audit continues
        return False
    if not decided:
        return False
    expected = decided[0]
    if isinstance(event, events.Rolled) and isinstance(expected, events.Rolled):
        expected.face, expected.number = event.face, event.number  # ``roll_check`` compares these
    return expected == event


def faults(
    records: Iterable[ArchivedRecord], event: int, lost: Collection[RecordId], systems: Catalogue
) -> list[str]:
    """Return sentences on an event's rolls that their boards cannot have written at their place."""
    records, sentences = list(records), []
    boards: dict[BoardKey, list[ArchivedRecord]] = {}
    for record in records:
        boards.setdefault(record.board, []).append(record)
    matches = Matches(records)
    for board, board_records in boards.items():
        fold = OrderFold(event, lost_by(lost, board), board_records.copy, systems)
        for record in board_records:
            fold.add(record)
        fold.advance()
        sentences += [
            f"{name(fault.record.id)}, {matches.of(fault.record.id)}: {fault.sentence}"
            for fault in fold.faults
        ]
    return sentences


def lost_by(lost: Iterable[RecordId], board: BoardKey) -> set[Position]:
    """Return the positions of the records that one board has lost."""
    return {record.position for record in lost if record.board == board}
