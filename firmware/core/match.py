"""The match machine: one table's state, ``decide`` (the rules) and ``apply`` (the only mutator).

``decide`` reads the state and the loaded system's tables and returns an intent's events, without a
change. ``apply`` changes the state as an event says, by one function for each kind (``_APPLIED``).
It contains no rule, clock or randomness, so a replayed journal gives the same match anywhere.
"""

from firmware.core import (
    automatic_events,
    countdown,
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
    from firmware.core.types import Answer, Event, Events, Intent, Pair, Piles, Rolls, Rules

# a match before anything has happened: where it is played, and all else
_NOWHERE = (("phase", phases.IDLE), ("round", 0), ("table", 0), ("pairing", 0))
_FRESH = (  # fields of seats are bits (1: seat 0, 2: seat 1) where both may be meant at once
    # the format and the clock
    ("system", 0),
    ("format", 2),
    ("minutes", 0),
    ("policy", 0),
    ("start_ms", None),
    ("lost_ms", 0),
    ("frozen_ms", None),
    ("held", 0),
    ("clock_ms", None),
    ("extension_s", 0),
    ("seen", 0),  # seats that have seen the extension
    ("pregame_ms", None),
    ("called", 0),  # 1: time has been called
    # the seats
    ("present", 0),  # seats
    ("swapped", 0),
    ("late", 0),  # seats
    ("first", 0),
    # the games
    ("score", (0, 0)),  # games won as they were played
    ("games", (0, 0)),  # games won as the result says that is proposed
    ("game", 1),  # the number of the game in progress, or of the next one
    ("progress", 0),  # of that game: 0 not begun, 1 in progress, 2 the last one is over
    ("pressed", 0),  # 1: somebody told of that game by a key
    ("known", 0),  # 1: it is known whose turn it is
    ("turning", 0),  # 1: that turn is in progress
    ("seat", None),  # whose turn it is, or who is next
    ("turn", 0),  # the number of the turn after time
    ("prizes", None),  # left, by seat
    ("adjusted", (0, 0)),  # prizes by which a judge has changed the count
    ("destroyed", None),  # squad points, by seat
    ("wiped", 0),  # seats without a ship, in a team match players who are out
    ("conceded", None),  # the seat
    ("won", None),  # the seat that won the last game that was won
    ("drawn", 0),  # 1: the last game ended level
    # the result
    ("situation", 0),
    ("outcome", 0),
    ("section", 0),
    ("missing", 0),  # what must be told first, as bits of ``phases``
    ("award", 0),  # who gets the unfinished game: 0 nobody, 1, 2
    ("claimed", 0),  # by whom, and whether it was disputed (``result``)
    ("confirmed", 0),  # seats
    ("ended_ms", None),
    ("pending_answer", None),
    # the judge and the desk
    ("call", None),
    ("said", None),
    # luck
    ("consent", 0),  # seats
    ("roll", None),
    ("rolled", 0),  # how far a roll is (``luck``)
    ("agreed", 0),  # seats
    ("squads", None),
    ("mirror", 0),
    ("tossed", 0),
    ("flipped", 0),
    ("obstacle", 0),
    ("placing", 0),
    ("piles", None),
)
FIELDS = tuple([name for name, _ in _NOWHERE + _FRESH])
JUDGE_IS_HERE = 128  # in place of a call's type, once a judge is at the table


class Match:
    """One table's match under the loaded system; its state in plain attributes (``FIELDS``)."""

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
    pending_answer: "Answer | None"
    call: int | None
    consent: int
    roll: "events.Rolled | None"
    rolled: int
    agreed: int
    won: int | None
    said: "events.OrganiserSaid | None"
    first: int
    swapped: int
    drawn: int
    pregame_ms: "int | None"
    squads: "Pair | None"
    mirror: int
    tossed: int
    flipped: int
    obstacle: int
    placing: int
    piles: "Piles | None"

    def __init__(self, rules: "Rules"):
        """Start idle. ``rules`` is a system (``systems``): any object with its names."""
        self.rules = rules
        self.clear()

    def clear(self) -> None:
        """Reset to the start, under the same rules."""
        self._set(_NOWHERE)
        self._set(_FRESH)

    def _set(self, fields):
        for name, value in fields:
            setattr(self, name, value)

    def apply(self, event: "Event") -> None:
        """Apply ``event``; kinds that are no part of a match change nothing."""
        kind = event.kind
        if kind in _TOLD_BY_SEATS and event.teller in (1, 2):  # pyright: ignore[reportAttributeAccessIssue]  (these have one)
            self.pending_answer = event  # pyright: ignore[reportAttributeAccessIssue]  (one seat alone: it waits for the other)
            return
        applied = _APPLIED.get(kind)
        if applied is not None:
            applied(self, event)

    def copy(self) -> "Match":
        """Return another match in the same state, to look ahead with."""
        other = Match(self.rules)
        for name in FIELDS:
            setattr(other, name, getattr(self, name))
        return other

    def decide(self, intent: "Intent", now_ms: int, chance: "Rolls | None" = None) -> "Events":
        """Return the events of ``intent`` at ``now_ms``, () if it is not legal.

        Tick first, at the same time: only a ``TICK`` notices that time has passed. Only a ROLL uses
        ``chance.face(sides)``.
        """
        first = ()
        if intent.kind != intents.TICK:
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
    def tiebreaker(self) -> bool:
        """Whether a Tiebreaker Game is played (9.1): it decides a game that both won at once.

        An OUTCOME_PROPOSED or a judge's RESULT_RULED begins it. It has a set-up of its own; a coin
        flip, not the loser, says who begins (``first_player.of``); each side lays out
        ``rules.FIRST_PRIZE`` prizes, in Limited, too (``cards``); whoever takes a prize first wins
        (``first_prize_taker``), or by any other way to win a game. While the round's clock runs,
        time is called in it, and the tree's rows LEVEL and HALTED say what follows; after time no
        clock runs but the set-up's.
        """
        return self.phase == phases.TIEBREAKER

    @property
    def first_prize_taker(self) -> int | None:
        """The seat that has won a Tiebreaker Game by the first prize, None while nobody has."""
        if not self.tiebreaker or self.prizes is None:
            return None
        first, second = self.prizes
        return None if first == second else 0 if first < second else 1

    @property
    def cards(self) -> int:
        """The most prizes each side may have left, 0 without prizes."""
        counts = self.rules.CARDS
        if not counts:
            return 0
        if self.tiebreaker:
            return self.rules.FIRST_PRIZE
        return counts[self.limited + 2 * (self.team and len(counts) > 2)]


# what each event changes


def _round_set(match, event: events.RoundSet):
    match._set(_FRESH)
    match.phase = phases.SEATED
    match.round, match.table, match.pairing = event.round, event.table, event.pairing


def _round_cleared(match, event: events.RoundCleared):
    match._set(_FRESH)
    match.phase = phases.IDLE


def _format_set(match, event: events.FormatSet):
    match.system, match.format, match.minutes = event.system, event.format, event.minutes


def _start_set(match, event: events.StartSet):
    match.start_ms, match.lost_ms = event.at_ms, 0


def _policy_set(match, event: events.PolicySet):
    counting = (match.policy ^ event.switches) & play.COUNTED
    if counting and not match.called and match.rules.SEATS:
        _forget_turn(match)  # where counting begins or stops nobody has told whose turn it is
    match.policy = event.switches


def _pregame_begun(match, event: events.PregameBegun):
    if not event.game:  # the round's own; between two games the round's clock runs on
        match.phase = phases.PREGAME
    match.pregame_ms = event.at_ms


def _round_begun(match, event: events.RoundBegun):
    match.phase = phases.PLAYING
    match.clock_ms = event.at_ms


def _clock(match, event: events.Clock):
    match.clock_ms = event.at_ms


def _seat_confirmed(match, event: events.SeatConfirmed):
    match.present = _with_seat(match.present, event.seat)
    match.swapped = event.swapped
    if event.seat == 2 and match.obstacle:
        match.placing = 1 - match.placing


def _starter_set(match, event: events.StarterSet):
    _forget_turn(match)
    match.first, match.game = event.seat, event.game
    match.progress = match.pressed = 1
    match.wiped = match.flipped = 0
    match.prizes = match.destroyed = match.piles = None


def _turn_started(match, event: events.TurnStarted):
    match.progress = match.pressed = match.known = match.turning = 1
    match.seat = event.seat


def _turn_ended(match, event: events.TurnEnded):
    if match.phase <= phases.PREGAME:
        match.obstacle, match.placing = event.turn, event.next_seat
        return
    match.known, match.turning = 1, 0
    match.seat, match.turn, match.situation = event.next_seat, event.turn, event.situation
    match.prizes = match.destroyed = None


def _game_won(match, event: events.GameWon):
    _forget_turn(match)
    match.score = match.games = _with_game(match.score, 1 + event.seat)
    match.section, match.situation = event.section, event.situation
    match.phase = event.phase or phases.PLAYING
    match.progress, match.pressed = 2, 1
    match.won, match.drawn = event.seat, 0
    match.flipped = match.outcome = match.missing = match.award = match.claimed = 0
    match.prizes = match.pending_answer = None
    if not event.phase:  # before the round its 2:00 go on, as the next game's
        match.pregame_ms = None


def _game_levelled(match, event: events.GameLevelled):
    _forget_turn(match)
    match.situation, match.progress = event.situation, event.progress
    match.pressed = match.drawn = 1
    match.flipped = 0
    match.prizes = match.pregame_ms = None


def _prizes_counted(match, event: events.PrizesCounted):
    if event.teller == team.PILES:
        match.piles = team.unpacked(event.first, event.second)
        match.pressed = 1
        return
    match.prizes = (event.first, event.second)
    match.pressed = 1
    match.pending_answer = None


def _prizes_adjusted(match, event: events.PrizesAdjusted):
    match.adjusted = (event.first, event.second)


def _destroyed_counted(match, event: events.DestroyedCounted):
    match.destroyed = (event.first, event.second)
    match.pending_answer = None


def _wiped_out(match, event: events.WipedOut):
    match.wiped, match.situation = event.seats, event.situation
    match.seat = event.playing - 1 if event.playing else None


def _conceded(match, event: events.Conceded):
    match.conceded, match.section, match.situation = event.seat, event.section, event.situation
    match.claimed = 0


def _frozen(match, event: events.Frozen):
    match.frozen_ms, match.held = event.at_ms, event.phase
    match.phase = phases.FROZEN


def _resumed(match, event: events.Resumed):
    match.frozen_ms, match.clock_ms = None, event.at_ms
    match.phase, match.lost_ms = event.phase, event.lost_ms


def _extended(match, event: events.Extended):
    match.extension_s, match.seen = event.total_s, 0


def _extension_seen(match, event: events.ExtensionSeen):
    match.seen = _with_seat(match.seen, event.seat)


def _stamped_late(match, event: events.StampedLate):
    match.late = event.seats


def _time_called(match, event: events.TimeCalled):
    match.called = 1
    match.phase, match.turn = event.phase, event.turn
    match.missing, match.situation = event.missing, event.situation


def _play_resumed(match, event: events.PlayResumed):
    match.phase, match.situation = event.phase, event.situation
    match.called = match.turn = match.outcome = match.section = match.missing = match.award = 0
    match.claimed = match.confirmed = 0
    match.games, match.pending_answer = match.score, None


def _overtime_ended(match, event: events.OvertimeEnded):
    match.situation, match.turning = event.situation, 0


def _state_told(match, event: events.StateTold):
    played = event.first + event.second
    match.score = match.games = (event.first, event.second)
    match.game = max(1, played + event.started)
    match.progress = event.started or 2 * (played > 0)
    match.missing = match.rules.ASKED & phases.TURN if event.started else 0
    match.situation = event.situation
    match.pending_answer = None


def _turn_told(match, event: events.TurnTold):
    match.progress = match.pressed = match.known = 1
    match.seat, match.turning, match.turn = event.seat, event.turning, event.turn
    match.phase, match.situation = event.phase, event.situation
    match.missing, match.pending_answer = 0, None


def _outcome_proposed(match, event: events.OutcomeProposed):
    match.outcome, match.section = event.outcome, event.section
    match.missing, match.award = event.missing, event.award
    match.phase = _phase_after(event.outcome)
    match.games = _with_game(match.score, match.award)
    match.claimed = match.confirmed = 0
    match.pregame_ms = None


def _result_claimed(match, event: events.ResultClaimed):
    match.phase, match.outcome = phases.PROPOSED, event.outcome
    match.games = (event.first, event.second)
    match.section = match.missing = match.award = match.confirmed = 0
    match.claimed, match.pending_answer = result.CLAIMED, None


def _result_ruled(match, event: events.ResultRuled):
    match.phase, match.outcome = _phase_after(event.outcome), event.outcome
    match.games = (event.first, event.second)
    match.section = match.missing = match.award = match.confirmed = 0
    match.claimed = result.RULED


def _result_confirmed(match, event: events.ResultConfirmed):
    match.confirmed = _with_seat(match.confirmed, event.seat)


def _result_refused(match, event: events.ResultRefused):
    match.phase, match.outcome = phases.RESOLVING, outcome.ASK
    match.section = match.missing = match.confirmed = 0
    match.claimed = result.DISPUTED


def _result_reopened(match, event: events.ResultReopened):
    match.phase, match.outcome, match.claimed = event.phase, event.outcome, event.claimed
    match.games = match.score
    match.section = match.confirmed = 0


def _match_ended(match, event: events.MatchEnded):
    match.phase, match.ended_ms = phases.AGREED, event.at_ms


def _judge_called(match, event: events.JudgeCalled):
    match.call = event.call


def _call_ended(match, event: events.CallEnded):
    match.call = match.pending_answer = None


def _judge_arrived(match, event: events.JudgeArrived):
    match.call = JUDGE_IS_HERE


def _organiser_said(match, event: events.OrganiserSaid):
    match.said = event


def _consent_given(match, event: events.ConsentGiven):
    match.consent = _with_seat(match.consent, event.seat)


def _rolled(match, event: events.Rolled):
    match.roll = event
    match.rolled, match.agreed = luck.SHOWN, 0


def _roll_agreed(match, event: events.RollAgreed):
    match.agreed = _with_seat(match.agreed, event.seat)
    match.rolled, match.tossed = event.rolled, event.tossed
    _roll_closed(match)


def _roll_disputed(match, event: events.RollDisputed):
    match.rolled = luck.DISPUTED


def _roll_ruled(match, event: events.RollRuled):
    match.rolled, match.tossed = luck.RULED if event.conclusive & 1 else 0, event.tossed
    _roll_closed(match)


def _roll_closed(match):
    final = match.rolled in (luck.AGREED, luck.RULED)
    if final and match.roll is not None and match.roll.purpose == luck.FIRST_PLAYER:
        match.flipped = 1  # for the next game alone


def _squads_set(match, event: events.SquadsSet):
    match.squads = (event.first, event.second)
    match.mirror, match.tossed = event.mirror, event.tossed


def _with_seat(bits, seat):
    """Return ``bits`` with the one of ``seat``; 0 for no seat, as where players changed places."""
    return bits | 1 << seat if seat < 2 else 0


def _with_game(score, winner):
    """Return ``score`` with one game more for ``winner``: 1, 2, or 0 for nobody."""
    return score[0] + (winner == 1), score[1] + (winner == 2)


def _phase_after(verdict):
    """Return the phase that an outcome leads to."""
    if verdict == outcome.NONE:
        return phases.PLAYING
    if verdict <= outcome.TIE:
        return phases.PROPOSED
    if verdict == outcome.TIEBREAKER:
        return phases.TIEBREAKER
    return phases.PLAY_ON if verdict == outcome.PLAY_ON else phases.RESOLVING


def _forget_turn(match):
    match.known = match.turning = 0
    match.seat = None


_TOLD_BY_SEATS = {
    events.PRIZES_COUNTED,
    events.DESTROYED_COUNTED,
    events.STATE_TOLD,
    events.TURN_TOLD,
}
_APPLIED = {
    events.ROUND_SET: _round_set,
    events.ROUND_CLEARED: _round_cleared,
    events.FORMAT_SET: _format_set,
    events.START_SET: _start_set,
    events.POLICY_SET: _policy_set,
    events.PREGAME_BEGUN: _pregame_begun,
    events.ROUND_BEGUN: _round_begun,
    events.CLOCK: _clock,
    events.SEAT_CONFIRMED: _seat_confirmed,
    events.STARTER_SET: _starter_set,
    events.TURN_STARTED: _turn_started,
    events.TURN_ENDED: _turn_ended,
    events.GAME_WON: _game_won,
    events.GAME_LEVELLED: _game_levelled,
    events.PRIZES_COUNTED: _prizes_counted,
    events.PRIZES_ADJUSTED: _prizes_adjusted,
    events.DESTROYED_COUNTED: _destroyed_counted,
    events.WIPED_OUT: _wiped_out,
    events.CONCEDED: _conceded,
    events.FROZEN: _frozen,
    events.RESUMED: _resumed,
    events.EXTENDED: _extended,
    events.EXTENSION_SEEN: _extension_seen,
    events.STAMPED_LATE: _stamped_late,
    events.TIME_CALLED: _time_called,
    events.PLAY_RESUMED: _play_resumed,
    events.OVERTIME_ENDED: _overtime_ended,
    events.STATE_TOLD: _state_told,
    events.TURN_TOLD: _turn_told,
    events.OUTCOME_PROPOSED: _outcome_proposed,
    events.RESULT_CLAIMED: _result_claimed,
    events.RESULT_RULED: _result_ruled,
    events.RESULT_CONFIRMED: _result_confirmed,
    events.RESULT_REFUSED: _result_refused,
    events.RESULT_REOPENED: _result_reopened,
    events.MATCH_ENDED: _match_ended,
    events.JUDGE_CALLED: _judge_called,
    events.CALL_ENDED: _call_ended,
    events.JUDGE_ARRIVED: _judge_arrived,
    events.ORGANISER_SAID: _organiser_said,
    events.CONSENT_GIVEN: _consent_given,
    events.ROLLED: _rolled,
    events.ROLL_AGREED: _roll_agreed,
    events.ROLL_DISPUTED: _roll_disputed,
    events.ROLL_RULED: _roll_ruled,
    events.SQUADS_SET: _squads_set,
}
