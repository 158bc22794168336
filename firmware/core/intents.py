"""The closed set of intents: requests to a table, imperative.

Illegal ones yield no event.

A kind's class names its fields, as an event's does (``events``), and its ``LAYOUT`` says where they
lie in a down frame; ``at_ms`` is when it takes effect. Kinds below ``SEATED_BASE``, and from 64 on,
may come from the desk and are then also the kind of the down frame that carries them (``frames``);
those between come from the table's own keys. From 64 on, up to 127, byte 4 is not free: the number
stands there.
"""

from firmware.core import frames, payload

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
# a new one is 64 or more, the first number that none ever had

SEATED_BASE = 32
# from the seats; a new one is 63 at the most
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
PLACE_OBSTACLE = 56
TAKE_PRIZE = 57


def from_desk(kind: int) -> bool:
    """Return whether a number is one of the desk's intents, known or not."""
    return frames.FIRST_COMMAND <= kind < SEATED_BASE or kind >= frames.EXTENDED


class Intent(payload.Fields):
    """A request: one of the classes below."""


# from the desk, always in absolutes (docs/architecture.md, From the desk)


class JoinEvent(Intent):
    """Belong to ``event``; ``anew`` 1: the desk insists on its time."""

    kind = JOIN_EVENT
    LAYOUT = "anew: 4, event: 5-6"

    def __init__(self, at_ms: int, anew: int, event: int):
        self.at_ms, self.anew, self.event = at_ms, anew, event


class SetRound(payload.OfRound, Intent):
    """The table gets a round and its pairing."""

    kind = SET_ROUND


class SetFormat(payload.OfFormat, Intent):
    """The system, its format bits (see ``systems``) and minutes."""

    kind = SET_FORMAT


class SetStart(Intent):
    """The round starts at ``at_ms``."""

    kind = SET_START


class Freeze(Intent):
    """The clock is to stand."""

    kind = FREEZE


class Resume(Intent):
    """The clock is to run again."""

    kind = RESUME


class Extend(payload.Extension, Intent):
    """``total_s`` more for the table in all."""

    kind = EXTEND


class StampLate(payload.OfSeats, Intent):
    """``seats`` (bits, in all) are late or away."""

    kind = STAMP_LATE


class RuleResult(Intent):
    """Games won, or (``scored`` 1) the points that each side destroyed; ``final`` 1: it needs no
    confirmation.
    """

    kind = RULE_RESULT
    LAYOUT = "outcome: 4.0-3, scored: 4.6, final: 4.7, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, outcome: int, scored: int, final: int, first: int, second: int):
        self.at_ms, self.outcome, self.scored = at_ms, outcome, scored
        self.final, self.first, self.second = final, first, second


class ReopenResult(payload.ByWhom, Intent):
    """``by`` 0 a judge, 3 both seats."""

    kind = REOPEN_RESULT


class SetPolicy(payload.Switches, Intent):
    """``switches`` as bits: 1 the head judge's (organiser's), 2 informal event, 4 barred, 8 sound,
    16 turns are counted before time.
    """

    kind = SET_POLICY


class RuleRoll(Intent):
    """``conclusive`` 1, or 0 again."""

    kind = RULE_ROLL
    LAYOUT = "conclusive: 4"

    def __init__(self, at_ms: int, conclusive: int):
        self.at_ms, self.conclusive = at_ms, conclusive


class EndCall(Intent):
    """No judge is wanted any more."""

    kind = END_CALL


class Arrive(Intent):
    """A judge is at the table."""

    kind = ARRIVE


class AdjustPrizes(payload.Pair, Intent):
    """What is added to the prizes that remain before they are compared."""

    kind = ADJUST_PRIZES


class ClearRound(Intent):
    """The table has no round."""

    kind = CLEAR_ROUND


class Say(payload.Message, Intent):
    """A ``message`` by its number, and the seconds until the next round."""

    kind = SAY


class TakeBack(payload.OfPress, Intent):
    """A press by its epoch and counter (0: the last); ``by`` 0 a judge, 3 both seats, 4 a judge at
    the table the own last act.
    """

    kind = TAKE_BACK


class ApproveResult(Intent):
    """A judge approves what both seats confirmed."""

    kind = APPROVE_RESULT


class SetDraft(payload.Step, Intent):
    """A ``step`` of a draft that this board conducts (``draft``)."""

    kind = SET_DRAFT


class SetScore(Intent):
    """Games won at a table taken over; ``started`` 1: a game is in progress, ``swapped`` 1: seats
    changed, ``flipped`` 1: a flip for the next game is agreed, ``placing`` puts ``obstacle`` on the
    table.
    """

    kind = SET_SCORE
    LAYOUT = (
        "started: 4.0, swapped: 4.1-7, first: 5, flipped: 6.0, second: 7, "
        "placing: 8.0, obstacle: 8.1-3"
    )

    def __init__(
        self,
        at_ms: int,
        started: int,
        swapped: int,
        first: int,
        flipped: int,
        second: int,
        placing: int,
        obstacle: int,
    ):
        self.at_ms, self.started, self.swapped = at_ms, started, swapped
        self.first, self.flipped, self.second = first, flipped, second
        self.placing, self.obstacle = placing, obstacle


class SetNonce(Intent):
    """The host's nonce for the seed whose commitment begins with that byte (``seeds``)."""

    kind = SET_NONCE
    at_ms = 0  # it names no time
    LAYOUT = "early: bytes 0-3, commitment: 4, late: bytes 5-8"

    def __init__(self, early: bytes, commitment: int, late: bytes):
        self.early, self.commitment, self.late = early, commitment, late

    @property
    def eight(self) -> bytes:
        """All eight bytes."""
        return self.early + self.late


class LoseGame(Intent):
    """``seat`` loses the game by a penalty; ``why`` is a text's number (why_1 ...; 0 not said)."""

    kind = LOSE_GAME
    LAYOUT = "seat: 4, why: 5-6"

    def __init__(self, at_ms: int, seat: int, why: int):
        self.at_ms, self.seat, self.why = at_ms, seat, why


class SetSquads(payload.Squads, Intent):
    """Squad totals as paired; ``mirror`` 1: both sides have the same faction, ``tossed``: who won
    an old board's tosses (0: unchanged).
    """

    kind = SET_SQUADS


# from the seats


class Tick(Intent):
    """Automatic: time passed."""

    kind = TICK


class ConfirmSeat(payload.OfSeat, Intent):
    """``seat`` is taken; 2: they change places."""

    kind = CONFIRM_SEAT


class SetStarter(payload.OfSeat, Intent):
    """``seat``, of a team its side, plays first."""

    kind = SET_STARTER


class StartTurn(payload.OfSeat, Intent):
    """A turn of ``seat`` begins."""

    kind = START_TURN


class EndTurn(Intent):
    """The turn in progress is over."""

    kind = END_TURN


class WinGame(payload.OfSeat, Intent):
    """``seat`` is the winner."""

    kind = WIN_GAME


class LevelGame(Intent):
    """Both complete a win condition at once."""

    kind = LEVEL_GAME


class CountPrizes(payload.Count, Intent):
    """What remains of each seat; ``teller`` as in STATE_TOLD."""

    kind = COUNT_PRIZES


class CountDestroyed(payload.Count, Intent):
    """What each seat destroyed; ``teller`` as in STATE_TOLD."""

    kind = COUNT_DESTROYED


class WipeOut(payload.OfSeats, Intent):
    """``seats`` (bits) are out; in a team match the one that is."""

    kind = WIPE_OUT


class Concede(payload.OfSeat, Intent):
    """``seat`` is the loser."""

    kind = CONCEDE


class SeeExtension(payload.OfSeat, Intent):
    """``seat`` has seen the extension."""

    kind = SEE_EXTENSION


class TellState(Intent):
    """Games won; ``started`` and ``teller`` as in STATE_TOLD."""

    kind = TELL_STATE
    LAYOUT = "started: 4.0, teller: 4.4-7, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, started: int, teller: int, first: int, second: int):
        self.at_ms, self.started, self.teller = at_ms, started, teller
        self.first, self.second = first, second


class TellTurn(Intent):
    """``turning`` 1: the turn of ``seat`` is in progress, 0: it plays next; ``teller`` as in
    STATE_TOLD.
    """

    kind = TELL_TURN
    LAYOUT = "seat: 4.0-3, teller: 4.4-7, turning: 5-6"

    def __init__(self, at_ms: int, seat: int, teller: int, turning: int):
        self.at_ms, self.seat, self.teller, self.turning = at_ms, seat, teller, turning


class ClaimResult(payload.Claim, Intent):
    """The players enter a result and the games won."""

    kind = CLAIM_RESULT


class ConfirmResult(payload.OfSeat, Intent):
    """``seat`` confirms the result."""

    kind = CONFIRM_RESULT


class RefuseResult(payload.OfSeat, Intent):
    """``seat`` refuses the result."""

    kind = REFUSE_RESULT


class CallJudge(payload.Call, Intent):
    """``call`` says what for."""

    kind = CALL_JUDGE


class Consent(payload.OfSeat, Intent):
    """``seat`` consents to the board's coin and dice."""

    kind = CONSENT


class Roll(Intent):
    """``flips``: how many coins at once (255: until tails)."""

    kind = ROLL
    LAYOUT = "randomizer: 4.0-3, purpose: 4.4-7, flips: 5-6"

    def __init__(self, at_ms: int, randomizer: int, purpose: int, flips: int):
        self.at_ms, self.randomizer, self.purpose, self.flips = at_ms, randomizer, purpose, flips


class AgreeRoll(payload.OfSeat, Intent):
    """``seat`` agrees with the roll."""

    kind = AGREE_ROLL


class DisputeRoll(payload.OfSeat, Intent):
    """``seat`` disputes the roll."""

    kind = DISPUTE_ROLL


class Conduct(payload.Step, Intent):
    """A ``step`` of a draft (``draft``)."""

    kind = CONDUCT


class CountTurns(payload.ByWhom, Intent):
    """Turns are counted before time, or no longer: ``by`` 3 both seats."""

    kind = COUNT_TURNS


class PlaceObstacle(payload.OfSeat, Intent):
    """In a set-up of ships, ``seat`` has the initiative and places first; later: its obstacle lies
    on the table.
    """

    kind = PLACE_OBSTACLE


class TakePrize(payload.OfSeat, Intent):
    """In a team match a prize was taken from the pile of ``seat`` (1A, 2B, 2A, 1B)."""

    kind = TAKE_PRIZE


CLASSES = (
    JoinEvent, SetRound, SetFormat, SetStart, Freeze, Resume, Extend, StampLate, RuleResult,
    ReopenResult, SetPolicy, RuleRoll, EndCall, Arrive, AdjustPrizes, ClearRound, Say, TakeBack,
    ApproveResult, SetDraft, SetScore, SetNonce, LoseGame, SetSquads, Tick, ConfirmSeat,
    SetStarter, StartTurn, EndTurn, WinGame, LevelGame, CountPrizes, CountDestroyed, WipeOut,
    Concede, SeeExtension, TellState, TellTurn, ClaimResult, ConfirmResult, RefuseResult,
    CallJudge, Consent, Roll, AgreeRoll, DisputeRoll, Conduct, CountTurns,
    PlaceObstacle, TakePrize,
)  # fmt: skip
_BY_KIND = {one.kind: one for one in CLASSES}
READERS = {}  # of kinds that were met, as ``reader`` makes them


def reader(kind: int) -> "tuple":
    """Return how the payload of a kind is read (``payload.unpack``), and keep it; any number that
    is no kind of these gives an Intent of kind 0.
    """
    found = READERS.get(kind)
    if found is None:
        found = READERS[kind] = payload.reader(_BY_KIND.get(kind, Intent))
    return found


def unpack(kind: int, data: "bytes | bytearray | memoryview", at: int = 0) -> Intent:
    """Return the intent of a kind whose nine bytes begin at ``at`` in ``data``."""
    return payload.unpack(reader(kind), data, at)


def of_frame(frame: "bytes | bytearray | memoryview", at: int = 0) -> Intent:
    """Return the intent of the command's frame at offset ``at``."""
    kind = frames.kind_of(frame, at)
    return payload.unpack(READERS.get(kind) or reader(kind), frame, at + 7)


def of_numbers(kind: int, at_ms: int, a: int = 0, b: int = 0, c: int = 0) -> Intent:
    """Return the intent whose payload is these numbers: u32, u8, u16, u16.

    Raises ValueError for one that does not fit.
    """
    return unpack(kind, frames.plain(at_ms, a, b, c))
