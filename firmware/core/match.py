"""The match machine: one table's state, ``decide`` (the rules) and ``apply`` (the only mutator).

``decide`` reads the state and the loaded system's tables and returns an intent's events, without a
change. ``apply`` changes the state as an event says, by the method of its kind's name:
``_round_set`` for a ROUND_SET. It contains no rule, clock or randomness, so a replayed journal
gives the same match anywhere.
"""

from firmware.core import (
    acts,
    automatic_events,
    events,
    intents,
    legal,
    luck,
    outcome,
    phases,
    play,
    result,
    team,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Answer, Any, Event, Events, Intent, Pair, Piles, Rolls, Rules

JUDGE_IS_HERE = 128  # in place of a call's type, once a judge is at the table


def _format_bit(place: int) -> "Any":
    return property(lambda match: match.format >> place & 1)


class Match:
    """One table's match under the loaded system; its state in plain attributes (``FIELDS``)."""

    def __init__(self, rules: "Rules"):
        """Start idle. ``rules`` is a system (``systems``): any object with its names."""
        self.rules = rules
        self.clear()

    def clear(self) -> None:
        """Reset to the start, under the same rules."""
        self.phase = phases.IDLE
        self.round = self.table = self.pairing = 0
        self._begin_round()

    def _begin_round(self):
        """Reset what belongs to a round; ``seats`` below are bits: 1 is seat 0, 2 is seat 1."""
        # the format and the clock
        self.system = 0
        self.format = 2
        self.minutes = 0
        self.policy = 0
        self.start_ms: int | None = None
        self.lost_ms = 0  # to freezes that are over
        self.frozen_ms: int | None = None
        self.held = 0  # the phase that a freeze stopped
        self.clock_ms: int | None = None
        self.extension_s = 0
        self.seen = 0  # seats that have seen the extension
        self.pregame_ms: int | None = None
        self.called = 0  # 1: time has been called
        # the seats
        self.present = 0  # seats
        self.swapped = 0
        self.late = 0  # seats
        self.first = 0  # the seat that plays the game first
        # the games
        self.score: Pair = (0, 0)  # games won as they were played
        self.games: Pair = (0, 0)  # games won as the result says that is proposed
        self.game = 1  # the number of the game in progress, or of the next one
        self.progress = phases.NOT_BEGUN  # of that game; GAME_OVER: of the one before it
        self.pressed = 0  # 1: a key has told something about that game
        self.known = 0  # 1: it is known whose turn it is
        self.turning = 0  # 1: that turn is in progress
        self.seat: int | None = None  # whose turn it is, or who is next
        self.turn = 0  # the number of the turn after time
        self.prizes: Pair | None = None  # left, by seat
        self.adjusted: Pair = (0, 0)  # prizes by which a judge has changed the count
        self.destroyed: Pair | None = None  # squad points, by seat
        self.wiped = 0  # seats without a ship, in a team match players who are out
        self.conceded: int | None = None  # the seat
        self.won: int | None = None  # the seat that won the last game that was won
        self.drawn = 0  # 1: the last game ended level
        self.pending_penalty: events.Event | None = None  # a penalty, until the score is told
        # the result
        self.situation = 0  # how play ended (``phases``), 0: it has not
        self.outcome = 0
        self.section = 0  # of the rules' text, by its number
        self.missing = 0  # what must be told first, as bits of ``phases``
        self.award = 0  # who gets the unfinished game: 0 nobody, 1, 2
        self.claimed = 0  # by whom, and whether it was disputed (``result``)
        self.confirmed = 0  # seats
        self.ended_ms: int | None = None
        self.pending_answer: Answer | None = None
        # the judge and the desk
        self.call: int | None = None
        self.notice: events.Event | None = None
        # luck
        self.consent = 0  # seats
        self.roll: events.Event | None = None
        self.rolled = 0  # how far a roll is (``luck``)
        self.agreed = 0  # seats
        self.squads: Pair | None = None  # points, as paired
        self.mirror = 0  # 1: both fly the same faction
        self.tossed = 0  # who won the tosses, as bits (``luck``)
        self.flipped = 0  # 1: they flip for who plays the next game first
        self.obstacle = 0  # the number of the one to be placed next; 7: all lie
        self.placing = 0  # the seat that places it
        self.piles: Piles | None = None  # prizes left in a team match (``team``)

    def apply(self, event: "Event") -> None:
        """Apply ``event``; kinds that are no part of a match change nothing."""
        if getattr(event, "teller", 0) in (1, 2):  # one seat's answer waits for the other's
            self.pending_answer = event  # pyright: ignore[reportAttributeAccessIssue]  (an Answer)
            return
        applied = _APPLIED.get(event.kind)
        if applied is not None:
            applied(self, event)

    def copy(self) -> "Match":
        """Return another match in the same state, to look ahead with."""
        other = Match(self.rules)
        for name in FIELDS:
            setattr(other, name, getattr(self, name))
        return other

    def decide(self, intent: "Intent", now_ms: int, rolls: "Rolls | None" = None) -> "Events":
        """Return the events of ``intent`` at ``now_ms``, () if it is not legal. Tick first, at the
        same time: only a ``TICK`` notices that time has passed. Only a ROLL uses ``rolls``.
        """
        if intent.kind == intents.TICK:
            return automatic_events.all_events(self, (), now_ms)
        own = legal.ask(self, intent, now_ms, rolls)
        return automatic_events.all_events(self, own, now_ms) if own else ()

    def due_ms(self, now_ms: int) -> int | None:
        """Return when a TICK will next return an event, or None; never before ``now_ms``."""
        due = automatic_events.due_ms(self)
        return now_ms if due is not None and due < now_ms else due

    def remaining_ms(self, now_ms: int) -> int | None:
        """Return the table's time left, negative after its zero; None before a start is set."""
        zero_ms = self.zero_ms
        if zero_ms is None:
            return None
        return zero_ms - (now_ms if self.frozen_ms is None else self.frozen_ms)

    @property
    def zero_ms(self) -> int | None:
        """The table's zero in event time, or None; while frozen, the zero as of the freeze. The
        room's zero, plus the table's extensions and the time its own clock stood frozen (rules P15,
        F1): so a freeze gives back exactly what was left. No clock is counted down.
        """
        if self.start_ms is None:
            return None
        return self.start_ms + self.minutes * 60000 + self.extension_s * 1000 + self.lost_ms

    # bits of the round's format, 0 or 1
    elimination = _format_bit(0)  # 0: Swiss
    limited = _format_bit(3)  # 0: Constructed
    team = _format_bit(7)  # a team match
    hides_clock = _format_bit(14)  # from the players
    needs_approval = _format_bit(15)  # a judge approves every result

    @property
    def best_of(self) -> int:
        """Maximum number of games: odd up to 15, or even, when all of them are played."""
        low, high = self.format >> 1 & 3, self.format >> 8 & 3
        if self.rules.CAPS:  # there the high bits choose a cap
            return low
        return high << 2 | low

    @property
    def cap(self) -> int:
        """This round's squad points, 0 if the system has none."""
        caps = self.rules.CAPS
        return caps[self.format >> 8 & 3] if caps else 0

    @property
    def overtime(self) -> "Pair":
        """The turns after time, and the overtime clock in seconds (0: none)."""
        options, chosen = self.rules.OVERTIME, self.format >> 4 & 7
        option = options[chosen if chosen < len(options) else 0]
        own_turns = self.format >> 10 & 15  # the organiser's own number of turns + 1; 0: none
        return (own_turns - 1, option[1]) if own_turns else option

    overtime_turns = property(lambda self: self.overtime[0])
    overtime_s = property(lambda self: self.overtime[1])

    @property
    def tiebreaker(self) -> bool:
        """Whether a Tiebreaker Game is played (9.1). Who takes the first of ``FIRST_PRIZE`` prizes
        wins it, or who wins it otherwise; if both do at once, another one follows.
        """
        return self.phase == phases.TIEBREAKER

    @property
    def first_prize_taker(self) -> int | None:
        """The seat that has won a Tiebreaker Game by the first prize, None while nobody has."""
        if not self.tiebreaker or self.prizes is None:
            return None
        left_a, left_b = self.prizes
        if left_a == left_b:
            return None
        return 0 if left_a < left_b else 1

    @property
    def cards(self) -> int:
        """The most prizes each side may have left, 0 without prizes."""
        counts = self.rules.CARDS
        if not counts:
            return 0
        if self.tiebreaker:
            return self.rules.FIRST_PRIZE
        if self.team and len(counts) > 2:  # such a system has counts of its own for teams
            counts = counts[2:]
        return counts[self.limited]

    # what each event changes

    def _round_set(self, event: events.Event):
        self._begin_round()
        self.phase = phases.SEATED
        self.round, self.table, self.pairing = event.round, event.table, event.pairing

    def _round_cleared(self, event: events.Event):
        self._begin_round()
        self.phase = phases.IDLE

    def _format_set(self, event: events.Event):
        self.system, self.format, self.minutes = event.system, event.format, event.minutes

    def _start_set(self, event: events.Event):
        self.start_ms, self.lost_ms = event.at_ms, 0

    def _policy_set(self, event: events.Event):
        counting_changes = (self.policy ^ event.switches) & play.COUNTED
        if counting_changes and not self.called and self.rules.SEATS:
            self._forget_turn()  # nobody has told whose turn it is now
        self.policy = event.switches

    def _pregame_begun(self, event: events.Event):
        if not event.game:  # the round's own; between two games the round's clock runs on
            self.phase = phases.PREGAME
        self.pregame_ms = event.at_ms

    def _round_begun(self, event: events.Event):
        self.phase = phases.PLAYING
        self.clock_ms = event.at_ms

    def _clock(self, event: events.Event):
        self.clock_ms = event.at_ms

    def _seat_confirmed(self, event: events.Event):
        self.present = _with_seat(self.present, event.seat)
        self.swapped = event.swapped
        if event.seat == acts.SWAP and self.obstacle:
            self.placing = 1 - self.placing

    def _starter_set(self, event: events.Event):
        self._forget_turn()
        self.first, self.game = event.seat, event.game
        self.progress, self.pressed = phases.IN_PROGRESS, 1
        self.wiped = self.flipped = 0
        self.prizes = self.destroyed = self.piles = None

    def _turn_started(self, event: events.Event):
        self.progress = phases.IN_PROGRESS
        self.pressed = self.known = self.turning = 1
        self.seat = event.seat

    def _turn_ended(self, event: events.Event):
        if self.phase <= phases.PREGAME:  # of a set-up of ships: the next obstacle
            self.obstacle, self.placing = event.turn, event.next_seat
            return
        self.known, self.turning = 1, 0
        self.seat, self.turn, self.situation = event.next_seat, event.turn, event.situation
        self.prizes = self.destroyed = None

    def _game_won(self, event: events.Event):
        score_is_asked = self.missing & phases.SCORE and self.best_of > 1
        if event.penalty and score_is_asked:  # which game it was, the score will tell
            self.pending_penalty = event
            return
        self._forget_turn()
        self.score = self.games = _with_game(self.score, 1 + event.seat)
        self.section, self.situation = event.section, event.situation
        self.phase = event.phase or phases.PLAYING
        self.progress, self.pressed = phases.GAME_OVER, 1
        self.won, self.drawn = event.seat, 0
        self.flipped = self.outcome = self.missing = self.award = self.claimed = 0
        self.prizes = self.pending_answer = None
        if not event.phase:  # play has begun: the 2:00 before it are over
            self.pregame_ms = None

    def _game_levelled(self, event: events.Event):
        self._forget_turn()
        self.situation, self.progress = event.situation, event.progress
        self.pressed = self.drawn = 1
        self.flipped = 0
        self.prizes = self.pregame_ms = None

    def _prizes_counted(self, event: events.Event):
        self.pressed = 1
        if event.teller == team.PILES:
            self.piles = team.unpack(event.first, event.second)
            return
        self.prizes = (event.first, event.second)
        self.pending_answer = None

    def _prizes_adjusted(self, event: events.Event):
        self.adjusted = (event.first, event.second)

    def _destroyed_counted(self, event: events.Event):
        self.destroyed = (event.first, event.second)
        self.pending_answer = None

    def _wiped_out(self, event: events.Event):
        self.wiped, self.situation = event.seats, event.situation
        self.seat = event.playing - 1 if event.playing else None

    def _conceded(self, event: events.Event):
        self.conceded, self.section, self.situation = event.seat, event.section, event.situation
        self.claimed = 0

    def _frozen(self, event: events.Event):
        self.frozen_ms, self.held = event.at_ms, event.phase
        self.phase = phases.FROZEN

    def _resumed(self, event: events.Event):
        self.frozen_ms, self.clock_ms = None, event.at_ms
        self.phase, self.lost_ms = event.phase, event.lost_ms

    def _extended(self, event: events.Event):
        self.extension_s, self.seen = event.total_s, 0

    def _extension_seen(self, event: events.Event):
        self.seen = _with_seat(self.seen, event.seat)

    def _stamped_late(self, event: events.Event):
        self.late = event.seats

    def _time_called(self, event: events.Event):
        self.called = 1
        self.phase, self.turn = event.phase, event.turn
        self.missing, self.situation = event.missing, event.situation

    def _play_resumed(self, event: events.Event):
        self.phase, self.situation = event.phase, event.situation
        self.called = self.turn = self.outcome = self.section = self.missing = self.award = 0
        self.claimed = self.confirmed = 0
        self.games, self.pending_answer = self.score, None
        if self.pending_penalty is not None:
            self._count_penalty(self.game)
            self.situation = self.section = 0  # there is time for the next game

    def _count_penalty(self, game):
        """Count the penalty that was given while the score was asked, if any, for ``game``."""
        penalty, self.pending_penalty = self.pending_penalty, None
        if penalty is not None:
            self.game = game
            self._game_won(penalty)

    def _overtime_ended(self, event: events.Event):
        self.situation, self.turning = event.situation, 0

    def _state_told(self, event: events.Event):
        """Take over the games that the seats told at time, or the desk told a spare."""
        played = event.first + event.second
        self.score = self.games = (event.first, event.second)
        self.game = max(1, played + event.started)
        if event.started:
            self.progress, self.missing = phases.IN_PROGRESS, self.rules.ASKED & phases.TURN
        else:
            self.progress = phases.GAME_OVER if played else phases.NOT_BEGUN
            self.missing = 0
        self.flipped = event.flipped
        self.situation = event.situation
        self.pending_answer = None
        if event.situation != phases.WON:
            self._count_penalty(played + 1)

    def _turn_told(self, event: events.Event):
        self.progress = phases.IN_PROGRESS
        self.pressed = self.known = 1
        self.seat, self.turning, self.turn = event.seat, event.turning, event.turn
        self.phase, self.situation = event.phase, event.situation
        self.missing, self.pending_answer = 0, None

    def _outcome_proposed(self, event: events.Event):
        self.outcome, self.section = event.outcome, event.section
        self.missing, self.award = event.missing, event.award
        self.phase = _phase_after(event.outcome)
        self.games = _with_game(self.score, self.award)
        self.claimed = self.confirmed = 0
        self.pregame_ms = None

    def _result_claimed(self, event: events.Event):
        self.phase, self.outcome = phases.PROPOSED, event.outcome
        self.games = (event.first, event.second)
        self.section = self.missing = self.award = self.confirmed = 0
        self.claimed, self.pending_answer = result.CLAIMED, None

    def _result_ruled(self, event: events.Event):
        self.phase, self.outcome = _phase_after(event.outcome), event.outcome
        self.games = (event.first, event.second)
        self.section = self.missing = self.award = self.confirmed = 0
        self.claimed = result.RULED

    def _result_confirmed(self, event: events.Event):
        self.confirmed = _with_seat(self.confirmed, event.seat)

    def _result_refused(self, event: events.Event):
        self.phase, self.outcome = phases.RESOLVING, outcome.ASK
        self.section = self.missing = self.confirmed = 0
        self.claimed = result.DISPUTED

    def _result_reopened(self, event: events.Event):
        self.phase, self.outcome, self.claimed = event.phase, event.outcome, event.claimed
        self.games = self.score
        self.section = self.confirmed = 0

    def _match_ended(self, event: events.Event):
        self.phase, self.ended_ms = phases.AGREED, event.at_ms

    def _judge_called(self, event: events.Event):
        self.call = event.call

    def _call_ended(self, event: events.Event):
        self.call = self.pending_answer = None

    def _judge_arrived(self, event: events.Event):
        self.call = JUDGE_IS_HERE

    def _organiser_said(self, event: events.Event):
        self.notice = event

    def _consent_given(self, event: events.Event):
        self.consent = _with_seat(self.consent, event.seat)

    def _rolled(self, event: events.Event):
        self.roll = event
        self.rolled, self.agreed = luck.SHOWN, 0

    def _roll_agreed(self, event: events.Event):
        self.agreed = _with_seat(self.agreed, event.seat)
        self.rolled, self.tossed = event.rolled, event.tossed
        self._note_flip()

    def _roll_disputed(self, event: events.Event):
        self.rolled = luck.DISPUTED

    def _roll_ruled(self, event: events.Event):
        self.rolled = luck.RULED if event.conclusive & 1 else 0
        self.tossed = event.tossed
        self._note_flip()

    def _note_flip(self):
        """Note a flip for who plays first in the next game, once its roll is final."""
        final = self.rolled in (luck.AGREED, luck.RULED)
        if final and self.roll is not None and self.roll.purpose == luck.FIRST_PLAYER:
            self.flipped = 1

    def _squads_set(self, event: events.Event):
        self.squads = (event.first, event.second)
        self.mirror, self.tossed = event.mirror, event.tossed

    def _forget_turn(self):
        self.known = self.turning = 0
        self.seat = None


def _with_seat(bits, seat):
    """Return ``bits`` with the one of ``seat``; 0 for SWAP: then both seats confirm again."""
    return bits | 1 << seat if seat < 2 else 0


def _with_game(score, winner):
    """Return ``score`` with one game more for ``winner``: 1, 2, or 0 for nobody."""
    first, second = score
    return first + int(winner == 1), second + int(winner == 2)


def _phase_after(verdict):
    """Return the phase that an outcome leads to."""
    if verdict == outcome.NONE:
        return phases.PLAYING
    if verdict == outcome.TIEBREAKER:
        return phases.TIEBREAKER
    if verdict == outcome.PLAY_ON:
        return phases.PLAY_ON
    return phases.RESOLVING if verdict == outcome.ASK else phases.PROPOSED


def seconds(left_ms: int) -> int:
    """Return the whole seconds shown: rounded up, so 0 appears exactly at zero."""
    return (left_ms + 999) // 1000


# the method of each kind that changes a match
_APPLIED = {
    getattr(events, name): getattr(Match, "_" + name.lower())
    for name in dir(events)
    if name.isupper() and hasattr(Match, "_" + name.lower())
}
FIELDS = tuple([name for name in Match(None).__dict__ if name != "rules"])  # pyright: ignore[reportArgumentType]  (nothing is asked of its rules)
