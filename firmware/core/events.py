"""The closed set of events: what happened at a table, past tense, one journal record each.

The ``LAYOUT`` of a kind's class names its fields and says where they lie in the record
(``payload``).
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


class Sealed(Event):
    """Seven bytes of a digest over the records from counter ``first`` on (see ``Journal.seal``)."""

    kind = SEALED
    at_ms = 0  # it names no time
    LAYOUT = "first: 0-1, digest: bytes 2-8"

    @staticmethod
    def over(first: int, previous: bytes, tags: bytes) -> "Sealed":
        """Return the seal over ``tags`` from ``first`` on; ``previous``: the digest before."""
        return Sealed(first, sha256(previous + tags)[:7])


class EventJoined(Event):
    """The board belongs to ``event`` now; ``before`` is the id of the one before."""

    kind = EVENT_JOINED
    LAYOUT = "event: 5-6, before: 7-8"


class Answered(Event):
    """The answer to a down frame: ``refusal`` (``answers``; 0 done), its counter and kind;
    ``broadcast``: it names a beacon's COMMAND.
    """

    kind = ANSWERED
    LAYOUT = "refusal: 4, counter: 5-6, asked: 7, broadcast: 8"


class TimeSet(Event):
    """The clock was set to within ``uncertainty_ms``: ``by_host`` 1 when the host spoke, 0 when
    guessed after a reset.
    """

    kind = TIME_SET
    LAYOUT = "uncertainty_ms: 5-6, by_host: 7-8"


class Clock(Event):
    """The round's clock runs, ``left_s`` are left (not news)."""

    kind = CLOCK
    LAYOUT = "left_s: 5-6"


# set-up


class RoundSet(Event):
    """The table has a round and its pairing."""

    kind = ROUND_SET
    LAYOUT = "round: 4, table: 5-6, pairing: 7-8"


class FormatSet(Event):
    """The round's system, its format bits (see ``systems``) and minutes."""

    kind = FORMAT_SET
    LAYOUT = "system: 4, format: 5-6, minutes: 7-8"


class StartSet(Event):
    """The round starts at ``at_ms``."""

    kind = START_SET


class PregameBegun(Event):
    """The 2:00 have begun: ``game`` 0 before the round, between two games the number of the next
    one.
    """

    kind = PREGAME_BEGUN
    LAYOUT = "game: 4"


class RoundBegun(Event):
    """The round's clock runs."""

    kind = ROUND_BEGUN


class SeatConfirmed(Event):
    """``seat`` is taken (2: both change places); ``swapped`` 1 while they sit the other way."""

    kind = SEAT_CONFIRMED
    LAYOUT = "seat: 4, swapped: 7-8"


# play


class StarterSet(Event):
    """``seat`` (the side, of a team) plays first in ``game``."""

    kind = STARTER_SET
    LAYOUT = "seat: 4, game: 5-6"


class TurnStarted(Event):
    """A turn of ``seat`` has begun."""

    kind = TURN_STARTED
    LAYOUT = "seat: 4"


class TurnEnded(Event):
    """A turn is over, ``next_seat`` plays next; ``turn`` is the overtime turn that comes.

    In a set-up of ships ``next_seat`` puts obstacle ``turn`` (1 to 6) on the table; 7: all lie.
    """

    kind = TURN_ENDED
    LAYOUT = "next_seat: 4, turn: 5-6, situation: 7-8"


class GameWon(Event):
    """``seat`` won the game, by ``section``; ``penalty`` is a judge's reason + 1 (0: none).
    Situation 0: play goes on, before the round in ``phase`` (0: the round has begun).
    """

    kind = GAME_WON
    LAYOUT = "seat: 4, section: 5, penalty: 6, situation: 7, phase: 8"


class GameLevelled(Event):
    """Both completed a win condition at once; ``progress`` as in ``Match``."""

    kind = GAME_LEVELLED
    LAYOUT = "situation: 7, progress: 8"


class PrizesCounted(Event):
    """What remains of seat 0 and seat 1; ``teller`` as in STATE_TOLD.

    8: of a team match the four piles, each number with its A's in the low byte (``team.PILES``).
    """

    kind = PRIZES_COUNTED
    LAYOUT = "teller: 4.4-7, first: 5-6, second: 7-8"


class PrizesAdjusted(Event):
    """What a judge adds to what remains before they are compared."""

    kind = PRIZES_ADJUSTED
    LAYOUT = "first: 5-6, second: 7-8"


class DestroyedCounted(Event):
    """What seat 0 and seat 1 destroyed; ``teller`` as in STATE_TOLD."""

    kind = DESTROYED_COUNTED
    LAYOUT = "teller: 4.4-7, first: 5-6, second: 7-8"


class WipedOut(Event):
    """``seats`` (bits) are out, of a team all that are; ``playing`` who plays + 1 (0 unknown)."""

    kind = WIPED_OUT
    LAYOUT = "seats: 4, playing: 5-6, situation: 7-8"


class Conceded(Event):
    """``seat`` conceded the match, or lost it by a penalty (as in GAME_WON)."""

    kind = CONCEDED
    LAYOUT = "seat: 4, section: 5, penalty: 6, situation: 7-8"


# the judge's acts on the clock


class Frozen(Event):
    """The clock stands; ``phase`` is the one before."""

    kind = FROZEN
    LAYOUT = "phase: 4"


class Resumed(Event):
    """The clock runs again in ``phase``; ``lost_ms`` are all that were lost to freezes."""

    kind = RESUMED
    LAYOUT = "phase: 4, lost_ms: 5-8"


class Extended(Event):
    """The table has ``total_s`` more in all."""

    kind = EXTENDED
    LAYOUT = "reason: 4, total_s: 5-6"


class ExtensionSeen(Event):
    """``seat`` has seen the extension."""

    kind = EXTENSION_SEEN
    LAYOUT = "seat: 4"


class StampedLate(Event):
    """``seats`` (bits, in all) were late or away."""

    kind = STAMPED_LATE
    LAYOUT = "seats: 4"


# time


class TimeCalled(Event):
    """The table's zero was at ``at_ms``; ``missing`` are bits (``phases``)."""

    kind = TIME_CALLED
    LAYOUT = "phase: 4, turn: 5, missing: 6, situation: 7-8"


class StateTold(Event):
    """The games won; ``started``: the next game's starter is determined, ``flipped``: a flip for it
    is agreed. ``teller``: one seat alone says so (1, 2), or both (0, 3).
    """

    kind = STATE_TOLD
    LAYOUT = "started: 4.0, situation: 4.1-3, teller: 4.4-6, flipped: 4.7, first: 5-6, second: 7-8"


class TurnTold(Event):
    """The turn of ``seat`` is in progress (``turning`` 1) or comes next; ``teller`` as in
    STATE_TOLD.
    """

    kind = TURN_TOLD
    LAYOUT = "seat: 4.0-3, teller: 4.4-7, turning: 5, turn: 6, phase: 7, situation: 8"


# result


class OutcomeProposed(Event):
    """What the rules make of the table: ``missing`` are bits, ``award`` whose the game is (1, 2; 0
    nobody's).
    """

    kind = OUTCOME_PROPOSED
    LAYOUT = "outcome: 4, section: 5-6, missing: 7, award: 8"


class ResultClaimed(Event):
    """The players entered a result and the games won."""

    kind = RESULT_CLAIMED
    LAYOUT = "outcome: 4, first: 5-6, second: 7-8"


class ResultConfirmed(Event):
    """``seat`` confirmed the result."""

    kind = RESULT_CONFIRMED
    LAYOUT = "seat: 4"


class ResultRefused(Event):
    """``seat`` refused the result."""

    kind = RESULT_REFUSED
    LAYOUT = "seat: 4"


class ResultRuled(Event):
    """A judge ruled; ``final`` 1: it needs no confirmation."""

    kind = RESULT_RULED
    LAYOUT = "outcome: 4.0-3, final: 4.7, first: 5-6, second: 7-8"


class ResultReopened(Event):
    """The result is open again in ``phase``; ``claimed`` as in ``Match``."""

    kind = RESULT_REOPENED
    LAYOUT = "phase: 4, outcome: 5-6, claimed: 7-8"


class MatchEnded(Event):
    """The result is agreed."""

    kind = MATCH_ENDED


class TakenBack(Event):
    """The first press taken back, by its epoch and counter; ``by`` 0 a judge, 3 both seats."""

    kind = TAKEN_BACK
    LAYOUT = "by: 4, epoch: 5-6, counter: 7-8"


# the judge


class JudgeCalled(Event):
    """A judge is wanted; ``call`` says what for."""

    kind = JUDGE_CALLED
    LAYOUT = "call: 4"


class CallEnded(Event):
    """No judge is wanted any more."""

    kind = CALL_ENDED


class JudgeArrived(Event):
    """A judge is at the table."""

    kind = JUDGE_ARRIVED


# luck


class PolicySet(Event):
    """The table's ``switches`` (bits, as in SET_POLICY)."""

    kind = POLICY_SET
    LAYOUT = "switches: 4"


class ConsentGiven(Event):
    """``seat`` consents to the board's coin and dice."""

    kind = CONSENT_GIVEN
    LAYOUT = "seat: 4"


class Rolled(Event):
    """A roll, with its ``number``; ``flips``: how many coins at once (see ``luck``)."""

    kind = ROLLED
    LAYOUT = "randomizer: 4.0-3, purpose: 4.4-7, face: 5, flips: 6, number: 7-8"


class RollAgreed(Event):
    """``seat`` agrees; ``rolled``: where the roll stands then (1 shown, 2 agreed by both),
    ``tossed`` as in ``Match``.
    """

    kind = ROLL_AGREED
    LAYOUT = "seat: 4, rolled: 5-6, tossed: 7-8"


class RollDisputed(Event):
    """``seat`` disputes the roll."""

    kind = ROLL_DISPUTED
    LAYOUT = "seat: 4"


class RollRuled(Event):
    """A judge ruled on a roll: ``conclusive`` 1, or 0 again."""

    kind = ROLL_RULED
    LAYOUT = "conclusive: 4, tossed: 7-8"


# squads (XW15)


class SquadsSet(Event):
    """The squads' totals as paired; ``mirror`` 1: both sides have the same faction."""

    kind = SQUADS_SET
    LAYOUT = "mirror: 4.0-3, tossed: 4.4-7, first: 5-6, second: 7-8"


# housekeeping


class RoundCleared(Event):
    """The table has no round."""

    kind = ROUND_CLEARED


class OrganiserSaid(Event):
    """A ``message`` by its number, and the seconds until the next round."""

    kind = ORGANISER_SAID
    LAYOUT = "message: 4, next_round_s: 5-6"


class EpochClosed(Event):
    """After BOOTED: the ``epoch`` before, and how many ``records`` it holds (0 none)."""

    kind = EPOCH_CLOSED
    LAYOUT = "epoch: 5-6, records: 7-8"


class Drafted(Event):
    """A ``step`` of a draft; what ``first`` and ``second`` are depends on it (``draft``)."""

    kind = DRAFTED
    LAYOUT = "step: 4, first: 5-6, second: 7-8"


# time, undone and run out


class PlayResumed(Event):
    """An extension moved the zero: play goes on."""

    kind = PLAY_RESUMED
    LAYOUT = "phase: 4, situation: 7-8"


class OvertimeEnded(Event):
    """The overtime clock ran out."""

    kind = OVERTIME_ENDED
    LAYOUT = "situation: 7-8"


# codes (see code)


class CodeEntered(Event):
    """A judge's code: ``wrong`` tries in a row (0: it was right), and the number of the ``next``
    code.
    """

    kind = CODE_ENTERED
    LAYOUT = "wrong: 4, number: 5-6"


# luck, checked afterwards


class SeedTold(Event):
    """Eight bytes of ``part`` of a seed, of its commitment or of the nonce (``seeds``)."""

    kind = SEED_TOLD
    at_ms = 0  # it names no time
    LAYOUT = "early: bytes 0-3, part: 4, late: bytes 5-8"

    @property
    def eight(self) -> bytes:
        """All eight bytes."""
        return self.early + self.late


_KINDS = payload.Kinds(Event, globals())
CLASSES = _KINDS.classes
unpack, of_numbers = _KINDS.unpack, _KINDS.of_numbers


def of_record(record: "bytes | bytearray | memoryview", at: int = 0) -> Event:
    """Return the event of the record at offset ``at``; one of kind 0 if its kind is unknown."""
    return unpack(frames.kind_of(record, at), record, at + 7)
