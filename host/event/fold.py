"""Tables and results: the board's own code over the archive's records (docs/architecture.md).

A board's records are folded in the order of its boots and counters, from the boot in which it
joined the event. At a gap the fold waits, because the missing records may change the meaning of the
later ones; ``waiting`` counts these. What is missing before a board came from another archive's
event is there (``ArchivedRecord.came_from_another``). A record that the board itself has lost is
skipped, and the table is ``incomplete`` from then on: a judge must check its results. The same
holds after an invalid signed record (``record_bounds``): it is archived, listed in
``invalid_records``, and has no effect.
"""

import functools
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from firmware.core import announced, events, phases, takeback
from firmware.core.events import Event
from firmware.core.match import Match
from host.archive.records import ArchivedRecord, BoardKey, Position, RecordId
from host.archive.roster import Board, Format
from host.archive.store import Archive
from host.event import (
    announced_results,
    event_systems,
    imported_results,
    match_results,
    paper_results,
    record_bounds,
    turn_times,
    typed_results,
)
from host.event.announced_results import Announcement
from host.event.holdings import ClosedBoot
from host.event.match_results import TYPED, Result, as_paired
from host.event.paper_results import PaperResult
from host.event.turn_times import PlacedEvent, PressLog, Turn
from host.event.unrevealed_seeds import UnrevealedSeeds
from host.systems import catalogue
from host.systems.rules import Catalogue, Rules

# limits for one match: folded records, and take-backs among them
MOST_EVENTS, MOST_UNDONE = 8192, 255
# a board boots so often at an event before its first boots are heard of; more is a stolen key's
# doing
MOST_RESTARTS = 64
_AHEAD = range(1, announced.MOST // 2)  # milestones that an announcement may be ahead of records

ValueT = TypeVar("ValueT")
EventT = TypeVar("EventT", bound=Event)


class Proposal(NamedTuple):
    """A proposed outcome (``A``, ``B``, ``tie`` or a word of ``outcome.NAMES``) and its section."""

    outcome: str
    section: str | None


class TableFold:
    """One board at one event. ``match`` is the state, ``results`` by round and pairing.

    ``event`` is the event's number; ``lost`` holds the positions of records that the board has
    lost. ``archived()`` returns all stored records of the board; folded records are not held in
    memory. ``systems`` is the event's catalogue, by default the project's. ``own`` are the
    numbers of the archive's events, by default all there are.
    """

    def __init__(
        self,
        event: int,
        lost: Container[tuple[int, int]],
        archived: Callable[[], Sequence[ArchivedRecord]],
        systems: Catalogue | None = None,
        own: Collection[int] = range(1 << 16),
    ):
        self._event, self._lost, self._archived = event, lost, archived
        self._own = own
        self._came: Position | None = None  # when it came from another archive's event last
        self._systems = systems or catalogue.built_in()
        self._waiting: dict[Position, ArchivedRecord] = {}  # to be folded
        self._closed: dict[int, ClosedBoot] = {}  # by epoch: the next boot, and its own size
        self._joined: int | None = None  # the earliest boot that joined
        self._from: int | None = None  # the boot from which it is folded
        self._restarts = 0  # how often it was folded from the start
        self._seeds = UnrevealedSeeds()  # a seed does not affect the match, so it may be missing
        self._restart()

    def _restart(self) -> None:
        self.match = Match(next(iter(self._systems.values())))
        self.results: dict[tuple[int, int], Result] = {}
        self.incomplete = False
        self.invalid_records: dict[Position, int] = {}  # the kind of each that was not applied
        self._next = None if self._joined is None else Position(self._joined, 0)
        self._placed: list[PlacedEvent] = []  # of the current match
        self._undone = 0  # how many of them are take-backs
        self._stale = False  # something was taken back: the match must be folded again

    def add(self, record: ArchivedRecord) -> None:
        """Add an archived record of this board; ``advance`` folds it."""
        place, event = record.position, record.board_event
        if self._next is not None and place >= self._next:
            self._waiting[place] = record
        self._seeds.add(*place, record.frame)
        if record.came_from_another(self._own):
            self._came = max(self._came or place, place)
        if isinstance(event, events.EpochClosed):
            self._closed[event.epoch] = ClosedBoot(place.epoch, event.records)
        if (
            isinstance(event, events.EventJoined)
            and event.event == self._event
            and (self._joined is None or place.epoch < self._joined)
        ):
            if self._restarts < MOST_RESTARTS:
                self._joined = place.epoch
            else:
                self._reject(place, event.kind)

    def advance(self) -> None:
        """Fold every record that is next in order, or all again if an earlier boot joined the
        event.
        """
        if self._joined != self._from:
            self._from, self._restarts = self._joined, self._restarts + 1
            self._waiting = {one.position: one for one in self._archived()}
            self._restart()
        self._follow()
        self._settle()

    def _follow(self) -> None:
        while self._next is not None:
            epoch, counter = self._next
            record = self._waiting.pop(self._next, None)
            if record is not None:
                self._apply(record)
            elif self._next in self._seeds:
                pass
            elif self._next in self._lost:
                self.incomplete = True
            else:
                after, held = self._closed.get(epoch, _NOT_CLOSED)
                if self._came is not None and self._next < self._came:
                    self._next = min(
                        one for one in (*self._waiting, self._came) if one > self._next
                    )
                    continue
                if after <= epoch or held > counter:
                    return
                self._next = Position(after, 0)
                continue
            self._next = Position(epoch, counter + 1)

    @property
    def milestones(self) -> int:
        """How often the round has begun or ended at this table, by its records (``announced``)."""
        return sum(one.event.kind in events.MILESTONES for one in self._placed)

    @property
    def waiting(self) -> int:
        """How many archived records wait behind a gap."""
        if self._next is None:
            return 0
        return sum(1 for place in self._waiting if place >= self._next)

    def last_event(self, kind: type[EventT]) -> EventT | None:
        """Return the last event of a kind in the current match, or None."""
        told = (one.event for one in reversed(self._placed))
        return next((event for event in told if isinstance(event, kind)), None)

    def last_ms(self, kind: type[Event]) -> int | None:
        """Return the event time of the last event of a kind in the current match, or None."""
        event = self.last_event(kind)
        return event and event.at_ms

    def times(self, kinds: Collection[int]) -> list[tuple[int, int]]:
        """Return ``(kind, at_ms)`` of every event of some kinds in the current match."""
        told = [one.event for one in self._placed]
        return [(event.kind, event.at_ms) for event in told if event.kind in kinds]

    @property
    def proposal(self) -> Proposal | None:
        """The current match's proposed or final outcome, None before there is one."""
        match = self.match
        if not match.outcome:
            return None
        won = match_results.name_of(as_paired(match, match.outcome))
        return Proposal(won, match_results.section_of(match))

    @property
    def doubtful(self) -> bool:
        """Whether a judge must check this table's results: records are lost or invalid."""
        return self.incomplete or bool(self.invalid_records)

    @property
    def presses(self) -> list[PlacedEvent]:
        """The last ten presses of the current match that were not taken back, oldest first."""
        return [self._placed[index] for index in takeback.presses(PressLog(self._placed))]

    @property
    def turns(self) -> list[Turn]:
        """The turns of the current match that were counted, oldest first; none where both play."""
        return turn_times.turns(self._placed) if self.match.rules.SEATS else []

    def _apply(self, record: ArchivedRecord) -> None:
        event, place = record.board_event, record.position
        if record.event != self._event:
            return
        if event.kind == events.ROUND_SET:
            self._settle()
            self._placed, self._undone = [], 0
        undoes = event.kind == events.TAKEN_BACK
        if len(self._placed) >= MOST_EVENTS or undoes and self._undone >= MOST_UNDONE:
            self._reject(place, event.kind)
        elif not event.kind:  # of a board whose program is newer
            self._reject(place, record.kind)
        elif undoes or self._stale or self._happen(place, event):
            self._placed.append(PlacedEvent(place, event))
            self._undone += undoes
            self._stale = self._stale or undoes

    def _happen(self, place: Position, event: Event) -> bool:
        """Apply an event and return True, or leave the match as it is and note that the event is
        invalid.
        """
        before = dict(vars(self.match))
        try:
            if isinstance(event, events.FormatSet):  # a board boots with its event's system
                known = catalogue.numbered(self._systems, event.system)[1]
                self.match.rules = known or self.match.rules
            self.match.apply(event)
            if record_bounds.plausible(self.match, record_bounds.changed(self.match, before)):
                self._note(event.at_ms)
                return True
        except Exception:  # whatever a stolen board signs, the other tables continue
            pass
        vars(self.match).update(before)
        self._reject(place, event.kind)
        return False

    def _settle(self) -> None:
        """Fold the match again without what was taken back, as its board does: once for all
        take-backs.
        """
        if not self._stale:
            return
        self._stale = False
        self.match = Match(self.match.rules)
        for index in takeback.standing(PressLog(self._placed)):
            self._happen(*self._placed[index])

    def _note(self, at_ms: int) -> None:
        match = self.match
        key = match.round, match.pairing
        if match.phase == phases.AGREED:
            self.results.setdefault(key, match_results.result_of(match, at_ms, self.doubtful))
        elif match.phase != phases.IDLE:
            self.results.pop(key, None)  # begun, opened or ruled again

    def _reject(self, place: Position, kind: int) -> None:
        self.invalid_records[place] = kind
        key = self.match.round, self.match.pairing
        if key in self.results:
            self.results[key] = replace(self.results[key], incomplete=True)


_NOT_CLOSED = ClosedBoot(0, -1)


class Hall:
    """The fold of every board at the archive's current event; feed it newly archived records.

    ``lost`` holds the records that boards have lost; entries may be added.
    """

    def __init__(self, archive: Archive, lost: Collection[RecordId] = frozenset()):
        self._archive, self._lost = archive, lost
        self.reload()

    def reload(self) -> None:
        """Fold the whole archive again, as after an event was opened or a board added."""
        roster = self._archive.roster
        self._event = roster.event.number if roster.event else 0
        self._own = roster.numbers
        self._boards = {one.key: one for one in roster.boards}
        self._current = roster.current_boards
        self._places = {one.address: one.key for one in self._current.values()}
        self._adopted = typed_results.adopted(self._archive)
        self._imported = imported_results.ImportedRounds(self._archive)
        self._systems = event_systems.of(self._archive)
        self._tables_by_board = roster.tables_by_board
        self._tables = {
            (number, one.pairing): one.table
            for number in roster.rounds
            for one in roster.pairings_of(number)
        }
        self._from_paper: dict[tuple[PaperResult, Format], Result] = {}
        self._announced: dict[tuple[BoardKey, int], tuple[Announcement, Result | None]] = {}
        self.announce(filter(None, announced_results.every(self._archive)))
        self._folds: dict[BoardKey, TableFold] = {}
        for board in self._boards:
            self.take(self._archive.records_of(*board))

    def take(self, records: Iterable[ArchivedRecord]) -> None:
        """Fold newly archived records."""
        touched: dict[BoardKey, TableFold] = {}
        for record in records:
            board = self._boards.get(record.board)
            if board is None:
                continue
            fold = touched[record.board] = self._fold(board)
            fold.add(record)
        for fold in touched.values():
            fold.advance()

    def _fold(self, board: Board) -> TableFold:
        key = board.key
        if key not in self._folds:
            lost = _LostRecords(self._lost, key)
            archived = functools.partial(self._archive.records_of, *key)
            self._folds[key] = TableFold(self._event, lost, archived, self._systems, self._own)
        return self._folds[key]

    @property
    def waiting(self) -> dict[int, int]:
        """How many records wait behind a gap, by device; devices without any are left out."""
        found = {board.device: fold.waiting for board, fold in self._folds.items()}
        return {device: count for device, count in found.items() if count}

    @property
    def boards(self) -> Collection[BoardKey]:
        """The boards of which anything is folded."""
        return self._folds.keys()

    def invalid_at(self, board: BoardKey) -> dict[Position, int]:
        """Return the kinds of a board's invalid signed records, by position."""
        fold = self._folds.get(board)
        return fold.invalid_records if fold else {}

    @property
    def invalid_records(self) -> dict[BoardKey, dict[Position, int]]:
        """The kinds of invalid signed records, by board and position."""
        found = {board: fold.invalid_records for board, fold in self._folds.items()}
        return {board: records for board, records in found.items() if records}

    def fold_at(self, table: int | None) -> TableFold | None:
        """Return the TableFold of the board at a table, None until it was heard."""
        board = None if table is None else self._places.get(table)
        return None if board is None else self._folds.get(board)

    def match_at(
        self,
        table: int | None,
        round_number: int | None,
        read: Callable[[Match], ValueT],
        default: ValueT,
    ) -> ValueT:
        """Return ``read(match)`` of a table's match while it is in this round, else ``default``."""
        fold = self.fold_at(table)
        if fold is None or fold.match.round != round_number:
            return default
        return read(fold.match)

    def results(self, round_number: int) -> dict[int, Result]:
        """Return every Result of a round by pairing number.

        What staff typed from paper stands beside what the boards say (``paper_results.settled``);
        what a file told counts where neither has said anything.
        """
        boards = self.boards_results(round_number)
        found = self._imported.results(round_number) | boards
        slips, form = paper_results.standing(self._archive, round_number), None
        if slips:
            form = self._archive.roster.format_of(round_number)
        rules = form and catalogue.numbered(self._systems, form.system)[1]
        if form is not None and rules is not None:
            for pairing, one in slips.items():
                typed = self._of_paper(one, form, rules)
                found[pairing] = paper_results.settled(one, typed, boards.get(pairing))
        return found

    def _of_paper(self, one: PaperResult, form: Format, rules: Rules) -> Result:
        """Return what a typed result comes to; it is worked out once, as pages ask all the time."""
        if (one, form) not in self._from_paper:
            self._from_paper[one, form] = paper_results.result_of(one, form, rules)
        return self._from_paper[one, form]

    def boards_results(self, round_number: int) -> dict[int, Result]:
        """Return every Result of a round that came from a board, by pairing number.

        A board's records take precedence over what its status announced, that over a typed code,
        and what is of a board in use over what is of a revoked one. Records for a table where the
        board never was are ignored, because a stolen board can sign anything.
        """
        found = self.typed(round_number) | self.announced_results(round_number)
        for board in sorted(self._folds, key=self._in_use):
            for key, result in self._folds[board].results.items():
                number, pairing = (
                    self._adopted.get(board, key) if key == typed_results.BY_HAND else key
                )
                if (
                    number == round_number
                    and self._tables.get((number, pairing)) in self._tables_by_board[board]
                ):
                    found[pairing] = result
        return found

    def announce(self, heard: Iterable[Announcement]) -> None:
        """Take stored announcements, oldest first."""
        fresh = announced_results.newest([*(one for one, _ in self._announced.values()), *heard])
        for key, one in fresh.items():
            if key not in self._announced or self._announced[key][0] is not one:
                self._announced[key] = one, self.announced_result(one)

    def announced_result(self, one: Announcement) -> Result | None:
        """Return what an announcement comes to, None if it cannot be so at its board's table."""
        if self._tables.get((one.round, one.pairing)) != one.table:
            return None
        form = self._archive.roster.format_of(one.round)
        rules = form and catalogue.numbered(self._systems, form.system)[1]
        if not form or not rules or one.table not in self._tables_by_board.get(one.board, ()):
            return None
        return announced_results.result(one, form, rules)

    def announced_results(self, round_number: int) -> dict[int, Result]:
        """Return the Results of a round that boards announced and whose records are not here yet,
        by pairing number.
        """
        return {
            one.pairing: result
            for one, result in self.announcements(round_number)
            if not self._overtaken(one)
        }

    def announcements(self, round_number: int) -> list[tuple[Announcement, Result]]:
        """Return each board's newest announcement of a round that stands, with what it comes to;
        those of boards in use last.
        """
        found = [
            (one, result)
            for one, result in self._announced.values()
            if result is not None and one.round == round_number
        ]
        return sorted(found, key=lambda two: self._in_use(two[0].board))

    def _overtaken(self, one: Announcement) -> bool:
        """Whether a board's records already tell more of a match than its announcement."""
        fold = self._folds.get(one.board)
        if fold is None or fold.match.round != one.round:
            return False
        return (one.milestone - fold.milestones) % announced.MOST not in _AHEAD

    def _in_use(self, board: BoardKey) -> bool:
        return self._current.get(board.device) == self._boards.get(board)

    def typed(self, round_number: int) -> dict[int, Result]:
        """Return the Results of a round that staff typed from codes, by pairing number."""
        found = typed_results.results(self._archive, round_number)
        return {
            pairing: Result(
                round_number, pairing, match_results.name_of(one.won), one.games, None, TYPED,
                one.at_ms, False
            )
            for pairing, one in found.items()
        }  # fmt: skip


class _LostRecords:
    """The lost records of one board, by position."""

    def __init__(self, lost: Container[RecordId], board: BoardKey):
        self._lost, self._board = lost, board

    def __contains__(self, place: object) -> bool:
        assert isinstance(place, tuple)
        epoch, counter = place
        return RecordId(*self._board, epoch, counter) in self._lost
