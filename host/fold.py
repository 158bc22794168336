"""Tables and results: the board's own code over the archive's records (DESIGN §1).

A board's records fold in the order of its boots and counters, from the one in which it joined the
event. At a gap the fold waits, as what lies behind it may mean something else than it seems:
``waiting`` says how many records do. A record that the board itself has lost is passed over, and
from then on the table is ``incomplete``: its results want a judge's eye.
"""

from dataclasses import dataclass

from firmware.core import events, frames, outcome, phases, takeback
from firmware.core.match import Match
from host import entered
from host.systems import catalogue, stored
from host.withheld import Withheld

PHASES = (
    "idle", "seated", "pregame", "playing", "frozen", "time", "overtime", "finishing",
    "resolving", "play_on", "tiebreaker", "proposed", "agreed",
)  # fmt: skip
AGREED, RULED, TYPED = "agreed", "ruled", "code"
_BY_HAND = 0, 0  # round and pairing of a match that a judge set up without the host
_BY_JUDGE = 2  # what RESULT_RULED leaves in ``claimed``


@dataclass(frozen=True)
class Result:
    """A match's result as its players were paired, wherever they sat: outcome ``A``, ``B`` or ``tie``, games won, section, and by whom."""

    round: int
    pairing: int
    outcome: str
    games: tuple[int, int]
    section: str | None
    by: str  # AGREED by both seats, RULED, or TYPED from a board's screen
    ended_ms: int
    incomplete: bool
    destroyed: tuple[int, int] | None = None  # points by A and by B, where the system counts them
    wiped: int = 0  # seats (bits) whose ships are all gone
    conceded: int | None = None  # a seat
    narrow: bool = False  # the last game was awarded by a count after time (D03 216)
    timed: bool = False  # time was called on it
    points: tuple[int | None, int | None] = (None, None)  # None where the text leaves them open


class TableFold:
    """One board at one event. ``match`` is the state, ``results`` by round and pairing.

    ``systems`` is the event's catalogue; the project's own when left out.
    """

    def __init__(self, event, gone, systems=None):
        self._event, self._gone = event, gone
        self._systems = systems or catalogue.built_in()
        self._entries = {}  # (epoch, counter) -> Entry, all of them
        self._closed = {}  # epoch -> (the epoch after, how many records this one has)
        self._joined = None
        self._withheld = Withheld()  # says nothing of the match, whether it is here yet or not
        self._restart()

    def _restart(self):
        self.match, self.results = Match(next(iter(self._systems.values()))), {}
        self.incomplete = False
        self._next = None if self._joined is None else (self._joined, 0)
        self._folded = 0
        self._told = []  # (place, event) of the current match

    def add(self, entry):
        """Take in an archived Entry of this board; ``advance`` folds."""
        self._entries[entry.epoch, entry.counter] = entry
        self._withheld.add(entry.epoch, entry.counter, entry.frame)
        kind, _, _, b, c = frames.event_of(entry.frame)
        if kind == events.EPOCH_CLOSED:
            self._closed[b] = entry.epoch, c
        joins = kind == events.EVENT_JOINED and b == self._event
        if joins and (self._joined is None or entry.epoch < self._joined):
            self._joined = entry.epoch
            self._restart()

    def advance(self):
        """Fold every record that is next in order."""
        while self._next is not None:
            epoch, counter = self._next
            entry = self._entries.get(self._next)
            if entry is not None:
                self._folded += 1
                self._apply(entry)
            elif self._next in self._withheld.seeds:
                pass
            elif (epoch, counter) in self._gone:
                self.incomplete = True
            else:
                after, held = self._closed.get(epoch, (0, -1))
                if after <= epoch or held > counter:
                    return
                self._next = after, 0
                continue
            self._next = epoch, counter + 1

    @property
    def waiting(self):
        """How many archived records lie behind a gap."""
        if self._next is None:
            return 0
        return sum(1 for place in self._entries if place >= self._next)

    def last_ms(self, kind):
        """Return when an event of a kind last happened in the current match, or None."""
        return next((event[1] for _, event in reversed(self._told) if event[0] == kind), None)

    def last(self, kind):
        """Return the first number of the last event of a kind in the current match, or None."""
        return next((event[2] for _, event in reversed(self._told) if event[0] == kind), None)

    def times(self, kinds):
        """Return ``(kind, at_ms)`` of every event of some kinds in the current match."""
        return [event[:2] for _, event in self._told if event[0] in kinds]

    @property
    def proposal(self):
        """The outcome's name and its section (None where there is none), or None."""
        match = self.match
        if not match.outcome:
            return None
        return outcome.NAMES[as_paired(match, match.outcome)], self._section

    @property
    def _section(self):
        match = self.match
        return match.rules.SECTIONS[match.section - 1] if match.section else None

    @property
    def presses(self):
        """The last ten presses of the current match that stand, as (place, event), oldest first."""
        return takeback.presses(lambda: iter(self._told))

    def _apply(self, entry):
        event = frames.event_of(entry.frame)
        if entry.event != self._event:
            return
        if event[0] == events.FORMAT_SET:  # a board is given its event's when it boots
            self.match.rules = catalogue.numbered(self._systems, event[2])[1] or self.match.rules
        if event[0] == events.ROUND_SET:
            self._told = []
        self._told.append(((entry.epoch, entry.counter), event))
        self.match.apply(event)
        if event[0] == events.TAKEN_BACK:
            self._rebuild()
        self._note(event[1])

    def _rebuild(self):
        """Fold the match again without what was taken back, as its board does."""
        self.match = Match(self.match.rules)
        for _, event in takeback.standing(lambda: iter(self._told)):
            self.match.apply(event)

    def _note(self, at_ms):
        match = self.match
        key = match.round, match.pairing
        if match.phase == phases.AGREED:
            self.results.setdefault(key, self._result(at_ms))
        elif match.phase != phases.IDLE:
            self.results.pop(key, None)  # begun, opened or ruled again

    def _result(self, at_ms):
        match = self.match
        by_seat = _paired if match.swapped else tuple
        won, games, destroyed, wiped, conceded, worth = by_seat((
            match.outcome, tuple(match.games), match.destroyed, match.wiped if match.cap else 0,
            match.conceded, outcome.points(match),
        ))  # fmt: skip
        return Result(
            match.round, match.pairing, outcome.NAMES[won], games, self._section,
            RULED if match.claimed == _BY_JUDGE else AGREED, at_ms, self.incomplete,
            destroyed, wiped, conceded, bool(match.award), bool(match.called), worth,
        )  # fmt: skip


_OTHER_SEAT = {1: 2, 2: 1}


def as_paired(match, told):
    """Return an outcome, seats (bits) or a pair by seat as the players were paired, wherever they sit."""
    if not match.swapped:
        return told
    return _OTHER_SEAT.get(told, told) if isinstance(told, int) else told[::-1]


def _paired(told):
    """Return what was told by seats as the players were paired: they had changed places."""
    won, games, destroyed, wiped, conceded, worth = told
    return (
        _OTHER_SEAT.get(won, won), games[::-1], destroyed and destroyed[::-1],
        _OTHER_SEAT.get(wiped, wiped), None if conceded is None else 1 - conceded, worth[::-1],
    )  # fmt: skip


class Hall:
    """Every board's fold at the archive's current event; feed it what the archive stores.

    ``gone`` holds ``(device, generation, epoch, counter)`` of records that boards have lost.
    """

    def __init__(self, archive, gone=frozenset()):
        self._archive, self._gone = archive, gone
        self.reload()

    def reload(self):
        """Fold the whole archive afresh, as after an event was opened or a board added."""
        event = self._archive.roster.event
        self._event = event.number if event else 0
        self._boards = {(one.device, one.generation): one for one in self._archive.roster.boards}
        self._current = self._archive.roster.current_boards
        self._places = {one.address: (one.device, one.generation) for one in self._current.values()}
        self._adopted = entered.adopted(self._archive)
        self._systems = stored.of(self._archive)
        roster = self._archive.roster
        self._stood = roster.stood
        self._tables = {
            (number, one.pairing): one.table for number in roster.rounds for one in roster.pairings_of(number)
        }
        self._folds = {}
        self.take(self._archive.records())

    def take(self, entries):
        """Fold newly archived entries."""
        touched = {}
        for entry in entries:
            board = self._boards.get((entry.device, entry.generation))
            if board is None:
                continue
            fold = touched[entry.device, entry.generation] = self._fold(board)
            fold.add(entry)
        for fold in touched.values():
            fold.advance()

    def _fold(self, board):
        key = board.device, board.generation
        if key not in self._folds:
            gone = _Gone(self._gone, board)
            self._folds[key] = TableFold(self._event, gone, self._systems)
        return self._folds[key]

    @property
    def waiting(self):
        """How many records wait behind a gap, by device, where any do."""
        found = {place[0]: fold.waiting for place, fold in self._folds.items()}
        return {device: count for device, count in found.items() if count}

    def fold_at(self, table):
        """Return the TableFold of the board at a table, or None before it was heard."""
        return self._folds.get(self._places.get(table))

    def match_at(self, table, round_number, attribute, default):
        """Return an attribute of a table's match while it is in this round, else ``default``."""
        fold = self.fold_at(table)
        if fold is None or fold.match.round != round_number:
            return default
        return getattr(fold.match, attribute)

    def results(self, round_number):
        """Return every Result of a round by pairing number.

        A board's own word counts more than what was typed of it, and that of a board in use more
        than that of one that was taken away. Of a table where it never stood it has none: a
        stolen board can sign what it likes.
        """
        found = self.typed(round_number)
        for place in sorted(self._folds, key=self._in_use):
            for key, result in self._folds[place].results.items():
                number, pairing = self._adopted.get(place, key) if key == _BY_HAND else key
                if number == round_number and self._tables.get((number, pairing)) in self._stood[place]:
                    found[pairing] = result
        return found

    def _in_use(self, place):
        return self._current.get(place[0]) == self._boards[place]

    def typed(self, round_number):
        """Return the Results of a round that staff typed from the boards' screens, by pairing."""
        return {
            pairing: Result(round_number, pairing, outcome.NAMES[won], games, None, TYPED, at_ms, False)
            for pairing, (won, games, at_ms) in entered.results(self._archive, round_number).items()
        }


class _Gone:
    """One board's share of the lost records."""

    def __init__(self, gone, board):
        self._gone, self._place = gone, (board.device, board.generation)

    def __contains__(self, place):
        return (*self._place, *place) in self._gone
