"""The match machine: one table's state, ``decide`` (the rules) and ``apply`` (the only mutator).

``decide`` reads the state and the loaded system's tables and returns an intent's events, without a
change. ``apply`` writes an event's fields from a table (``writes``). It contains no rule, clock or
randomness, so a replayed journal gives the same match anywhere.
"""

from firmware.core import automatic_events, countdown, events, intents, legal, phases, writes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Event, Events, Intent, Pair, Rolls, Rules

# the phase an outcome stands for, by its code
_STANDS = bytes((3, 11, 11, 11, 10, 9, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8))
_SET_BIT = 26
_COUNTED = 16  # of a table's switches, as ``play`` has it
# events that one seat may enter alone (high nibble of ``a``): they wait for the other seat
_TOLD = bytes(
    (events.PRIZES_COUNTED, events.DESTROYED_COUNTED, events.STATE_TOLD, events.TURN_TOLD)
)
_ANEW = bytes((events.ROUND_SET, events.ROUND_CLEARED))
_NUMBER = 32
_NONE_WON = (0, 0)
_NOTHING = (0, 0, 0, 0, 0)


_BOTH = 11
_EVENT = 13
_AWARDED = 15
_GAINED = 16


def _place(kind):
    """Return the index in ``ROWS`` of the length of a kind's row, -1 for no part of a match."""
    rows, i = writes.ROWS, 0
    end = len(rows)
    while i < end:
        if rows[i] == kind:
            return i + 1
        i += 2 + rows[i + 1]
    return -1


def _pair(score: "Pair", event: "Event | list[int]", code: int) -> "Pair":
    """Return the value of a word that is a pair of numbers; ``score`` is the previous score."""
    _, _, a, b, c = event
    if code == _BOTH:
        return b, c
    won = c >> 8 if code == _AWARDED else a + 1
    return score[0] + (won == 1), score[1] + (won == 2)


class Match:
    """One table's match under the loaded system; its state in plain attributes (``writes``)."""

    phase: int
    round: int
    table: int
    pairing: int
    system: int
    format: int
    minutes: int
    policy: int
    start_ms: int | None
    lost_ms: int
    frozen_ms: int | None
    held: int
    clock_ms: int | None
    extension_s: int
    seen: int
    present: int
    called: int
    score: "Pair"
    games: "Pair"
    game: int
    progress: int
    pressed: int
    known: int
    turning: int
    seat: int | None
    turn: int
    prizes: "Pair | None"
    adjusted: "Pair"
    destroyed: "Pair | None"
    wiped: int
    conceded: int | None
    late: int
    situation: int
    outcome: int
    section: int
    missing: int
    award: int
    claimed: int
    confirmed: int
    ended_ms: int | None
    told: "Event | None"
    call: int | None
    consent: int
    roll: "Event | None"
    rolled: int
    agreed: int
    won: int | None
    said: "Event | None"
    first: int
    swapped: int
    _values: "list[int | Pair | None]"
    _twin: "Match | None"
    drawn: int
    pregame_ms: "int | None"
    squads: "Pair | None"
    mirror: int
    tossed: int

    def __init__(self, rules: "Rules"):
        """Start idle. ``rules`` is a system (``systems``): any object with its names."""
        self.rules = rules
        self._values = [None] * _SET_BIT
        self._twin = None
        self.clear()

    def clear(self) -> None:
        """Reset to the start, under the same rules."""
        self.score = (0, 0)
        self._write(writes.IDLE, 0, len(writes.IDLE), _NOTHING)
        self._write(writes.FRESH, 0, len(writes.FRESH), _NOTHING)

    def apply(self, event: "Event | list[int]") -> None:
        """Apply ``event``, a tuple or a reused list.

        Kinds that are no part of a match change nothing.
        """
        kind = event[0]
        if kind in _ANEW:
            self._write(writes.FRESH, 0, len(writes.FRESH), event)
        if kind in _TOLD and event[2] >> 4 in (1, 2):
            self.told = tuple(event)  # pyright: ignore[reportAttributeAccessIssue]  (five numbers)
            return
        if kind == events.POLICY_SET and (self.policy ^ event[2]) & _COUNTED and not self.called:
            self._forget_turn()
        at = _place(kind)
        if at >= 0:
            self._write(writes.ROWS, at + 1, at + 1 + writes.ROWS[at], event)

    def _forget_turn(self):
        """Where the counting of turns begins or stops, nobody has told whose turn it is."""
        if self.rules.SEATS:
            self.known = self.turning = 0
            self.seat = None

    def _write(self, rows: bytes, start: int, end: int, event: "Event | list[int]") -> None:
        values = self._words(event)
        for i in range(start, end, 2):
            name, code = writes.NAMES[rows[i]], rows[i + 1]
            if code >= _NUMBER:
                value = code - _NUMBER
            elif code == _EVENT:
                value = tuple(event)
            elif code == _SET_BIT:
                value = getattr(self, name) | 1 << event[2] if event[2] < 2 else 0
            elif code == _BOTH or code == _AWARDED or code == _GAINED:
                value = _pair(values[14], event, code)  # pyright: ignore[reportArgumentType]  (the score)
            else:
                value = values[code]
            setattr(self, name, value)

    def _words(self, event):
        """Return each word's value for this event, in code order, in one reused list."""
        values = self._values  # each by itself: more than three at once would make a tuple
        _, at, a, b, c = event
        started = a & 1
        values[1] = _NONE_WON
        values[2] = at
        values[3] = a
        values[4] = b
        values[5] = c
        values[6] = a & 15
        values[7] = b & 255
        values[8] = b >> 8
        values[9] = c & 255
        values[10] = c >> 8
        values[12] = b | c << 16
        values[14] = self.score
        values[17] = _STANDS[a & 15]
        values[18] = 4 * started
        values[19] = max(1, b + c + started)
        values[20] = started or 2 * (b + c > 0)
        values[21] = self.rules.ASKED & phases.TURN * started
        values[22] = a >> 1 & 7
        values[23] = b - 1 if b else None
        values[24] = self.phase if a else phases.PREGAME
        values[25] = a >> 4
        return values

    def fields(self) -> tuple[str, ...]:
        """Return the names of everything ``apply`` writes: a match's whole state."""
        return writes.NAMES

    def copy(self) -> "Match":
        """Return another match in the same state."""
        return self._put_into(Match(self.rules))

    def twin(self) -> "Match":
        """Return a second match in the same state, made once, for looking ahead."""
        if self._twin is None:
            self._twin = Match(self.rules)
        self._twin.rules = self.rules
        return self._put_into(self._twin)

    def _put_into(self, other: "Match") -> "Match":
        for name in writes.NAMES:
            setattr(other, name, getattr(self, name))
        return other

    def decide(self, intent: "Intent", now_ms: int, chance: "Rolls | None" = None) -> "Events":
        """Return the events of ``intent`` at ``now_ms``, () if it is not legal.

        Tick first, at the same time: only a ``TICK`` notices that time has passed. Only a ROLL uses
        ``chance.face(sides)``.
        """
        first = ()
        if intent[0] != intents.TICK:
            first = legal.ask(self, intent, now_ms, chance)
            if not first:
                return ()
        return automatic_events.all_events(self, first, now_ms)

    def legal(self, kind: int) -> bool:
        """Return whether an intent of this kind can be legal in the current phase and system."""
        return legal.placed(self, kind)

    def due_ms(self, now_ms: int) -> int | None:
        """Return when a TICK will next return an event, or None; never before ``now_ms``."""
        due = automatic_events.due_ms(self)
        return now_ms if due is not None and due < now_ms else due

    def remaining_ms(self, now_ms: int) -> int | None:
        """Return the table's time left, negative after its zero; None before a start is set."""
        zero_ms = self.zero_ms
        return None if zero_ms is None else countdown.remaining_ms(zero_ms, now_ms, self.frozen_ms)

    @property
    def zero_ms(self) -> int | None:
        """The table's zero in event time, or None; while frozen, the zero as of the freeze."""
        if self.start_ms is None:
            return None
        return countdown.zero_ms(self.start_ms, self.minutes, self.extension_s, self.lost_ms)

    @property
    def elimination(self) -> int:
        """1 in an elimination round, 0 in Swiss."""
        return self.format & 1

    @property
    def best_of(self) -> int:
        """Maximum number of games: odd up to 15, or even, when all of them are played."""
        bits = self.format
        return bits >> 1 & 3 | (0 if self.rules.CAPS else bits >> 6 & 12)

    @property
    def limited(self) -> int:
        """1 for Limited, 0 for Constructed."""
        return self.format >> 3 & 1

    @property
    def team(self) -> int:
        """1 for a team match."""
        return self.format >> 7 & 1

    @property
    def cap(self) -> int:
        """This round's squad points, 0 if the system has none."""
        caps = self.rules.CAPS
        return caps[self.format >> 8 & 3] if caps else 0

    @property
    def overtime(self) -> "Pair":
        """The turns after time, and the overtime clock in seconds (0 none)."""
        options = self.rules.OVERTIME
        i = self.format >> 4 & 7
        option = options[i if i < len(options) else 0]
        own = self.format >> 10 & 15
        return (own - 1, option[1]) if own else option

    @property
    def cards(self) -> int:
        """The most prizes each side may have left, 0 without prizes."""
        counts = self.rules.CARDS
        if not counts:
            return 0
        if self.phase == phases.TIEBREAKER:
            return self.rules.FIRST_PRIZE
        return counts[self.limited + 2 * (self.team and len(counts) > 2)]
