"""The closed set of intents: requests to a table, imperative.

Illegal ones yield no event.

The ``LAYOUT`` of a kind's class names its fields, as an event's does (``events``), and says where
they lie in a down frame; ``at_ms`` is when it takes effect. Kinds below ``SEATED_BASE``, and from
64 on, may come from the desk and are then also the kind of the down frame that carries them
(``frames``); those between come from the table's own keys. From 64 on, up to 127, byte 4 is not
free: the number stands there.
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


class SetRound(Intent):
    """The table gets a round and its pairing."""

    kind = SET_ROUND
    LAYOUT = "round: 4, table: 5-6, pairing: 7-8"


class SetFormat(Intent):
    """The system, its format bits (see ``systems``) and minutes."""

    kind = SET_FORMAT
    LAYOUT = "system: 4, format: 5-6, minutes: 7-8"


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
    LAYOUT = "reason: 4, total_s: 5-6"


class StampLate(Intent):
    """``seats`` (bits, in all) are late or away."""

    kind = STAMP_LATE
    LAYOUT = "seats: 4"


class RuleResult(Intent):
    """Games won, or (``scored`` 1) the points that each side destroyed; ``final`` 1: it needs no
    confirmation.
    """

    kind = RULE_RESULT
    LAYOUT = "outcome: 4.0-3, scored: 4.6, final: 4.7, first: 5-6, second: 7-8"


class ReopenResult(Intent):
    """``by`` 0 a judge, 3 both seats."""

    kind = REOPEN_RESULT
    LAYOUT = "by: 4"


class SetPolicy(Intent):
    """``switches`` as bits: 1 the head judge's (organiser's), 2 informal event, 4 barred, 8 sound,
    16 turns are counted before time.
    """

    kind = SET_POLICY
    LAYOUT = "switches: 4"


class RuleRoll(Intent):
    """``conclusive`` 1, or 0 again."""

    kind = RULE_ROLL
    LAYOUT = "conclusive: 4"


class EndCall(Intent):
    """No judge is wanted any more."""

    kind = END_CALL


class Arrive(Intent):
    """A judge is at the table."""

    kind = ARRIVE


class AdjustPrizes(Intent):
    """What is added to the prizes that remain before they are compared."""

    kind = ADJUST_PRIZES
    LAYOUT = "first: 5-6, second: 7-8"


class ClearRound(Intent):
    """The table has no round."""

    kind = CLEAR_ROUND


class Say(Intent):
    """A ``message`` by its number, and the seconds until the next round."""

    kind = SAY
    LAYOUT = "message: 4, next_round_s: 5-6"


class TakeBack(Intent):
    """A press by its epoch and counter (0: the last); ``by`` 0 a judge, 3 both seats, 4 a judge at
    the table the own last act.
    """

    kind = TAKE_BACK
    LAYOUT = "by: 4, epoch: 5-6, counter: 7-8"


class ApproveResult(Intent):
    """A judge approves what both seats confirmed."""

    kind = APPROVE_RESULT


class SetDraft(Intent):
    """A ``step`` of a draft that this board conducts (``draft``)."""

    kind = SET_DRAFT
    LAYOUT = "step: 4, first: 5-6, second: 7-8"


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


class SetNonce(Intent):
    """The host's nonce for the seed whose commitment begins with that byte (``seeds``)."""

    kind = SET_NONCE
    at_ms = 0  # it names no time
    LAYOUT = "early: bytes 0-3, commitment: 4, late: bytes 5-8"

    @property
    def eight(self) -> bytes:
        """All eight bytes."""
        return self.early + self.late


class LoseGame(Intent):
    """``seat`` loses the game by a penalty; ``why`` is a text's number (why_1 ...; 0 not said)."""

    kind = LOSE_GAME
    LAYOUT = "seat: 4, why: 5-6"


class SetSquads(Intent):
    """Squad totals as paired; ``mirror`` 1: both sides have the same faction, ``tossed``: who won
    an old board's tosses (0: unchanged).
    """

    kind = SET_SQUADS
    LAYOUT = "mirror: 4.0-3, tossed: 4.4-7, first: 5-6, second: 7-8"


# from the seats


class Tick(Intent):
    """Automatic: time passed."""

    kind = TICK


class ConfirmSeat(Intent):
    """``seat`` is taken; 2: they change places."""

    kind = CONFIRM_SEAT
    LAYOUT = "seat: 4"


class SetStarter(Intent):
    """``seat``, of a team its side, plays first."""

    kind = SET_STARTER
    LAYOUT = "seat: 4"


class StartTurn(Intent):
    """A turn of ``seat`` begins."""

    kind = START_TURN
    LAYOUT = "seat: 4"


class EndTurn(Intent):
    """The turn in progress is over."""

    kind = END_TURN


class WinGame(Intent):
    """``seat`` is the winner."""

    kind = WIN_GAME
    LAYOUT = "seat: 4"


class LevelGame(Intent):
    """Both complete a win condition at once."""

    kind = LEVEL_GAME


class CountPrizes(Intent):
    """What remains of each seat; ``teller`` as in STATE_TOLD."""

    kind = COUNT_PRIZES
    LAYOUT = "teller: 4.4-7, first: 5-6, second: 7-8"


class CountDestroyed(Intent):
    """What each seat destroyed; ``teller`` as in STATE_TOLD."""

    kind = COUNT_DESTROYED
    LAYOUT = "teller: 4.4-7, first: 5-6, second: 7-8"


class WipeOut(Intent):
    """``seats`` (bits) are out; in a team match the one that is."""

    kind = WIPE_OUT
    LAYOUT = "seats: 4"


class Concede(Intent):
    """``seat`` is the loser."""

    kind = CONCEDE
    LAYOUT = "seat: 4"


class SeeExtension(Intent):
    """``seat`` has seen the extension."""

    kind = SEE_EXTENSION
    LAYOUT = "seat: 4"


class TellState(Intent):
    """Games won; ``started`` and ``teller`` as in STATE_TOLD."""

    kind = TELL_STATE
    LAYOUT = "started: 4.0, teller: 4.4-7, first: 5-6, second: 7-8"


class TellTurn(Intent):
    """``turning`` 1: the turn of ``seat`` is in progress, 0: it plays next; ``teller`` as in
    STATE_TOLD.
    """

    kind = TELL_TURN
    LAYOUT = "seat: 4.0-3, teller: 4.4-7, turning: 5-6"


class ClaimResult(Intent):
    """The players enter a result and the games won."""

    kind = CLAIM_RESULT
    LAYOUT = "outcome: 4, first: 5-6, second: 7-8"


class ConfirmResult(Intent):
    """``seat`` confirms the result."""

    kind = CONFIRM_RESULT
    LAYOUT = "seat: 4"


class RefuseResult(Intent):
    """``seat`` refuses the result."""

    kind = REFUSE_RESULT
    LAYOUT = "seat: 4"


class CallJudge(Intent):
    """``call`` says what for."""

    kind = CALL_JUDGE
    LAYOUT = "call: 4"


class Consent(Intent):
    """``seat`` consents to the board's coin and dice."""

    kind = CONSENT
    LAYOUT = "seat: 4"


class Roll(Intent):
    """``flips``: how many coins at once (255: until tails)."""

    kind = ROLL
    LAYOUT = "randomizer: 4.0-3, purpose: 4.4-7, flips: 5-6"


class AgreeRoll(Intent):
    """``seat`` agrees with the roll."""

    kind = AGREE_ROLL
    LAYOUT = "seat: 4"


class DisputeRoll(Intent):
    """``seat`` disputes the roll."""

    kind = DISPUTE_ROLL
    LAYOUT = "seat: 4"


class Conduct(Intent):
    """A ``step`` of a draft (``draft``)."""

    kind = CONDUCT
    LAYOUT = "step: 4, first: 5-6, second: 7-8"


class CountTurns(Intent):
    """Turns are counted before time, or no longer: ``by`` 3 both seats."""

    kind = COUNT_TURNS
    LAYOUT = "by: 4"


class PlaceObstacle(Intent):
    """In a set-up of ships, ``seat`` has the initiative and places first; later: its obstacle lies
    on the table.
    """

    kind = PLACE_OBSTACLE
    LAYOUT = "seat: 4"


class TakePrize(Intent):
    """In a team match a prize was taken from the pile of ``seat`` (1A, 2B, 2A, 1B)."""

    kind = TAKE_PRIZE
    LAYOUT = "seat: 4"


_KINDS = payload.Kinds(Intent, globals())
CLASSES = _KINDS.classes
unpack, of_numbers = _KINDS.unpack, _KINDS.of_numbers


def of_frame(frame: "bytes | bytearray | memoryview", at: int = 0) -> Intent:
    """Return the intent of the command's frame at ``at``; one of kind 0 if its kind is unknown."""
    return unpack(frames.kind_of(frame, at), frame, at + 7)
