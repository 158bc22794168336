"""The closed set of intents: requests to a table, imperative.

Illegal ones yield no event.

A kind's class names its fields, as an event's does (``events``), and its ``LAYOUT`` says where they
lie in a down frame; ``at_ms`` is when it takes effect. Kinds below ``SEATED_BASE`` may come from
the desk and are then also the kind of the down frame that carries them (``frames``); kinds from
there on come from the table's own keys.
"""

import struct

from firmware.core import payload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes

# from the desk, always in absolutes (docs/architecture.md, From the desk)
JOIN_EVENT = 8
SET_ROUND = 9
SET_FORMAT = 10
SET_START = 11
FREEZE = 12
RESUME = 13
EXTEND = 14
STAMP_LATE = 15
RULE_RESULT = 16
REOPEN_RESULT = 17
SET_POLICY = 18
RULE_ROLL = 19
END_CALL = 20
ARRIVE = 21
ADJUST_PRIZES = 22
CLEAR_ROUND = 23
SAY = 24
TAKE_BACK = 25
APPROVE_RESULT = 26
SET_DRAFT = 27
SET_SCORE = 28
SET_NONCE = 29
LOSE_GAME = 30
SET_SQUADS = 31
# all numbers below are taken

SEATED_BASE = 32
# from the seats
TICK = 32
CONFIRM_SEAT = 33
SET_STARTER = 34
START_TURN = 35
END_TURN = 36
WIN_GAME = 37
LEVEL_GAME = 38
COUNT_PRIZES = 39
COUNT_DESTROYED = 40
WIPE_OUT = 41
CONCEDE = 42
SEE_EXTENSION = 43
TELL_STATE = 44
TELL_TURN = 45
CLAIM_RESULT = 46
CONFIRM_RESULT = 47
REFUSE_RESULT = 48
CALL_JUDGE = 49
CONSENT = 50
ROLL = 51
AGREE_ROLL = 52
DISPUTE_ROLL = 53
CONDUCT = 54
COUNT_TURNS = 55


class Intent(payload.Fields):
    """A request: one of the classes below."""


# from the desk, always in absolutes (docs/architecture.md, From the desk)


class JoinEvent(Intent):
    """Belong to ``event``; ``anew`` 1: the desk insists on its time."""

    kind = JOIN_EVENT
    LAYOUT = payload.layout("anew: 4, event: 5-6")

    def __init__(self, at_ms: int, anew: int, event: int):
        self.at_ms, self.anew, self.event = at_ms, anew, event


class SetRound(Intent):
    """The table gets a round and its pairing."""

    kind = SET_ROUND
    LAYOUT = payload.layout("round: 4, table: 5-6, pairing: 7-8")

    def __init__(self, at_ms: int, round: int, table: int, pairing: int):
        self.at_ms, self.round, self.table, self.pairing = at_ms, round, table, pairing


class SetFormat(Intent):
    """The system, its format bits (see ``systems``) and minutes."""

    kind = SET_FORMAT
    LAYOUT = payload.layout("system: 4, format: 5-6, minutes: 7-8")

    def __init__(self, at_ms: int, system: int, format: int, minutes: int):
        self.at_ms, self.system, self.format, self.minutes = at_ms, system, format, minutes


class SetStart(Intent):
    """The round starts at ``at_ms``."""

    kind = SET_START


class Freeze(Intent):
    """The clock is to stand."""

    kind = FREEZE


class Resume(Intent):
    """The clock is to run again."""

    kind = RESUME


class Extend(Intent):
    """``total_s`` more for the table in all."""

    kind = EXTEND
    LAYOUT = payload.layout("reason: 4, total_s: 5-6")

    def __init__(self, at_ms: int, reason: int, total_s: int):
        self.at_ms, self.reason, self.total_s = at_ms, reason, total_s


class StampLate(Intent):
    """``seats`` (bits, in all) are late or away."""

    kind = STAMP_LATE
    LAYOUT = payload.layout("seats: 4")

    def __init__(self, at_ms: int, seats: int):
        self.at_ms, self.seats = at_ms, seats


class RuleResult(Intent):
    """Games won, or (``scored`` 1) the points that each side destroyed; ``final`` 1: it needs no
    confirmation.
    """

    kind = RULE_RESULT
    LAYOUT = payload.layout("outcome: 4.0-3, scored: 4.6, final: 4.7, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, outcome: int, scored: int, final: int, first: int, second: int):
        self.at_ms, self.outcome, self.scored = at_ms, outcome, scored
        self.final, self.first, self.second = final, first, second


class ReopenResult(Intent):
    """``by`` 0 a judge, 3 both seats."""

    kind = REOPEN_RESULT
    LAYOUT = payload.layout("by: 4")

    def __init__(self, at_ms: int, by: int):
        self.at_ms, self.by = at_ms, by


class SetPolicy(Intent):
    """``switches`` as bits: 1 the head judge's (organiser's), 2 informal event, 4 barred, 8 sound,
    16 turns are counted before time.
    """

    kind = SET_POLICY
    LAYOUT = payload.layout("switches: 4")

    def __init__(self, at_ms: int, switches: int):
        self.at_ms, self.switches = at_ms, switches


class RuleRoll(Intent):
    """``conclusive`` 1, or 0 again."""

    kind = RULE_ROLL
    LAYOUT = payload.layout("conclusive: 4")

    def __init__(self, at_ms: int, conclusive: int):
        self.at_ms, self.conclusive = at_ms, conclusive


class EndCall(Intent):
    """No judge is wanted any more."""

    kind = END_CALL


class Arrive(Intent):
    """A judge is at the table."""

    kind = ARRIVE


class AdjustPrizes(Intent):
    """What is added to the prizes that remain before they are compared."""

    kind = ADJUST_PRIZES
    LAYOUT = payload.layout("first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, first: int, second: int):
        self.at_ms, self.first, self.second = at_ms, first, second


class ClearRound(Intent):
    """The table has no round."""

    kind = CLEAR_ROUND


class Say(Intent):
    """A ``message`` by its number, and the seconds until the next round."""

    kind = SAY
    LAYOUT = payload.layout("message: 4, next_round_s: 5-6")

    def __init__(self, at_ms: int, message: int, next_round_s: int):
        self.at_ms, self.message, self.next_round_s = at_ms, message, next_round_s


class TakeBack(Intent):
    """A press by its epoch and counter (0: the last); ``by`` 0 a judge, 3 both seats, 4 a judge at
    the table the own last act.
    """

    kind = TAKE_BACK
    LAYOUT = payload.layout("by: 4, epoch: 5-6, counter: 7-8")

    def __init__(self, at_ms: int, by: int, epoch: int, counter: int):
        self.at_ms, self.by, self.epoch, self.counter = at_ms, by, epoch, counter


class ApproveResult(Intent):
    """A judge approves what both seats confirmed."""

    kind = APPROVE_RESULT


class SetDraft(Intent):
    """A ``step`` of a draft that this board conducts (``draft``)."""

    kind = SET_DRAFT
    LAYOUT = payload.layout("step: 4, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, step: int, first: int, second: int):
        self.at_ms, self.step, self.first, self.second = at_ms, step, first, second


class SetScore(Intent):
    """Games won at a table taken over; ``started`` 1: a game is in progress, ``swapped`` 1: seats
    changed.
    """

    kind = SET_SCORE
    LAYOUT = payload.layout("started: 4.0, swapped: 4.1-7, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, started: int, swapped: int, first: int, second: int):
        self.at_ms, self.started, self.swapped = at_ms, started, swapped
        self.first, self.second = first, second


class SetNonce(Intent):
    """The host's eight bytes for the seed whose commitment begins with the byte ``commitment``
    (``seeds``).
    """

    kind = SET_NONCE
    at_ms = 0  # it names no time
    LAYOUT = payload.layout("early: bytes 0-3, commitment: 4, late: bytes 5-8", timed=False)

    def __init__(self, early: bytes, commitment: int, late: bytes):
        self.early, self.commitment, self.late = early, commitment, late

    @property
    def eight(self) -> bytes:
        """All eight bytes."""
        return self.early + self.late


class LoseGame(Intent):
    """``seat`` loses the game by a penalty; ``why`` is a text's number (why_1 ...; 0 not said)."""

    kind = LOSE_GAME
    LAYOUT = payload.layout("seat: 4, why: 5-6")

    def __init__(self, at_ms: int, seat: int, why: int):
        self.at_ms, self.seat, self.why = at_ms, seat, why


class SetSquads(Intent):
    """Squad totals as paired; ``mirror`` 1: both sides have the same faction, ``tossed``: who won
    an old board's tosses (0: unchanged).
    """

    kind = SET_SQUADS
    LAYOUT = payload.layout("mirror: 4.0-3, tossed: 4.4-7, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, mirror: int, tossed: int, first: int, second: int):
        self.at_ms, self.mirror, self.tossed = at_ms, mirror, tossed
        self.first, self.second = first, second


# from the seats


class Tick(Intent):
    """Automatic: time passed."""

    kind = TICK


class ConfirmSeat(Intent):
    """``seat`` is taken; 2: they change places."""

    kind = CONFIRM_SEAT
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class SetStarter(Intent):
    """``seat``, of a team its side, plays first."""

    kind = SET_STARTER
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class StartTurn(Intent):
    """A turn of ``seat`` begins."""

    kind = START_TURN
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class EndTurn(Intent):
    """The turn in progress is over."""

    kind = END_TURN


class WinGame(Intent):
    """``seat`` is the winner."""

    kind = WIN_GAME
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class LevelGame(Intent):
    """Both complete a win condition at once."""

    kind = LEVEL_GAME


class CountPrizes(Intent):
    """What remains of each seat; ``teller`` as in STATE_TOLD."""

    kind = COUNT_PRIZES
    LAYOUT = payload.layout("teller: 4.4-7, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, teller: int, first: int, second: int):
        self.at_ms, self.teller, self.first, self.second = at_ms, teller, first, second


class CountDestroyed(Intent):
    """What each seat destroyed; ``teller`` as in STATE_TOLD."""

    kind = COUNT_DESTROYED
    LAYOUT = payload.layout("teller: 4.4-7, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, teller: int, first: int, second: int):
        self.at_ms, self.teller, self.first, self.second = at_ms, teller, first, second


class WipeOut(Intent):
    """``seats`` (bits) are out; in a team match the one that is."""

    kind = WIPE_OUT
    LAYOUT = payload.layout("seats: 4")

    def __init__(self, at_ms: int, seats: int):
        self.at_ms, self.seats = at_ms, seats


class Concede(Intent):
    """``seat`` is the loser."""

    kind = CONCEDE
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class SeeExtension(Intent):
    """``seat`` has seen the extension."""

    kind = SEE_EXTENSION
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class TellState(Intent):
    """Games won; ``started`` and ``teller`` as in STATE_TOLD."""

    kind = TELL_STATE
    LAYOUT = payload.layout("started: 4.0, teller: 4.4-7, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, started: int, teller: int, first: int, second: int):
        self.at_ms, self.started, self.teller = at_ms, started, teller
        self.first, self.second = first, second


class TellTurn(Intent):
    """``turning`` 1: the turn of ``seat`` is in progress, 0: it plays next; ``teller`` as in
    STATE_TOLD.
    """

    kind = TELL_TURN
    LAYOUT = payload.layout("seat: 4.0-3, teller: 4.4-7, turning: 5-6")

    def __init__(self, at_ms: int, seat: int, teller: int, turning: int):
        self.at_ms, self.seat, self.teller, self.turning = at_ms, seat, teller, turning


class ClaimResult(Intent):
    """The players enter a result and the games won."""

    kind = CLAIM_RESULT
    LAYOUT = payload.layout("outcome: 4, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, outcome: int, first: int, second: int):
        self.at_ms, self.outcome, self.first, self.second = at_ms, outcome, first, second


class ConfirmResult(Intent):
    """``seat`` confirms the result."""

    kind = CONFIRM_RESULT
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class RefuseResult(Intent):
    """``seat`` refuses the result."""

    kind = REFUSE_RESULT
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class CallJudge(Intent):
    """``call`` says what for."""

    kind = CALL_JUDGE
    LAYOUT = payload.layout("call: 4")

    def __init__(self, at_ms: int, call: int):
        self.at_ms, self.call = at_ms, call


class Consent(Intent):
    """``seat`` consents to the board's coin and dice."""

    kind = CONSENT
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class Roll(Intent):
    """``flips``: how many coins at once (255: until tails)."""

    kind = ROLL
    LAYOUT = payload.layout("randomizer: 4.0-3, purpose: 4.4-7, flips: 5-6")

    def __init__(self, at_ms: int, randomizer: int, purpose: int, flips: int):
        self.at_ms, self.randomizer, self.purpose, self.flips = at_ms, randomizer, purpose, flips


class AgreeRoll(Intent):
    """``seat`` agrees with the roll."""

    kind = AGREE_ROLL
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class DisputeRoll(Intent):
    """``seat`` disputes the roll."""

    kind = DISPUTE_ROLL
    LAYOUT = payload.layout("seat: 4")

    def __init__(self, at_ms: int, seat: int):
        self.at_ms, self.seat = at_ms, seat


class Conduct(Intent):
    """A ``step`` of a draft (``draft``)."""

    kind = CONDUCT
    LAYOUT = payload.layout("step: 4, first: 5-6, second: 7-8")

    def __init__(self, at_ms: int, step: int, first: int, second: int):
        self.at_ms, self.step, self.first, self.second = at_ms, step, first, second


class CountTurns(Intent):
    """Turns are counted before time, or no longer: ``by`` 3 both seats."""

    kind = COUNT_TURNS
    LAYOUT = payload.layout("by: 4")

    def __init__(self, at_ms: int, by: int):
        self.at_ms, self.by = at_ms, by


CLASSES = (
    JoinEvent,
    SetRound,
    SetFormat,
    SetStart,
    Freeze,
    Resume,
    Extend,
    StampLate,
    RuleResult,
    ReopenResult,
    SetPolicy,
    RuleRoll,
    EndCall,
    Arrive,
    AdjustPrizes,
    ClearRound,
    Say,
    TakeBack,
    ApproveResult,
    SetDraft,
    SetScore,
    SetNonce,
    LoseGame,
    SetSquads,
    Tick,
    ConfirmSeat,
    SetStarter,
    StartTurn,
    EndTurn,
    WinGame,
    LevelGame,
    CountPrizes,
    CountDestroyed,
    WipeOut,
    Concede,
    SeeExtension,
    TellState,
    TellTurn,
    ClaimResult,
    ConfirmResult,
    RefuseResult,
    CallJudge,
    Consent,
    Roll,
    AgreeRoll,
    DisputeRoll,
    Conduct,
    CountTurns,
)
_BY_KIND = {one.kind: one for one in CLASSES}


def unpack(kind: int, data: "Bytes", at: int = 0) -> Intent:
    """Return the intent of a kind (8-55) whose nine bytes begin at ``at`` in ``data``."""
    return payload.unpack(_BY_KIND[kind], data, at)  # pyright: ignore[reportReturnType]  (its class)


def of(numbers: tuple) -> "Intent":
    """The form before (issue 43), as a class."""
    if not isinstance(numbers, tuple):
        return numbers
    return unpack(numbers[0], struct.pack("<IBHH", *numbers[1:]))
