"""The match machine: one table's state, ``decide`` (the rules) and ``apply`` (the only mutator).

``decide`` reads the state and the loaded system's tables and returns the events an intent comes
to, itself unchanged. ``apply`` writes what an event says, field by field, from the table below:
it holds no rule, no clock and no luck, so a journal replayed gives the same match anywhere.
"""

from firmware.core import countdown, events, intents, legal, phases, settle

IDLE = phases.IDLE
SEATED = phases.SEATED
PREGAME = phases.PREGAME
PLAYING = phases.PLAYING
FROZEN = phases.FROZEN
TIME = phases.TIME
OVERTIME = phases.OVERTIME
FINISHING = phases.FINISHING
RESOLVING = phases.RESOLVING
PLAY_ON = phases.PLAY_ON
TIEBREAKER = phases.TIEBREAKER
PROPOSED = phases.PROPOSED
AGREED = phases.AGREED

# What an event writes: "field=word". Words: a number; z (0, 0); n None; at a b c the event's own
# numbers; a0 a's low 4 bits; b0 b1 c0 c1 bytes; bc the pair; long c and b as u32; e all of it; s
# the score; and the few below that fold with what is there.
_KEPT = "phase=0 round=0 table=0 pairing=0 system=0 format=2 minutes=0 policy=0 "
_FRESH = (
    "start_ms=n lost_ms=0 frozen_ms=n held=0 clock_ms=n extension_s=0 seen=0 present=0 called=0 "
    "score=z games=z game=1 progress=0 pressed=0 known=0 turning=0 seat=n turn=0 prizes=n "
    "adjusted=z destroyed=n wiped=0 conceded=n late=0 situation=0 outcome=0 section=0 missing=0 "
    "award=0 claimed=0 confirmed=0 ended_ms=n told=n call=n consent=0 roll=n rolled=0"
)
_WRITES = {
    events.ROUND_SET: "phase=1 round=a table=b pairing=c",
    events.ROUND_CLEARED: "phase=0",
    events.FORMAT_SET: "system=a format=b minutes=c",
    events.START_SET: "start_ms=at lost_ms=0",
    events.PREGAME_BEGUN: "phase=2",
    events.ROUND_BEGUN: "phase=3 clock_ms=at",
    events.CLOCK: "clock_ms=at",
    events.SEAT_CONFIRMED: "present=|a",
    events.STARTER_SET: (
        "progress=1 pressed=1 known=0 turning=0 seat=n game=b prizes=n destroyed=n adjusted=z"
    ),
    events.TURN_STARTED: "progress=1 pressed=1 known=1 turning=1 seat=a",
    events.TURN_ENDED: "known=1 turning=0 seat=a turn=b situation=c prizes=n destroyed=n",
    events.GAME_WON: (
        "score=+a games=s section=b situation=c phase=3 progress=2 pressed=1 known=0 turning=0 "
        "seat=n prizes=n outcome=0 missing=0 award=0 claimed=0"
    ),
    events.GAME_LEVELLED: "situation=c progress=0 pressed=1 known=0 turning=0 seat=n prizes=n",
    events.PRIZES_COUNTED: "prizes=bc pressed=1",
    events.PRIZES_ADJUSTED: "adjusted=bc",
    events.DESTROYED_COUNTED: "destroyed=bc",
    events.WIPED_OUT: "wiped=a situation=c",
    events.CONCEDED: "conceded=a section=b situation=c claimed=0",
    events.FROZEN: "frozen_ms=at held=a phase=4",
    events.RESUMED: "frozen_ms=n phase=a lost_ms=long clock_ms=at",
    events.EXTENDED: "extension_s=b seen=0",
    events.EXTENSION_SEEN: "seen=|a",
    events.LATE_STAMPED: "late=a",
    events.TIME_CALLED: "called=1 phase=a turn=b0 missing=b1 situation=c",
    events.STATE_TOLD: "told=n score=bc games=bc game=tg progress=tp missing=tm situation=ts",
    events.TURN_TOLD: (
        "told=n missing=0 progress=1 pressed=1 known=1 seat=a0 turning=b0 turn=b1 phase=c0 "
        "situation=c1"
    ),
    events.OUTCOME_PROPOSED: (
        "phase=p outcome=a section=b missing=c0 award=c1 games=g confirmed=0 claimed=0"
    ),
    events.RESULT_CLAIMED: (
        "phase=11 outcome=a games=bc section=0 missing=0 award=0 confirmed=0 claimed=1"
    ),
    events.RESULT_RULED: (
        "phase=p outcome=a0 games=bc section=0 missing=0 award=0 confirmed=0 claimed=2"
    ),
    events.RESULT_CONFIRMED: "confirmed=|a",
    events.RESULT_REFUSED: "phase=8 outcome=6 section=0 missing=0 confirmed=0 claimed=3",
    events.RESULT_REOPENED: "phase=a outcome=b claimed=c games=s section=0 confirmed=0",
    events.MATCH_ENDED: "phase=12 ended_ms=at",
    events.JUDGE_CALLED: "call=a",
    events.CALL_ENDED: "call=n told=n",
    events.POLICY_SET: "policy=a",
    events.CONSENT_GIVEN: "consent=|a",
    events.ROLLED: "roll=e rolled=1",
    events.ROLL_AGREED: "rolled=2",
    events.ROLL_DISPUTED: "rolled=3",
    events.ROLL_RULED: "rolled=r",
    events.ROLL_VOIDED: "rolled=0",
    events.PLAY_RESUMED: (
        "phase=a situation=c called=0 turn=0 outcome=0 section=0 missing=0 award=0 claimed=0 "
        "confirmed=0 games=s told=n"
    ),
    events.OVERTIME_ENDED: "situation=c turning=0",
}
# the phase an outcome stands for, by its code
_STANDS = bytes((PLAYING, PROPOSED, PROPOSED, PROPOSED, TIEBREAKER, PLAY_ON, RESOLVING))
_WORDS = {
    "n": lambda m, e, old: None,
    "z": lambda m, e, old: (0, 0),
    "at": lambda m, e, old: e[1],
    "a": lambda m, e, old: e[2],
    "b": lambda m, e, old: e[3],
    "c": lambda m, e, old: e[4],
    "a0": lambda m, e, old: e[2] & 15,
    "b0": lambda m, e, old: e[3] & 255,
    "b1": lambda m, e, old: e[3] >> 8,
    "c0": lambda m, e, old: e[4] & 255,
    "c1": lambda m, e, old: e[4] >> 8,
    "bc": lambda m, e, old: (e[3], e[4]),
    "long": lambda m, e, old: e[3] | e[4] << 16,
    "e": lambda m, e, old: e,
    "s": lambda m, e, old: m.score,
    "|a": lambda m, e, old: old | 1 << e[2],
    "+a": lambda m, e, old: (old[0] + (not e[2]), old[1] + e[2]),
    "p": lambda m, e, old: _STANDS[e[2] & 15],
    "r": lambda m, e, old: 4 if e[2] else 0,
    # the score with the awarded game
    "g": lambda m, e, old: (m.score[0] + (m.award == 1), m.score[1] + (m.award == 2)),
    # what the players told: the game's number, whether it is under way, what is still asked
    "tg": lambda m, e, old: max(1, e[3] + e[4] + (e[2] & 1)),
    "tp": lambda m, e, old: e[2] & 1 or (2 if e[3] + e[4] else 0),
    "tm": lambda m, e, old: phases.TURN if e[2] & 1 else 0,
    "ts": lambda m, e, old: e[2] >> 1 & 7,
}


class Match:
    """One table's match under the loaded system; all state in plain attributes (see ``_WRITES``)."""

    def __init__(self, rules):
        """Start idle. ``rules`` is a system (``systems``): any object with its names."""
        self.rules = rules
        self._write(_KEPT + _FRESH, None)

    def apply(self, event):
        """Write what ``event`` says. Kinds that are no part of a match change nothing."""
        kind = event[0]
        if kind in (events.ROUND_SET, events.ROUND_CLEARED):
            self._write(_FRESH, event)
        if kind in (events.STATE_TOLD, events.TURN_TOLD) and event[2] >> 4 in (1, 2):
            self.told = event  # one seat's answer waits for the other's
        elif kind in _WRITES:
            self._write(_WRITES[kind], event)

    def _write(self, changes, event):
        for change in changes.split():
            name, word = change.split("=")
            if word.isdigit():
                value = int(word)
            else:
                value = _WORDS[word](self, event, getattr(self, name, None))
            setattr(self, name, value)

    def fields(self):
        """Return the names of everything ``apply`` writes: a match's whole state."""
        return [change.split("=")[0] for change in (_KEPT + _FRESH).split()]

    def copy(self):
        """Return another match in the same state."""
        twin = Match(self.rules)
        for name in self.fields():
            setattr(twin, name, getattr(self, name))
        return twin

    def decide(self, intent, now_ms, chance=None):
        """Return the events that ``intent`` comes to at ``now_ms``, () when it is not legal.

        Tick first, at the same instant: only a ``TICK`` notices that time has passed. ``chance``
        is asked for ``face(sides)`` by a ROLL alone.
        """
        first = ()
        if intent[0] != intents.TICK:
            first = legal.ask(self, intent, now_ms, chance)
            if not first:
                return ()
        return settle.all_events(self, first, now_ms)

    def legal(self, kind):
        """Say whether an intent of this kind has a place in the present phase and system."""
        return legal.placed(self, kind)

    def due_ms(self, now_ms):
        """Return when a TICK will next have something to say, or None; never before ``now_ms``."""
        due = settle.due_ms(self)
        return None if due is None else max(due, now_ms)

    def remaining_ms(self, now_ms):
        """Return the table's time left, negative after its zero; None before a start is set."""
        if self.start_ms is None:
            return None
        return countdown.remaining_ms(self.zero_ms, now_ms, self.frozen_ms)

    @property
    def zero_ms(self):
        """The table's zero in event time, or None; while frozen, the zero as of the freeze."""
        if self.start_ms is None:
            return None
        return countdown.zero_ms(self.start_ms, self.minutes, self.extension_s, self.lost_ms)

    @property
    def elimination(self):
        """1 in an elimination round, 0 in Swiss."""
        return self.format & 1

    @property
    def best_of(self):
        """Games at most: 1 or 3."""
        return self.format >> 1 & 3

    @property
    def limited(self):
        """1 for Limited, 0 for Constructed."""
        return self.format >> 3 & 1

    @property
    def team(self):
        """1 for a team match."""
        return self.format >> 7 & 1

    @property
    def cap(self):
        """This round's squad points, 0 where the system has none."""
        caps = self.rules.CAPS
        return caps[self.format >> 8 & 3] if caps else 0

    @property
    def overtime(self):
        """The turns after time, and the overtime clock in seconds (0 none)."""
        options = self.rules.OVERTIME
        i = self.format >> 4 & 7
        turns, clock_s = options[i if i < len(options) else 0]
        own = self.format >> 10 & 15
        return (own - 1 if own else turns), clock_s

    @property
    def cards(self):
        """How many prizes each side may have left at most, 0 where there are none."""
        counts = self.rules.CARDS
        if not counts:
            return 0
        if self.phase == TIEBREAKER:
            return self.rules.FIRST_PRIZE
        return counts[self.limited + 2 * (self.team and len(counts) > 2)]
