"""The closed set of events: what happened at a table, past tense, one journal record each.

A row is a kind: its number, its class, and where its fields lie in the record (``payload``).
From kind 64 on, up to 127, byte 4 is not free: the number stands there (``frames``).
``at_ms`` is when it happened; for an act of the desk, the moment it takes effect. Kinds 1-7 are
frames that are never journalled (see ``frames``). A seat is 0 (▲, called A in the rules) or 1 (●,
B); ``first`` and ``second`` are numbers of seat 0 and seat 1. A ``situation`` is one of ``phases``.
"""

from firmware.core import frames, payload


class Event(payload.Fields):
    """What happened: a class below for each kind."""


def _kind(number: int, name: str, fields: str = "") -> "tuple[int, type[Event]]":
    """Return the number of a kind, and its class with ``fields`` as its LAYOUT."""
    return number, type(name, (Event,), {"kind": number, "LAYOUT": fields})


# the board's own

# An epoch began: the ``reason`` for the reset, the firmware's ``version``, the epoch ``before``.
BOOTED, Booted = _kind(8, "Booted", "reason: 4, version: 5-6, before: 7-8")
# Seven bytes of a digest over the records from counter ``first`` on (see ``Journal.seal``).
SEALED, Sealed = _kind(9, "Sealed", "first: 0-1, digest: bytes 2-8")
# The board belongs to ``event`` now; ``before`` is the id of the one before.
EVENT_JOINED, EventJoined = _kind(10, "EventJoined", "event: 5-6, before: 7-8")
# The answer to a down frame: ``refusal`` (``answers``; 0 done), its counter and kind;
# ``broadcast``: it names a beacon's COMMAND.
ANSWERED, Answered = _kind(11, "Answered", "refusal: 4, counter: 5-6, asked: 7, broadcast: 8")
# The clock was set to within ``uncertainty_ms``; ``by_host`` 0: it is a guess after a reset.
TIME_SET, TimeSet = _kind(12, "TimeSet", "uncertainty_ms: 5-6, by_host: 7-8")
# The round's clock runs, ``left_s`` are left (not news).
CLOCK, Clock = _kind(13, "Clock", "left_s: 5-6")

# set-up

# The table has a round and its pairing.
ROUND_SET, RoundSet = _kind(14, "RoundSet", "round: 4, table: 5-6, pairing: 7-8")
# The round's system, its format bits (see ``systems``) and minutes.
FORMAT_SET, FormatSet = _kind(15, "FormatSet", "system: 4, format: 5-6, minutes: 7-8")
# The round starts at ``at_ms``.
START_SET, StartSet = _kind(16, "StartSet")
# The 2:00 have begun: ``game`` 0 before the round, between two games the number of the next one.
PREGAME_BEGUN, PregameBegun = _kind(17, "PregameBegun", "game: 4")
# The round's clock runs.
ROUND_BEGUN, RoundBegun = _kind(18, "RoundBegun")
# ``seat`` is taken (2: both change places); ``swapped`` 1 while they sit the other way.
SEAT_CONFIRMED, SeatConfirmed = _kind(19, "SeatConfirmed", "seat: 4, swapped: 7-8")

# play

# ``seat`` (the side, of a team) plays first in ``game``.
STARTER_SET, StarterSet = _kind(20, "StarterSet", "seat: 4, game: 5-6")
# A turn of ``seat`` has begun.
TURN_STARTED, TurnStarted = _kind(21, "TurnStarted", "seat: 4")
# A turn is over, ``next_seat`` plays next; ``turn`` is the overtime turn that comes. In a set-up of
# ships ``next_seat`` puts obstacle ``turn`` (1 to 6) on the table; 7: all lie.
TURN_ENDED, TurnEnded = _kind(22, "TurnEnded", "next_seat: 4, turn: 5-6, situation: 7-8")
# ``seat`` won the game, by ``section``; ``penalty`` is a judge's reason + 1 (0: none). Situation 0:
# play goes on, before the round in ``phase`` (0: the round has begun).
GAME_WON, GameWon = _kind(23, "GameWon", "seat: 4, section: 5, penalty: 6, situation: 7, phase: 8")
# Both completed a win condition at once; ``progress`` as in ``Match``.
GAME_LEVELLED, GameLevelled = _kind(24, "GameLevelled", "situation: 7, progress: 8")
# What remains of seat 0 and seat 1; ``teller`` as in STATE_TOLD. 8: of a team match the four piles,
# each number with its A's in the low byte (``team.PILES``).
PRIZES_COUNTED, PrizesCounted = _kind(25, "PrizesCounted", "teller: 4.4-7, first: 5-6, second: 7-8")
# What a judge adds to what remains before they are compared.
PRIZES_ADJUSTED, PrizesAdjusted = _kind(26, "PrizesAdjusted", "first: 5-6, second: 7-8")
# What seat 0 and seat 1 destroyed; ``teller`` as in STATE_TOLD.
DESTROYED_COUNTED, DestroyedCounted = _kind(
    27, "DestroyedCounted", "teller: 4.4-7, first: 5-6, second: 7-8"
)
# ``seats`` (bits) are out, of a team all that are; ``playing`` who plays + 1 (0 unknown).
WIPED_OUT, WipedOut = _kind(28, "WipedOut", "seats: 4, playing: 5-6, situation: 7-8")
# ``seat`` conceded the match, or lost it by a penalty (as in GAME_WON).
CONCEDED, Conceded = _kind(29, "Conceded", "seat: 4, section: 5, penalty: 6, situation: 7-8")

# the judge's acts on the clock

# The clock stands; ``phase`` is the one before.
FROZEN, Frozen = _kind(30, "Frozen", "phase: 4")
# The clock runs again in ``phase``; ``lost_ms`` are all that were lost to freezes.
RESUMED, Resumed = _kind(31, "Resumed", "phase: 4, lost_ms: 5-8")
# The table has ``total_s`` more in all.
EXTENDED, Extended = _kind(32, "Extended", "reason: 4, total_s: 5-6")
# ``seat`` has seen the extension.
EXTENSION_SEEN, ExtensionSeen = _kind(33, "ExtensionSeen", "seat: 4")
# ``seats`` (bits, in all) were late or away.
STAMPED_LATE, StampedLate = _kind(34, "StampedLate", "seats: 4")

# time

# The table's zero was at ``at_ms``; ``missing`` are bits (``phases``).
TIME_CALLED, TimeCalled = _kind(35, "TimeCalled", "phase: 4, turn: 5, missing: 6, situation: 7-8")
# The games won; ``started``: the next game's starter is determined, ``flipped``: a flip for it is
# agreed. ``teller``: one seat alone says so (1, 2), or both (0, 3).
STATE_TOLD, StateTold = _kind(
    36,
    "StateTold",
    "started: 4.0, situation: 4.1-3, teller: 4.4-6, flipped: 4.7, first: 5-6, second: 7-8",
)
# The turn of ``seat`` is in progress (``turning`` 1) or comes next; ``teller`` as in STATE_TOLD.
TURN_TOLD, TurnTold = _kind(
    37, "TurnTold", "seat: 4.0-3, teller: 4.4-7, turning: 5, turn: 6, phase: 7, situation: 8"
)

# result

# What the rules make of the table: ``missing`` are bits, ``award`` whose the game is (1, 2, or 0).
OUTCOME_PROPOSED, OutcomeProposed = _kind(
    38, "OutcomeProposed", "outcome: 4, section: 5-6, missing: 7, award: 8"
)
# The players entered a result and the games won.
RESULT_CLAIMED, ResultClaimed = _kind(39, "ResultClaimed", "outcome: 4, first: 5-6, second: 7-8")
# ``seat`` confirmed the result.
RESULT_CONFIRMED, ResultConfirmed = _kind(40, "ResultConfirmed", "seat: 4")
# ``seat`` refused the result.
RESULT_REFUSED, ResultRefused = _kind(41, "ResultRefused", "seat: 4")
# A judge ruled; ``final`` 1: it needs no confirmation.
RESULT_RULED, ResultRuled = _kind(
    42, "ResultRuled", "outcome: 4.0-3, final: 4.7, first: 5-6, second: 7-8"
)
# The result is open again in ``phase``; ``claimed`` as in ``Match``.
RESULT_REOPENED, ResultReopened = _kind(
    43, "ResultReopened", "phase: 4, outcome: 5-6, claimed: 7-8"
)
# The result is agreed.
MATCH_ENDED, MatchEnded = _kind(44, "MatchEnded")
# The first press taken back, by its epoch and counter; ``by`` 0 a judge, 3 both seats.
TAKEN_BACK, TakenBack = _kind(45, "TakenBack", "by: 4, epoch: 5-6, counter: 7-8")

# the judge

# A judge is wanted; ``call`` says what for.
JUDGE_CALLED, JudgeCalled = _kind(46, "JudgeCalled", "call: 4")
# No judge is wanted any more.
CALL_ENDED, CallEnded = _kind(47, "CallEnded")
# A judge is at the table.
JUDGE_ARRIVED, JudgeArrived = _kind(48, "JudgeArrived")

# luck

# The table's ``switches`` (bits, as in SET_POLICY).
POLICY_SET, PolicySet = _kind(49, "PolicySet", "switches: 4")
# ``seat`` consents to the board's coin and dice.
CONSENT_GIVEN, ConsentGiven = _kind(50, "ConsentGiven", "seat: 4")
# A roll, with its ``number``; ``flips``: how many coins at once (see ``luck``).
ROLLED, Rolled = _kind(
    51, "Rolled", "randomizer: 4.0-3, purpose: 4.4-7, face: 5, flips: 6, number: 7-8"
)
# ``seat`` agrees; then the roll is ``rolled`` (1 shown, 2 agreed by both), ``tossed`` as in Match.
ROLL_AGREED, RollAgreed = _kind(52, "RollAgreed", "seat: 4, rolled: 5-6, tossed: 7-8")
# ``seat`` disputes the roll.
ROLL_DISPUTED, RollDisputed = _kind(53, "RollDisputed", "seat: 4")
# A judge ruled on a roll: ``conclusive`` 1, or 0 again.
ROLL_RULED, RollRuled = _kind(54, "RollRuled", "conclusive: 4, tossed: 7-8")
# The squads' totals as paired; ``mirror`` 1: both sides have the same faction.
SQUADS_SET, SquadsSet = _kind(
    55, "SquadsSet", "mirror: 4.0-3, tossed: 4.4-7, first: 5-6, second: 7-8"
)
# The table has no round.
ROUND_CLEARED, RoundCleared = _kind(56, "RoundCleared")
# A ``message`` by its number, and the seconds until the next round.
ORGANISER_SAID, OrganiserSaid = _kind(57, "OrganiserSaid", "message: 4, next_round_s: 5-6")
# After BOOTED: the ``epoch`` before, and how many ``records`` it holds (0 none).
EPOCH_CLOSED, EpochClosed = _kind(58, "EpochClosed", "epoch: 5-6, records: 7-8")
# A ``step`` of a draft; what ``first`` and ``second`` are depends on it (``draft``).
DRAFTED, Drafted = _kind(59, "Drafted", "step: 4, first: 5-6, second: 7-8")
# An extension moved the zero: play goes on.
PLAY_RESUMED, PlayResumed = _kind(60, "PlayResumed", "phase: 4, situation: 7-8")
# The overtime clock ran out.
OVERTIME_ENDED, OvertimeEnded = _kind(61, "OvertimeEnded", "situation: 7-8")
# A judge's code: ``wrong`` tries in a row (0: it was right), and the number of the ``next`` code.
CODE_ENTERED, CodeEntered = _kind(62, "CodeEntered", "wrong: 4, number: 5-6")
# Eight bytes of ``part`` of a seed, of its commitment or of the nonce (``seeds``).
SEED_STORED, SeedStored = _kind(63, "SeedStored", "early: bytes 0-3, part: 4, late: bytes 5-8")

# a new kind is 64 or more, the first number that none ever had

NOT_NEWS = (CLOCK, SEALED)
MILESTONES = (ROUND_BEGUN, MATCH_ENDED)  # of a match (see announced)

_KINDS = payload.Kinds(Event, globals())
CLASSES = _KINDS.classes
unpack, of_numbers = _KINDS.unpack, _KINDS.of_numbers


def of_record(record: "bytes | bytearray | memoryview", at: int = 0) -> Event:
    """Return the event of the record at offset ``at``; one of kind 0 if its kind is unknown."""
    return unpack(frames.kind_of(record, at), record, at + 7)
