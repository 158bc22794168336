"""How long each counted turn took and whose it was: evidence for a judge if a match is delayed.

Turns are counted after time, and before it if the players or a judge want it so. A length is never
a penalty by itself (P18 8.2; rules P7). A press that ends a turn may also have begun it: then the
turn began at the end of the one before.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from firmware.core import events, play, takeback, team
from firmware.core.events import Event
from host.archive.records import Position
from host.archive.store import Archive
from host.event import event_systems, timeline
from host.event.timeline import MatchPlace
from host.systems import catalogue
from host.systems.rules import Catalogue

_OVER = (events.GAME_WON, events.GAME_LEVELLED, events.MATCH_ENDED, events.CONCEDED)
_BEGIN_PLAY = (events.STARTER_SET, events.PLAY_RESUMED)
_STOPS = (events.FROZEN, events.RESUMED)
_PLACES = (events.FORMAT_SET, events.SEAT_CONFIRMED, events.POLICY_SET)
_TEAM = 1 << 7  # of a format's bits
KINDS = frozenset((
    events.TURN_STARTED, events.TURN_ENDED, events.TURN_TOLD, events.TIME_CALLED,
    events.TAKEN_BACK, *_OVER, *_BEGIN_PLAY, *_STOPS, *_PLACES,
))  # fmt: skip


class PlacedEvent(NamedTuple):
    """An event, and the position of its record in the board's journal."""

    position: Position
    event: Event


class PressLog:
    """A match's events in ascending positions, as the board's ``takeback`` reads its journal."""

    first = 0

    def __init__(self, placed: Sequence[PlacedEvent]):
        self._placed = placed
        self.end = len(placed)

    def kind(self, place: int) -> int:
        """Return the kind of the event at an index."""
        return self._placed[place].event.kind

    def event_at(self, place: int) -> Event:
        """Return the event at an index."""
        return self._placed[place].event

    def order(self, place: int) -> int:
        """Return the number by which a TAKEN_BACK names the event: epoch << 16 | counter."""
        epoch, counter = self._placed[place].position
        return epoch << 16 | counter


class Turn(NamedTuple):
    """A turn that is over: whose it was (▲ or ● as paired, or a team's seat), when it ended, and
    its length without stops of the clock.
    """

    who: str
    ended_ms: int
    lasted_ms: int

    @property
    def lasted_s(self) -> int:
        """Its length in whole seconds, rounded: the clocks of board and PC differ a little."""
        return (self.lasted_ms + 500) // 1000


class _Stopwatch:
    """Measures the turns of one match, event by event."""

    def __init__(self):
        self.turns: list[Turn] = []
        self._seat: int | None = None
        self._from_ms: int | None = None  # when the turn in progress began
        self._ended_ms: int | None = None  # when the last turn ended
        self._zero_ms: int | None = 0  # when the turn that time interrupted began
        self._frozen_ms = self._swapped = 0
        self._team = self._counted = False

    def take(self, event: Event) -> None:
        """Update the turns by an event."""
        at_ms = event.at_ms
        if isinstance(event, events.TurnStarted):
            self._seat, self._from_ms = event.seat, at_ms
        elif isinstance(event, events.TimeCalled):
            # where turns are counted, the turn in progress began before time was called
            in_progress = self._counted and self._ended_ms is not None
            self._zero_ms = self._ended_ms if in_progress else at_ms
            self._ended_ms = at_ms
        elif isinstance(event, events.TurnTold):
            if event.teller in (0, 3):  # not one seat alone
                self._seat = event.seat
                self._from_ms = self._zero_ms if event.turning & 1 else None
        elif event.kind == events.TURN_ENDED or event.kind in _OVER:
            self._end(at_ms)
        elif event.kind in _BEGIN_PLAY:
            self._seat = self._from_ms = self._ended_ms = None
        elif isinstance(event, events.PolicySet):
            self._switch(bool(event.switches & play.COUNTED))
        elif isinstance(event, events.FormatSet):
            self._team = bool(event.format & _TEAM)
        elif isinstance(event, events.SeatConfirmed):
            self._swapped = event.swapped
        elif isinstance(event, events.Frozen):
            self._frozen_ms = at_ms
        elif isinstance(event, events.Resumed):
            self._shift(at_ms - self._frozen_ms)

    def _switch(self, counted: bool) -> None:
        """Switch the counting; the turn in progress has no known beginning."""
        if counted != self._counted:
            self._counted = counted
            self._seat = self._from_ms = self._ended_ms = None

    def _end(self, at_ms: int) -> None:
        """End the turn in progress; it is counted if its seat and beginning are known."""
        # one press may begin and end a turn, which then began at the end of the one before
        from_ms = self._ended_ms if self._from_ms == at_ms else self._from_ms
        if self._seat is not None and from_ms is not None:
            if self._team:
                who = team.ORDER[self._seat & 3]
            else:
                who = "▲●"[(self._seat ^ self._swapped) & 1]
            self.turns.append(Turn(who, at_ms, max(0, at_ms - from_ms)))
        self._seat, self._from_ms, self._ended_ms = None, None, at_ms

    def _shift(self, lost_ms: int) -> None:
        """Exclude a stop of the clock from the turn in which it happened."""
        if self._from_ms is not None:
            self._from_ms += lost_ms
        if self._ended_ms is not None:
            self._ended_ms += lost_ms


def turns(placed: Sequence[PlacedEvent]) -> list[Turn]:
    """Return every Turn of a match's events, oldest first, without those taken back."""
    if not any(each.event.kind == events.TURN_ENDED for each in placed):
        return []  # the usual case
    watch = _Stopwatch()
    for index in takeback.in_force(PressLog(placed)):
        watch.take(placed[index].event)
    return watch.turns


def of_matches(archive: Archive) -> dict[MatchPlace, list[Turn]]:
    """Return the Turns of every match of the current event that has counted turns."""
    by_match: dict[MatchPlace, list[PlacedEvent]] = {}
    for place, record in timeline.placed_records(archive, KINDS):
        by_match.setdefault(place, []).append(PlacedEvent(record.position, record.board_event))
    systems = event_systems.of(archive)
    measured = {
        place: turns(placed)
        for place, placed in by_match.items()
        if not _turns_are_shared(placed, systems)
    }
    return {place: taken for place, taken in measured.items() if taken}


def _turns_are_shared(placed: Sequence[PlacedEvent], systems: Catalogue) -> bool:
    """Return whether turns belong to both players, as the game rounds of XW15 do."""
    formats = [each.event for each in placed if isinstance(each.event, events.FormatSet)]
    rules = catalogue.rules_of(systems, formats[-1].system) if formats else None
    return rules is not None and not rules.SEATS


def words(taken: Iterable[Turn]) -> str:
    """Return Turns in a line: whose each was, and its M:SS."""
    return ", ".join(f"{turn.who} {turn.lasted_s // 60}:{turn.lasted_s % 60:02}" for turn in taken)
