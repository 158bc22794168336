"""Tables and results: the board's own code over the archive's records (docs/architecture.md).

A board's records are folded in the order of its boots and counters, from the boot in which it
joined the event. At a gap the fold stops, because the missing records may change the meaning of the
later ones; ``waiting`` counts those. Gaps from before a board came from another archive's event are
skipped, as that archive has the records (``ArchivedRecord.came_from_another``). A record that the
board itself has lost is skipped, too, and the table is ``incomplete`` from then on: a judge must
check its results. The same holds after an invalid signed record (``record_bounds``): it is
archived, listed in ``invalid_records``, and has no effect.
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
from host.event.match_results import TYPED, Result, as_paired
from host.event.paper_results import PaperResult
from host.event.turn_times import PlacedEvent, PressLog, Turn
from host.event.unrevealed_seeds import UnrevealedSeeds
from host.systems import catalogue
from host.systems.rules import Catalogue, Rules

# limits for one match: folded records, and take-backs among them
MOST_EVENTS, MOST_TAKE_BACKS = 8192, 255
# boots of a board at an event before the host receives its first ones; more come from a stolen key
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
    memory. ``systems`` is the event's catalogue, by default the built-in one. ``own`` are the
    numbers of the archive's events, by default all numbers.
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
        self._own_events = own
        # where in its records the board last came from another archive's event
        self._arrived: Position | None = None
        self._systems = systems or catalogue.built_in()
        self._waiting: dict[Position, ArchivedRecord] = {}  # to be folded
        # of each boot that was closed, by epoch: how many records it holds, and the boot after it
        self._sizes: dict[int, int] = {}
        self._next_boots: dict[int, int] = {}
        self._joined: int | None = None  # the earliest boot that joined
        self._folded_from: int | None = None  # the boot from which it is folded
        self._restarts = 0  # how often it was folded from the start
        self._seeds = UnrevealedSeeds()  # a seed does not affect the match, so it may be missing
        self._restart()

    def _restart(self) -> None:
        """Begin as before the first record of the event."""
        self.match = Match(next(iter(self._systems.values())))
        self.results: dict[tuple[int, int], Result] = {}
        self.incomplete = False
        self.invalid_records: dict[Position, int] = {}  # the kind of each that was not applied
        self._next = None if self._joined is None else Position(self._joined, 0)
        self._placed: list[PlacedEvent] = []  # of the current match
        self._take_backs = 0  # how many of them there are in the current match
        self._must_refold = False  # something was taken back

    def add(self, record: ArchivedRecord) -> None:
        """Add an archived record of this board; ``advance`` folds it."""
        position, event = record.position, record.board_event
        if self._next is not None and position >= self._next:
            self._waiting[position] = record
        self._seeds.add(*position, record.frame)
        if record.came_from_another(self._own_events):
            self._arrived = max(self._arrived or position, position)
        if isinstance(event, events.EpochClosed):
            self._sizes[event.epoch] = event.records
            self._next_boots[event.epoch] = position.epoch
        joins = isinstance(event, events.EventJoined) and event.event == self._event
        if joins and (self._joined is None or position.epoch < self._joined):
            if self._restarts < MOST_RESTARTS:
                self._joined = position.epoch
            else:
                self._reject(position, event.kind)

    def advance(self) -> None:
        """Fold every record that is next in order, or all again if an earlier boot joined the
        event.
        """
        if self._joined != self._folded_from:
            self._folded_from, self._restarts = self._joined, self._restarts + 1
            self._waiting = {record.position: record for record in self._archived()}
            self._restart()
        self._follow()
        self._refold()

    def _follow(self) -> None:
        """Fold the waiting records in order, up to the next gap."""
        while self._next is not None:
            record = self._waiting.pop(self._next, None)
            if record is not None:
                self._apply(record)
                following = _after(self._next)
            else:
                following = self._past_missing(self._next)
            if following is None:
                return
            self._next = following

    def _past_missing(self, missing: Position) -> Position | None:
        """Return where to go on without a record, None at a gap: there it must be awaited."""
        if missing in self._seeds:
            return _after(missing)
        if missing in self._lost:
            self.incomplete = True
            return _after(missing)
        if self._arrived is not None and missing < self._arrived:
            # another archive has the records before the arrival; some of them may wait here, too
            return min(at for at in (*self._waiting, self._arrived) if at > missing)
        next_boot = self._next_boots.get(missing.epoch, 0)
        if next_boot > missing.epoch and missing.counter >= self._sizes[missing.epoch]:
            return Position(next_boot, 0)
        return None

    @property
    def milestones(self) -> int:
        """How often the round began or ended at this table, by its records (``announced``)."""
        return sum(placed.event.kind in events.MILESTONES for placed in self._placed)

    @property
    def waiting(self) -> int:
        """How many archived records wait behind a gap."""
        if self._next is None:
            return 0
        return sum(1 for position in self._waiting if position >= self._next)

    def last_event(self, kind: type[EventT]) -> EventT | None:
        """Return the last event of a kind in the current match, or None."""
        newest_first = (placed.event for placed in reversed(self._placed))
        return next((event for event in newest_first if isinstance(event, kind)), None)

    def last_ms(self, kind: type[Event]) -> int | None:
        """Return the event time of the last event of a kind in the current match, or None."""
        event = self.last_event(kind)
        return event and event.at_ms

    def times(self, kinds: Collection[int]) -> list[tuple[int, int]]:
        """Return ``(kind, at_ms)`` of every event of some kinds in the current match."""
        current = [placed.event for placed in self._placed]
        return [(event.kind, event.at_ms) for event in current if event.kind in kinds]

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
        """The counted turns of the current match, oldest first; none in systems without seats."""
        return turn_times.turns(self._placed) if self.match.rules.SEATS else []

    def _apply(self, record: ArchivedRecord) -> None:
        """Fold one record into the match; note it as invalid if it is."""
        event, position = record.board_event, record.position
        if record.event != self._event:
            return
        if event.kind == events.ROUND_SET:
            self._refold()
            self._placed, self._take_backs = [], 0
        takes_back = event.kind == events.TAKEN_BACK
        too_many_take_backs = takes_back and self._take_backs >= MOST_TAKE_BACKS
        if not event.kind:  # from a board with a newer program
            self._reject(position, record.kind)
        elif too_many_take_backs or len(self._placed) >= MOST_EVENTS:
            self._reject(position, event.kind)
        elif takes_back:
            self._placed.append(PlacedEvent(position, event))
            self._take_backs += 1
            self._must_refold = True
        elif self._must_refold or self._try_apply(position, event):
            # what follows a take-back is only noted here: the refold applies it
            self._placed.append(PlacedEvent(position, event))

    def _try_apply(self, position: Position, event: Event) -> bool:
        """Apply an event and return True; if it is invalid, undo and reject it and return False."""
        before = dict(vars(self.match))
        try:
            if isinstance(event, events.FormatSet):
                # the board knew its event's rules from its boot on; here this event names them
                rules = catalogue.rules_of(self._systems, event.system)
                if rules is not None:
                    self.match.rules = rules
            self.match.apply(event)
            changed = record_bounds.changed_fields(self.match, before)
            if record_bounds.plausible(self.match, changed):
                self._update_result(event.at_ms)
                return True
        except Exception:  # a stolen board may sign anything; the other tables go on
            pass
        vars(self.match).update(before)
        self._reject(position, event.kind)
        return False

    def _refold(self) -> None:
        """Fold the match again without its taken-back events, as its board does: once for all
        take-backs.
        """
        if not self._must_refold:
            return
        self._must_refold = False
        self.match = Match(self.match.rules)
        for index in takeback.in_force(PressLog(self._placed)):
            self._try_apply(*self._placed[index])

    def _update_result(self, at_ms: int) -> None:
        """Add the match's result once it is agreed, remove it while the match is open."""
        match = self.match
        key = match.round, match.pairing
        if match.phase == phases.AGREED:
            self.results.setdefault(key, match_results.result_of(match, at_ms, self.doubtful))
        elif match.phase != phases.IDLE:
            self.results.pop(key, None)  # begun, opened or ruled again

    def _reject(self, position: Position, kind: int) -> None:
        """Note an invalid record; a result that the match has already must then be checked."""
        self.invalid_records[position] = kind
        key = self.match.round, self.match.pairing
        if key in self.results:
            self.results[key] = replace(self.results[key], incomplete=True)


def _after(position: Position) -> Position:
    return Position(position.epoch, position.counter + 1)


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
        self._own_events = roster.numbers
        self._boards = {board.key: board for board in roster.boards}
        self._current = roster.current_boards
        self._board_at = {board.address: board.key for board in self._current.values()}
        self._adopted = typed_results.adopted_pairings(self._archive)
        self._from_files = imported_results.ImportedRounds(self._archive)
        self._systems = event_systems.of(self._archive)
        self._tables_by_board = roster.tables_by_board
        self._tables = {
            (number, pairing.pairing): pairing.table
            for number in roster.rounds
            for pairing in roster.pairings_of(number)
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
            self._folds[key] = TableFold(
                self._event, lost, archived, self._systems, self._own_events
            )
        return self._folds[key]

    @property
    def waiting(self) -> dict[int, int]:
        """How many records wait behind a gap, by device; devices without any are left out."""
        waiting = {board.device: fold.waiting for board, fold in self._folds.items()}
        return {device: count for device, count in waiting.items() if count}

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
        invalid = {board: fold.invalid_records for board, fold in self._folds.items()}
        return {board: records for board, records in invalid.items() if records}

    def fold_at(self, table: int | None) -> TableFold | None:
        """Return the TableFold of the board at a table, None until it is heard."""
        board = None if table is None else self._board_at.get(table)
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

        A result from paper is compared with the board's (``paper_results.settle``); a result from
        a file counts if neither a board nor staff gave one.
        """
        boards = self.boards_results(round_number)
        results = self._from_files.results(round_number) | boards
        typed_by_pairing = paper_results.standing(self._archive, round_number)
        if not typed_by_pairing:
            return results
        form = self._archive.roster.format_of(round_number)
        rules = form and catalogue.rules_of(self._systems, form.system)
        if form is None or rules is None:
            return results
        for pairing, typed in typed_by_pairing.items():
            result = self._of_paper(typed, form, rules)
            results[pairing] = paper_results.settle(typed, result, boards.get(pairing))
        return results

    def _of_paper(self, typed: PaperResult, form: Format, rules: Rules) -> Result:
        """Return a typed result as a Result; it is cached, as pages ask often."""
        if (typed, form) not in self._from_paper:
            self._from_paper[typed, form] = paper_results.result_of(typed, form, rules)
        return self._from_paper[typed, form]

    def boards_results(self, round_number: int) -> dict[int, Result]:
        """Return every Result of a round that came from a board, by pairing number.

        A board's records take precedence over what its status announced, that over a typed code,
        and a board in use over a revoked one. Records for a table where the board never was are
        ignored, because a stolen board can sign anything.
        """
        results = self.typed(round_number) | self.announced_results(round_number)
        for board in sorted(self._folds, key=self._in_use):
            for key, result in self._folds[board].results.items():
                if key == typed_results.BY_HAND:
                    key = self._adopted.get(board, key)
                number, pairing = key
                table = self._tables.get(key)
                if number == round_number and table in self._tables_by_board[board]:
                    results[pairing] = result
        return results

    def announce(self, announcements: Iterable[Announcement]) -> None:
        """Add stored announcements, oldest first."""
        earlier = {key: announcement for key, (announcement, _) in self._announced.items()}
        newest = announced_results.newest([*earlier.values(), *announcements])
        for key, announcement in newest.items():
            if earlier.get(key) is not announcement:
                self._announced[key] = announcement, self.announced_result(announcement)

    def announced_result(self, announcement: Announcement) -> Result | None:
        """Return an announcement's Result, None if it is not possible at its board's table."""
        if self._tables.get((announcement.round, announcement.pairing)) != announcement.table:
            return None
        if announcement.table not in self._tables_by_board.get(announcement.board, ()):
            return None
        form = self._archive.roster.format_of(announcement.round)
        rules = form and catalogue.rules_of(self._systems, form.system)
        if not form or not rules:
            return None
        return announced_results.result(announcement, form, rules)

    def announced_results(self, round_number: int) -> dict[int, Result]:
        """Return the Results of a round that boards announced and whose records have not arrived,
        by pairing number.
        """
        return {
            announcement.pairing: result
            for announcement, result in self.announcements(round_number)
            if not self._overtaken(announcement)
        }

    def announcements(self, round_number: int) -> list[tuple[Announcement, Result]]:
        """Return each board's newest valid announcement of a round with its Result; those of boards
        in use last.
        """
        valid = [
            (announcement, result)
            for announcement, result in self._announced.values()
            if result is not None and announcement.round == round_number
        ]
        return sorted(valid, key=lambda entry: self._in_use(entry[0].board))

    def _overtaken(self, announcement: Announcement) -> bool:
        """Whether a board's records are already ahead of its announcement."""
        fold = self._folds.get(announcement.board)
        if fold is None or fold.match.round != announcement.round:
            return False
        return (announcement.milestone - fold.milestones) % announced.MOST not in _AHEAD

    def _in_use(self, board: BoardKey) -> bool:
        return self._current.get(board.device) == self._boards.get(board)

    def typed(self, round_number: int) -> dict[int, Result]:
        """Return the Results of a round that staff typed from codes, by pairing number."""
        form = self._archive.roster.format_of(round_number)
        rules = form and catalogue.rules_of(self._systems, form.system)
        counts_points = bool(rules and rules.CAPS and form and not form.elimination)
        return {
            pairing: Result(
                round=round_number,
                pairing=pairing,
                outcome=match_results.name_of(typed.won),
                games=typed.games,
                section=None,
                by=TYPED,
                ended_ms=typed.at_ms,
                incomplete=False,
                narrow=typed.narrow,
                unscored=counts_points,
            )
            for pairing, typed in typed_results.results(self._archive, round_number).items()
        }


class _LostRecords:
    """The lost records of one board, by position."""

    def __init__(self, lost: Container[RecordId], board: BoardKey):
        self._lost, self._board = lost, board

    def __contains__(self, position: object) -> bool:
        assert isinstance(position, tuple)
        epoch, counter = position
        return RecordId(*self._board, epoch, counter) in self._lost
