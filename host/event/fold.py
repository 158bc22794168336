"""Tables and results: the board's own code over the archive's records (docs/architecture.md).

A board's records fold in the order of its boots and counters, from the one in which it joined the
event. At a gap the fold waits, as what lies behind it may mean something else than it seems:
``waiting`` says how many records do. A record that the board itself has lost is passed over, and
from then on the table is ``incomplete``: its results want a judge's eye. So they do where a record was
signed that no board writes there (``record_bounds``): it is archived, counted in ``odd``, and changes nothing.
"""

import functools
from dataclasses import replace

from firmware.core import events, frames, outcome, phases, takeback
from firmware.core.match import Match
from host.event import event_systems, match_results, record_bounds, typed_results
from host.event.match_results import TYPED, Result, as_paired
from host.event.press_log import Log
from host.event.unrevealed_seeds import UnrevealedSeeds
from host.systems import catalogue

MOST_TOLD, MOST_UNDONE = (
    8192,
    255,
)  # records of one match that are folded, and how many of them take back
MOST_AFRESH = 64  # a board boots so often at an event before its first boots are heard of; more is a stolen key's doing


class TableFold:
    """One board at one event. ``match`` is the state, ``results`` by round and pairing.

    ``archived()`` returns all that is stored of the board: what is folded is kept there alone. ``systems``
    is the event's catalogue; the project's own when left out.
    """

    def __init__(self, event, gone, archived, systems=None):
        self._event, self._gone, self._archived = event, gone, archived
        self._systems = systems or catalogue.built_in()
        self._entries = {}  # (epoch, counter) -> record, those that wait to be folded
        self._closed = {}  # epoch -> (the epoch after, how many records this one has)
        self._joined = self._from = (
            None  # the earliest boot that joined, and that from which it is folded
        )
        self._afresh = 0  # how often it was folded from the start
        self._withheld = (
            UnrevealedSeeds()
        )  # says nothing of the match, whether it is here yet or not
        self._restart()

    def _restart(self):
        self.match, self.results = Match(next(iter(self._systems.values()))), {}
        self.incomplete, self.odd = False, {}  # place -> kind of each record that was not applied
        self._next = None if self._joined is None else (self._joined, 0)
        self._told, self._undone = (
            [],
            0,
        )  # (place, event) of the current match, and how many take back
        self._stale = False  # something was taken back: the match is to be folded again

    def add(self, entry):
        """Take in an archived record of this board; ``advance`` folds."""
        place = entry.epoch, entry.counter
        if self._next is not None and place >= self._next:
            self._entries[place] = entry
        self._withheld.add(entry.epoch, entry.counter, entry.frame)
        kind, _, _, b, c = frames.event_of(entry.frame)
        if kind == events.EPOCH_CLOSED:
            self._closed[b] = entry.epoch, c
        if (
            kind == events.EVENT_JOINED
            and b == self._event
            and (self._joined is None or entry.epoch < self._joined)
        ):
            if self._afresh < MOST_AFRESH:
                self._joined = entry.epoch
            else:
                self._doubt((entry.epoch, entry.counter), (kind,))

    def advance(self):
        """Fold every record that is next in order, and all of them afresh where an earlier boot joined the event."""
        if self._joined != self._from:
            self._from, self._afresh = self._joined, self._afresh + 1
            self._entries = {(one.epoch, one.counter): one for one in self._archived()}
            self._restart()
        self._follow()
        self._settle()

    def _follow(self):
        while self._next is not None:
            epoch, counter = self._next
            entry = self._entries.pop(self._next, None)
            if entry is not None:
                self._apply(entry)
            elif self._next in self._withheld:
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
        return outcome.NAMES[as_paired(match, match.outcome)], match_results.section_of(match)

    @property
    def doubtful(self):
        """Whether a judge has to look at what came of this table: records are lost, or make no sense."""
        return self.incomplete or bool(self.odd)

    @property
    def presses(self):
        """The last ten presses of the current match that stand, as (place, event), oldest first."""
        return [self._told[place] for place in takeback.presses(Log(self._told))]

    def _apply(self, entry):
        event, place = frames.event_of(entry.frame), (entry.epoch, entry.counter)
        if entry.event != self._event:
            return
        if event[0] == events.ROUND_SET:
            self._settle()
            self._told, self._undone = [], 0
        undoes = event[0] == events.TAKEN_BACK
        if len(self._told) >= MOST_TOLD or undoes and self._undone >= MOST_UNDONE:
            self._doubt(place, event)
        elif undoes or self._stale or self._happen(place, event):
            self._told.append((place, event))
            self._undone += undoes
            self._stale = self._stale or undoes

    def _happen(self, place, event):
        """Apply an event and return True, or leave the match as it is and note that the event is odd."""
        before = dict(vars(self.match))
        try:
            if event[0] == events.FORMAT_SET:  # a board is given its event's when it boots
                self.match.rules = (
                    catalogue.numbered(self._systems, event[2])[1] or self.match.rules
                )
            self.match.apply(event)
            if record_bounds.fit(self.match, event[0]):
                self._note(event[1])
                return True
        except Exception:  # the last door: whatever a stolen board signs, the other tables go on
            pass
        vars(self.match).update(before)
        self._doubt(place, event)
        return False

    def _settle(self):
        """Fold the match again without what was taken back, as its board does: once, however often it was."""
        if not self._stale:
            return
        self._stale = False
        self.match = Match(self.match.rules)
        for at in takeback.standing(Log(self._told)):
            self._happen(*self._told[at])

    def _note(self, at_ms):
        match = self.match
        key = match.round, match.pairing
        if match.phase == phases.AGREED:
            self.results.setdefault(key, match_results.of(match, at_ms, self.doubtful))
        elif match.phase != phases.IDLE:
            self.results.pop(key, None)  # begun, opened or ruled again

    def _doubt(self, place, event):
        self.odd[place] = event[0]
        key = self.match.round, self.match.pairing
        if key in self.results:
            self.results[key] = replace(self.results[key], incomplete=True)


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
        self._adopted = typed_results.adopted(self._archive)
        self._systems = event_systems.of(self._archive)
        roster = self._archive.roster
        self._stood = roster.stood
        self._tables = {
            (number, one.pairing): one.table
            for number in roster.rounds
            for one in roster.pairings_of(number)
        }
        self._folds = {}
        for device, generation in self._boards:
            self.take(self._archive.records_of(device, generation))

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
            archived = functools.partial(self._archive.records_of, *key)
            self._folds[key] = TableFold(self._event, gone, archived, self._systems)
        return self._folds[key]

    @property
    def waiting(self):
        """How many records wait behind a gap, by device, where any do."""
        found = {place[0]: fold.waiting for place, fold in self._folds.items()}
        return {device: count for device, count in found.items() if count}

    @property
    def odd(self):
        """``{(device, generation): {(epoch, counter): kind}}`` of records that make no sense, where any do."""
        return {place: fold.odd for place, fold in self._folds.items() if fold.odd}

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
                number, pairing = (
                    self._adopted.get(place, key) if key == typed_results.BY_HAND else key
                )
                if (
                    number == round_number
                    and self._tables.get((number, pairing)) in self._stood[place]
                ):
                    found[pairing] = result
        return found

    def _in_use(self, place):
        return self._current.get(place[0]) == self._boards[place]

    def typed(self, round_number):
        """Return the Results of a round that staff typed from the boards' screens, by pairing."""
        return {
            pairing: Result(
                round_number, pairing, outcome.NAMES[won], games, None, TYPED, at_ms, False
            )
            for pairing, (won, games, at_ms) in typed_results.results(
                self._archive, round_number
            ).items()
        }


class _Gone:
    """One board's share of the lost records."""

    def __init__(self, gone, board):
        self._gone, self._place = gone, (board.device, board.generation)

    def __contains__(self, place):
        return (*self._place, *place) in self._gone
