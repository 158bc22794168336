"""The closed set of events: what happened at a table, past tense, one journal record each.

A kind's class names its fields, its ``LAYOUT`` says where they lie in the record (``payload``).
From kind 64 on, up to 127, byte 4 is not free: the number stands there (``frames``).
``at_ms`` is when it happened; for an act of the desk, the moment it takes effect. Kinds 1-7 are
frames that are never journalled (see ``frames``). A seat is 0 (▲, called A in the rules) or 1 (●,
B); ``first`` and ``second`` are numbers of seat 0 and seat 1. A ``situation`` is one of ``phases``.
"""

from firmware.core import frames, payload
from firmware.core.digest import sha256

# the board's own
BOOTED = 8
SEALED = 9
EVENT_JOINED = 10
ANSWERED = 11
TIME_SET = 12
CLOCK = 13
# set-up
ROUND_SET = 14
FORMAT_SET = 15
START_SET = 16
PREGAME_BEGUN = 17
ROUND_BEGUN = 18
SEAT_CONFIRMED = 19
# play
STARTER_SET = 20
TURN_STARTED = 21
TURN_ENDED = 22
GAME_WON = 23
GAME_LEVELLED = 24
PRIZES_COUNTED = 25
PRIZES_ADJUSTED = 26
DESTROYED_COUNTED = 27
WIPED_OUT = 28
CONCEDED = 29
# the judge's acts on the clock
FROZEN = 30
RESUMED = 31
EXTENDED = 32
EXTENSION_SEEN = 33
STAMPED_LATE = 34
# time
TIME_CALLED = 35
STATE_TOLD = 36
TURN_TOLD = 37
# result
OUTCOME_PROPOSED = 38
RESULT_CLAIMED = 39
RESULT_CONFIRMED = 40
RESULT_REFUSED = 41
RESULT_RULED = 42
RESULT_REOPENED = 43
MATCH_ENDED = 44
TAKEN_BACK = 45
# the judge
JUDGE_CALLED = 46
CALL_ENDED = 47
JUDGE_ARRIVED = 48
# luck
POLICY_SET = 49
CONSENT_GIVEN = 50
ROLLED = 51
ROLL_AGREED = 52
ROLL_DISPUTED = 53
ROLL_RULED = 54
# squads (XW15)
SQUADS_SET = 55
# housekeeping
ROUND_CLEARED = 56
ORGANISER_SAID = 57
EPOCH_CLOSED = 58
DRAFTED = 59
# time, undone and run out
PLAY_RESUMED = 60
OVERTIME_ENDED = 61
# codes (see code)
CODE_ENTERED = 62
# luck, checked afterwards
SEED_TOLD = 63
# a new kind is 64 or more, the first number that none ever had

NOT_NEWS = (CLOCK, SEALED)
MILESTONES = (ROUND_BEGUN, MATCH_ENDED)  # of a match (see announced)


class Event(payload.Fields):
    """What happened: one of the classes below."""


# the board's own


class Booted(Event):
    """The board began an epoch: ``reason`` for the reset, its firmware's ``version``, the epoch
    ``before``.
    """

    kind = BOOTED
    LAYOUT = "reason: 4, version: 5-6, before: 7-8"

    def __init__(self, at_ms: int, reason: int, version: int, before: int):
        self.at_ms, self.reason, self.version, self.before = at_ms, reason, version, before


class Sealed(Event):
    """Seven bytes of a digest over the records from counter ``first`` on (see ``Journal.seal``)."""

    kind = SEALED
    at_ms = 0  # it names no time
    LAYOUT = "first: 0-1, digest: bytes 2-8"

    def __init__(self, first: int, digest: bytes):
        self.first, self.digest = first, digest

    @staticmethod
    def over(first: int, previous: bytes, tags: bytes) -> "Sealed":
        """Return the seal over ``tags`` from ``first`` on; ``previous``: the digest before."""
        return Sealed(first, sha256(previous + tags)[:7])


class EventJoined(Event):
    """The board belongs to ``event`` now; ``before`` is the id of the one before."""

    kind = EVENT_JOINED
    LAYOUT = "event: 5-6, before: 7-8"

    def __init__(self, at_ms: int, event: int, before: int):
        self.at_ms, self.event, self.before = at_ms, event, before


class Answered(Event):
    """The answer to a down frame: ``refusal`` (``answers``; 0 done), its counter and kind;
    ``broadcast``: it names a beacon's COMMAND.
    """

    kind = ANSWERED
    LAYOUT = "refusal: 4, counter: 5-6, asked: 7, broadcast: 8"

    def __init__(self, at_ms: int, refusal: int, counter: int, asked: int, broadcast: int):
        self.at_ms, self.refusal, self.counter = at_ms, refusal, counter
        self.asked, self.broadcast = asked, broadcast


class TimeSet(Event):
    """The clock was set to within ``uncertainty_ms``: ``by_host`` 1 when the host spoke, 0 when
    guessed after a reset.
    """

    kind = TIME_SET
    LAYOUT = "uncertainty_ms: 5-6, by_host: 7-8"

    def __init__(self, at_ms: int, uncertainty_ms: int, by_host: int):
        self.at_ms, self.uncertainty_ms, self.by_host = at_ms, uncertainty_ms, by_host


class Clock(Event):
    """The round's clock runs, ``left_s`` are left (not news)."""

    kind = CLOCK
    LAYOUT = "left_s: 5-6"

    def __init__(self, at_ms: int, left_s: int):
        self.at_ms, self.left_s = at_ms, left_s


# set-up


class RoundSet(payload.OfRound, Event):
    """The table has a round and its pairing."""

    kind = ROUND_SET


class FormatSet(payload.OfFormat, Event):
    """The round's system, its format bits (see ``systems``) and minutes."""

    kind = FORMAT_SET


class StartSet(Event):
    """The round starts at ``at_ms``."""

    kind = START_SET


class PregameBegun(Event):
    """The 2:00 have begun: ``game`` 0 before the round, between two games the number of the next
    one.
    """

    kind = PREGAME_BEGUN
    LAYOUT = "game: 4"

    def __init__(self, at_ms: int, game: int):
        self.at_ms, self.game = at_ms, game


class RoundBegun(Event):
    """The round's clock runs."""

    kind = ROUND_BEGUN


class SeatConfirmed(Event):
    """``seat`` is taken (2: both change places); ``swapped`` 1 while they sit the other way."""

    kind = SEAT_CONFIRMED
    LAYOUT = "seat: 4, swapped: 7-8"

    def __init__(self, at_ms: int, seat: int, swapped: int):
        self.at_ms, self.seat, self.swapped = at_ms, seat, swapped


# play


class StarterSet(Event):
    """``seat`` (the side, of a team) plays first in ``game``."""

    kind = STARTER_SET
    LAYOUT = "seat: 4, game: 5-6"

    def __init__(self, at_ms: int, seat: int, game: int):
        self.at_ms, self.seat, self.game = at_ms, seat, game


class TurnStarted(payload.OfSeat, Event):
    """A turn of ``seat`` has begun."""

    kind = TURN_STARTED


class TurnEnded(Event):
    """A turn is over, ``next_seat`` plays next; ``turn`` is the overtime turn that comes.

    In a set-up of ships ``next_seat`` puts obstacle ``turn`` (1 to 6) on the table; 7: all lie.
    """

    kind = TURN_ENDED
    LAYOUT = "next_seat: 4, turn: 5-6, situation: 7-8"

    def __init__(self, at_ms: int, next_seat: int, turn: int, situation: int):
        self.at_ms, self.next_seat, self.turn, self.situation = at_ms, next_seat, turn, situation


class GameWon(Event):
    """``seat`` won the game, by ``section``; ``penalty`` is a judge's reason + 1 (0: none).
    Situation 0: play goes on, before the round in ``phase`` (0: the round has begun).
    """

    kind = GAME_WON
    LAYOUT = "seat: 4, section: 5, penalty: 6, situation: 7, phase: 8"

    def __init__(
        self, at_ms: int, seat: int, section: int, penalty: int, situation: int, phase: int
    ):
        self.at_ms, self.seat, self.section = at_ms, seat, section
        self.penalty, self.situation, self.phase = penalty, situation, phase


class GameLevelled(Event):
    """Both completed a win condition at once; ``progress`` as in ``Match``."""

    kind = GAME_LEVELLED
    LAYOUT = "situation: 7, progress: 8"

    def __init__(self, at_ms: int, situation: int, progress: int):
        self.at_ms, self.situation, self.progress = at_ms, situation, progress


class PrizesCounted(payload.Count, Event):
    """What remains of seat 0 and seat 1; ``teller`` as in STATE_TOLD.

    8: of a team match the four piles, each number with its A's in the low byte (``team.PILES``).
    """

    kind = PRIZES_COUNTED


class PrizesAdjusted(payload.Pair, Event):
    """What a judge adds to what remains before they are compared."""

    kind = PRIZES_ADJUSTED


class DestroyedCounted(payload.Count, Event):
    """What seat 0 and seat 1 destroyed; ``teller`` as in STATE_TOLD."""

    kind = DESTROYED_COUNTED


class WipedOut(Event):
    """``seats`` (bits) are out, of a team all that are; ``playing`` who plays + 1 (0 unknown)."""

    kind = WIPED_OUT
    LAYOUT = "seats: 4, playing: 5-6, situation: 7-8"

    def __init__(self, at_ms: int, seats: int, playing: int, situation: int):
        self.at_ms, self.seats, self.playing, self.situation = at_ms, seats, playing, situation


class Conceded(Event):
    """``seat`` conceded the match, or lost it by a penalty (as in GAME_WON)."""

    kind = CONCEDED
    LAYOUT = "seat: 4, section: 5, penalty: 6, situation: 7-8"

    def __init__(self, at_ms: int, seat: int, section: int, penalty: int, situation: int):
        self.at_ms, self.seat, self.section = at_ms, seat, section
        self.penalty, self.situation = penalty, situation


# the judge's acts on the clock


class Frozen(Event):
    """The clock stands; ``phase`` is the one before."""

    kind = FROZEN
    LAYOUT = "phase: 4"

    def __init__(self, at_ms: int, phase: int):
        self.at_ms, self.phase = at_ms, phase


class Resumed(Event):
    """The clock runs again in ``phase``; ``lost_ms`` are all that were lost to freezes."""

    kind = RESUMED
    LAYOUT = "phase: 4, lost_ms: 5-8"

    def __init__(self, at_ms: int, phase: int, lost_ms: int):
        self.at_ms, self.phase, self.lost_ms = at_ms, phase, lost_ms


class Extended(payload.Extension, Event):
    """The table has ``total_s`` more in all."""

    kind = EXTENDED


class ExtensionSeen(payload.OfSeat, Event):
    """``seat`` has seen the extension."""

    kind = EXTENSION_SEEN


class StampedLate(payload.OfSeats, Event):
    """``seats`` (bits, in all) were late or away."""

    kind = STAMPED_LATE


# time


class TimeCalled(Event):
    """The table's zero was at ``at_ms``; ``missing`` are bits (``phases``)."""

    kind = TIME_CALLED
    LAYOUT = "phase: 4, turn: 5, missing: 6, situation: 7-8"

    def __init__(self, at_ms: int, phase: int, turn: int, missing: int, situation: int):
        self.at_ms, self.phase, self.turn = at_ms, phase, turn
        self.missing, self.situation = missing, situation


class StateTold(Event):
    """The games won; ``started``: the next game's starter is determined, ``flipped``: a flip for it
    is agreed. ``teller``: one seat alone says so (1, 2), or both (0, 3).
    """

    kind = STATE_TOLD
    LAYOUT = "started: 4.0, situation: 4.1-3, teller: 4.4-6, flipped: 4.7, first: 5-6, second: 7-8"

    def __init__(
        self,
        at_ms: int,
        started: int,
        situation: int,
        teller: int,
        flipped: int,
        first: int,
        second: int,
    ):
        self.at_ms, self.started, self.situation = at_ms, started, situation
        self.teller, self.flipped, self.first, self.second = teller, flipped, first, second


class TurnTold(Event):
    """The turn of ``seat`` is in progress (``turning`` 1) or comes next; ``teller`` as in
    STATE_TOLD.
    """

    kind = TURN_TOLD
    LAYOUT = "seat: 4.0-3, teller: 4.4-7, turning: 5, turn: 6, phase: 7, situation: 8"

    def __init__(
        self,
        at_ms: int,
        seat: int,
        teller: int,
        turning: int,
        turn: int,
        phase: int,
        situation: int,
    ):
        self.at_ms, self.seat, self.teller, self.turning = at_ms, seat, teller, turning
        self.turn, self.phase, self.situation = turn, phase, situation


# result


class OutcomeProposed(Event):
    """What the rules make of the table: ``missing`` are bits, ``award`` whose the game is (1, 2; 0
    nobody's).
    """

    kind = OUTCOME_PROPOSED
    LAYOUT = "outcome: 4, section: 5-6, missing: 7, award: 8"

    def __init__(self, at_ms: int, outcome: int, section: int, missing: int, award: int):
        self.at_ms, self.outcome, self.section = at_ms, outcome, section
        self.missing, self.award = missing, award


class ResultClaimed(payload.Claim, Event):
    """The players entered a result and the games won."""

    kind = RESULT_CLAIMED


class ResultConfirmed(payload.OfSeat, Event):
    """``seat`` confirmed the result."""

    kind = RESULT_CONFIRMED


class ResultRefused(payload.OfSeat, Event):
    """``seat`` refused the result."""

    kind = RESULT_REFUSED


class ResultRuled(Event):
    """A judge ruled; ``final`` 1: it needs no confirmation."""

    kind = RESULT_RULED
    LAYOUT = "outcome: 4.0-3, final: 4.7, first: 5-6, second: 7-8"

    def __init__(self, at_ms: int, outcome: int, final: int, first: int, second: int):
        self.at_ms, self.outcome, self.final = at_ms, outcome, final
        self.first, self.second = first, second


class ResultReopened(Event):
    """The result is open again in ``phase``; ``claimed`` as in ``Match``."""

    kind = RESULT_REOPENED
    LAYOUT = "phase: 4, outcome: 5-6, claimed: 7-8"

    def __init__(self, at_ms: int, phase: int, outcome: int, claimed: int):
        self.at_ms, self.phase, self.outcome, self.claimed = at_ms, phase, outcome, claimed


class MatchEnded(Event):
    """The result is agreed."""

    kind = MATCH_ENDED


class TakenBack(payload.OfPress, Event):
    """The first press taken back, by its epoch and counter; ``by`` 0 a judge, 3 both seats."""

    kind = TAKEN_BACK


# the judge


class JudgeCalled(payload.Call, Event):
    """A judge is wanted; ``call`` says what for."""

    kind = JUDGE_CALLED


class CallEnded(Event):
    """No judge is wanted any more."""

    kind = CALL_ENDED


class JudgeArrived(Event):
    """A judge is at the table."""

    kind = JUDGE_ARRIVED


# luck


class PolicySet(payload.Switches, Event):
    """The table's ``switches`` (bits, as in SET_POLICY)."""

    kind = POLICY_SET


class ConsentGiven(payload.OfSeat, Event):
    """``seat`` consents to the board's coin and dice."""

    kind = CONSENT_GIVEN


class Rolled(Event):
    """A roll, with its ``number``; ``flips``: how many coins at once (see ``luck``)."""

    kind = ROLLED
    LAYOUT = "randomizer: 4.0-3, purpose: 4.4-7, face: 5, flips: 6, number: 7-8"

    def __init__(
        self, at_ms: int, randomizer: int, purpose: int, face: int, flips: int, number: int
    ):
        self.at_ms, self.randomizer, self.purpose = at_ms, randomizer, purpose
        self.face, self.flips, self.number = face, flips, number


class RollAgreed(Event):
    """``seat`` agrees; ``rolled``: where the roll stands then (1 shown, 2 agreed by both),
    ``tossed`` as in ``Match``.
    """

    kind = ROLL_AGREED
    LAYOUT = "seat: 4, rolled: 5-6, tossed: 7-8"

    def __init__(self, at_ms: int, seat: int, rolled: int, tossed: int):
        self.at_ms, self.seat, self.rolled, self.tossed = at_ms, seat, rolled, tossed


class RollDisputed(payload.OfSeat, Event):
    """``seat`` disputes the roll."""

    kind = ROLL_DISPUTED


class RollRuled(Event):
    """A judge ruled on a roll: ``conclusive`` 1, or 0 again."""

    kind = ROLL_RULED
    LAYOUT = "conclusive: 4, tossed: 7-8"

    def __init__(self, at_ms: int, conclusive: int, tossed: int):
        self.at_ms, self.conclusive, self.tossed = at_ms, conclusive, tossed


# squads (XW15)


class SquadsSet(payload.Squads, Event):
    """The squads' totals as paired; ``mirror`` 1: both sides have the same faction."""

    kind = SQUADS_SET


# housekeeping


class RoundCleared(Event):
    """The table has no round."""

    kind = ROUND_CLEARED


class OrganiserSaid(payload.Message, Event):
    """A ``message`` by its number, and the seconds until the next round."""

    kind = ORGANISER_SAID


class EpochClosed(Event):
    """After BOOTED: the ``epoch`` before, and how many ``records`` it holds (0 none)."""

    kind = EPOCH_CLOSED
    LAYOUT = "epoch: 5-6, records: 7-8"

    def __init__(self, at_ms: int, epoch: int, records: int):
        self.at_ms, self.epoch, self.records = at_ms, epoch, records


class Drafted(payload.Step, Event):
    """A ``step`` of a draft; what ``first`` and ``second`` are depends on it (``draft``)."""

    kind = DRAFTED


# time, undone and run out


class PlayResumed(Event):
    """An extension moved the zero: play goes on."""

    kind = PLAY_RESUMED
    LAYOUT = "phase: 4, situation: 7-8"

    def __init__(self, at_ms: int, phase: int, situation: int):
        self.at_ms, self.phase, self.situation = at_ms, phase, situation


class OvertimeEnded(Event):
    """The overtime clock ran out."""

    kind = OVERTIME_ENDED
    LAYOUT = "situation: 7-8"

    def __init__(self, at_ms: int, situation: int):
        self.at_ms, self.situation = at_ms, situation


# codes (see code)


class CodeEntered(Event):
    """A judge's code: ``wrong`` tries in a row (0: it was right), and the number of the ``next``
    code.
    """

    kind = CODE_ENTERED
    LAYOUT = "wrong: 4, number: 5-6"

    def __init__(self, at_ms: int, wrong: int, number: int):
        self.at_ms, self.wrong, self.number = at_ms, wrong, number


# luck, checked afterwards


class SeedTold(Event):
    """Eight bytes of ``part`` of a seed, of its commitment or of the nonce (``seeds``)."""

    kind = SEED_TOLD
    at_ms = 0  # it names no time
    LAYOUT = "early: bytes 0-3, part: 4, late: bytes 5-8"

    def __init__(self, early: bytes, part: int, late: bytes):
        self.early, self.part, self.late = early, part, late

    @property
    def eight(self) -> bytes:
        """All eight bytes."""
        return self.early + self.late


CLASSES = (
    Booted, Sealed, EventJoined, Answered, TimeSet, Clock, RoundSet, FormatSet, StartSet,
    PregameBegun, RoundBegun, SeatConfirmed, StarterSet, TurnStarted, TurnEnded, GameWon,
    GameLevelled, PrizesCounted, PrizesAdjusted, DestroyedCounted, WipedOut, Conceded, Frozen,
    Resumed, Extended, ExtensionSeen, StampedLate, TimeCalled, StateTold, TurnTold,
    OutcomeProposed, ResultClaimed, ResultConfirmed, ResultRefused, ResultRuled, ResultReopened,
    MatchEnded, TakenBack, JudgeCalled, CallEnded, JudgeArrived, PolicySet, ConsentGiven,
    Rolled, RollAgreed, RollDisputed, RollRuled, SquadsSet, RoundCleared, OrganiserSaid,
    EpochClosed, Drafted, PlayResumed, OvertimeEnded, CodeEntered, SeedTold,
)  # fmt: skip
_BY_KIND = {one.kind: one for one in CLASSES}
READERS = {}  # of kinds that were met, as ``reader`` makes them


def reader(kind: int) -> "tuple":
    """Return how the payload of a kind is read (``payload.unpack``), and keep it; any number that
    is no kind of these gives an Event of kind 0.
    """
    found = READERS.get(kind)
    if found is None:
        message, read, bits = payload.reader(_BY_KIND.get(kind, Event))
        if kind == frames.ESCAPE:
            layout = _BY_KIND[kind].LAYOUT
            bits = payload.layout(layout).fields  # never read in haste (``of_record``)
        found = READERS[kind] = message, read, bits
    return found


def unpack(kind: int, data: "bytes | bytearray | memoryview", at: int = 0) -> Event:
    """Return the event of a kind whose nine bytes begin at ``at`` in ``data``."""
    return payload.unpack(reader(kind), data, at)


def of_record(record: "bytes | bytearray | memoryview", at: int = 0) -> Event:
    """Return the event of the record at offset ``at``."""
    kind = record[at] & 63
    by = READERS.get(kind) or reader(kind)
    if by[2] is None:  # most of them, and an archive has many: ``payload.unpack`` without the call
        return by[0](*by[1](record, at + 7))
    if kind == frames.ESCAPE:
        by = reader(frames.kind_of(record, at))
    return payload.unpack(by, record, at + 7)


def of_numbers(kind: int, at_ms: int, a: int = 0, b: int = 0, c: int = 0) -> Event:
    """Return the event whose payload is these numbers: u32, u8, u16, u16.

    Raises ValueError for one that does not fit.
    """
    return unpack(kind, frames.plain(at_ms, a, b, c))
