"""The closed set of intents: requests to a table, imperative.

Illegal ones yield no event.

A row is a kind, as of the events (``events``): its number, its class, and where its fields lie in a
down frame; ``at_ms`` is when it takes effect. Kinds below ``SEATED_BASE``, and from
64 on, may come from the desk and are then also the kind of the down frame that carries them
(``frames``); those between come from the table's own keys. From 64 on, up to 127, byte 4 is not
free: the number stands there.
"""

from firmware.core import frames, payload

SEATED_BASE = 32


class Intent(payload.Fields):
    """A request: a class below for each kind."""


def _kind(number: int, name: str, fields: str = "") -> "tuple[int, type[Intent]]":
    """Return the number of a kind, and its class with ``fields`` as its LAYOUT."""
    return number, type(name, (Intent,), {"kind": number, "LAYOUT": fields})


# from the desk, always in absolutes (docs/architecture.md, From the desk)

# Belong to ``event``; ``anew`` 1: the desk insists on its time.
JOIN_EVENT, JoinEvent = _kind(8, "JoinEvent", "anew: 4, event: 5-6")
# The table gets a round and its pairing.
SET_ROUND, SetRound = _kind(9, "SetRound", "round: 4, table: 5-6, pairing: 7-8")
# The system, its format bits (see ``systems``) and minutes.
SET_FORMAT, SetFormat = _kind(10, "SetFormat", "system: 4, format: 5-6, minutes: 7-8")
# The round starts at ``at_ms``.
SET_START, SetStart = _kind(11, "SetStart")
# The clock is to stand.
FREEZE, Freeze = _kind(12, "Freeze")
# The clock is to run again.
RESUME, Resume = _kind(13, "Resume")
# ``total_s`` more for the table in all.
EXTEND, Extend = _kind(14, "Extend", "reason: 4, total_s: 5-6")
# ``seats`` (bits, in all) are late or away.
STAMP_LATE, StampLate = _kind(15, "StampLate", "seats: 4")
# Games won, or (``scored`` 1) points that each destroyed; ``final`` 1: it needs no confirmation.
RULE_RESULT, RuleResult = _kind(
    16, "RuleResult", "outcome: 4.0-3, scored: 4.6, final: 4.7, first: 5-6, second: 7-8"
)
# ``by`` 0 a judge, 3 both seats.
REOPEN_RESULT, ReopenResult = _kind(17, "ReopenResult", "by: 4")
# ``switches`` as bits: 1 the head judge's (organiser's), 2 informal event, 4 barred, 8 sound, 16
# turns are counted before time.
SET_POLICY, SetPolicy = _kind(18, "SetPolicy", "switches: 4")
# ``conclusive`` 1, or 0 again.
RULE_ROLL, RuleRoll = _kind(19, "RuleRoll", "conclusive: 4")
# No judge is wanted any more.
END_CALL, EndCall = _kind(20, "EndCall")
# A judge is at the table.
ARRIVE, Arrive = _kind(21, "Arrive")
# What is added to the prizes that remain before they are compared.
ADJUST_PRIZES, AdjustPrizes = _kind(22, "AdjustPrizes", "first: 5-6, second: 7-8")
# The table has no round.
CLEAR_ROUND, ClearRound = _kind(23, "ClearRound")
# A ``message`` by its number, and the seconds until the next round.
SAY, Say = _kind(24, "Say", "message: 4, next_round_s: 5-6")
# A press (0: the last); ``by`` 0 a judge, 3 both seats, 4 a judge whose own last act it is.
TAKE_BACK, TakeBack = _kind(25, "TakeBack", "by: 4, epoch: 5-6, counter: 7-8")
# A judge approves what both seats confirmed.
APPROVE_RESULT, ApproveResult = _kind(26, "ApproveResult")
# A ``step`` of a draft that this board conducts (``draft``).
SET_DRAFT, SetDraft = _kind(27, "SetDraft", "step: 4, first: 5-6, second: 7-8")
# Games won at a table taken over; ``started`` 1: a game is in progress, ``swapped`` 1: seats
# changed, ``flipped`` 1: a flip for the next game is agreed, ``placing`` puts ``obstacle`` on the
# table.
SET_SCORE, SetScore = _kind(
    28,
    "SetScore",
    "started: 4.0, swapped: 4.1-7, first: 5, flipped: 6.0, second: 7, "
    "placing: 8.0, obstacle: 8.1-3",
)
# The host's nonce for the seed whose commitment begins with that byte (``seeds``).
SET_NONCE, SetNonce = _kind(29, "SetNonce", "early: bytes 0-3, commitment: 4, late: bytes 5-8")
# ``seat`` loses the game by a penalty; ``why`` is a text's number (why_1 ...; 0 not said).
LOSE_GAME, LoseGame = _kind(30, "LoseGame", "seat: 4, why: 5-6")
# Squad totals as paired; ``mirror`` 1: both sides have the same faction, ``tossed``: who won an old
# board's tosses (0: unchanged).
SET_SQUADS, SetSquads = _kind(
    31, "SetSquads", "mirror: 4.0-3, tossed: 4.4-7, first: 5-6, second: 7-8"
)

# a new one is 64 or more, the first number that none ever had

# from the seats; a new one is 63 at the most

# Automatic: time passed.
TICK, Tick = _kind(32, "Tick")
# ``seat`` is taken; 2: they change places.
CONFIRM_SEAT, ConfirmSeat = _kind(33, "ConfirmSeat", "seat: 4")
# ``seat``, of a team its side, plays first.
SET_STARTER, SetStarter = _kind(34, "SetStarter", "seat: 4")
# A turn of ``seat`` begins.
START_TURN, StartTurn = _kind(35, "StartTurn", "seat: 4")
# The turn in progress is over.
END_TURN, EndTurn = _kind(36, "EndTurn")
# ``seat`` is the winner.
WIN_GAME, WinGame = _kind(37, "WinGame", "seat: 4")
# Both complete a win condition at once.
LEVEL_GAME, LevelGame = _kind(38, "LevelGame")
# What remains of each seat; ``teller`` as in STATE_TOLD.
COUNT_PRIZES, CountPrizes = _kind(39, "CountPrizes", "teller: 4.4-7, first: 5-6, second: 7-8")
# What each seat destroyed; ``teller`` as in STATE_TOLD.
COUNT_DESTROYED, CountDestroyed = _kind(
    40, "CountDestroyed", "teller: 4.4-7, first: 5-6, second: 7-8"
)
# ``seats`` (bits) are out; in a team match the one that is.
WIPE_OUT, WipeOut = _kind(41, "WipeOut", "seats: 4")
# ``seat`` is the loser.
CONCEDE, Concede = _kind(42, "Concede", "seat: 4")
# ``seat`` has seen the extension.
SEE_EXTENSION, SeeExtension = _kind(43, "SeeExtension", "seat: 4")
# Games won; ``started`` and ``teller`` as in STATE_TOLD.
TELL_STATE, TellState = _kind(
    44, "TellState", "started: 4.0, teller: 4.4-7, first: 5-6, second: 7-8"
)
# ``turning`` 1: the turn of ``seat`` is in progress, 0: it plays next; ``teller`` as in STATE_TOLD.
TELL_TURN, TellTurn = _kind(45, "TellTurn", "seat: 4.0-3, teller: 4.4-7, turning: 5-6")
# The players enter a result and the games won.
CLAIM_RESULT, ClaimResult = _kind(46, "ClaimResult", "outcome: 4, first: 5-6, second: 7-8")
# ``seat`` confirms the result.
CONFIRM_RESULT, ConfirmResult = _kind(47, "ConfirmResult", "seat: 4")
# ``seat`` refuses the result.
REFUSE_RESULT, RefuseResult = _kind(48, "RefuseResult", "seat: 4")
# ``call`` says what for.
CALL_JUDGE, CallJudge = _kind(49, "CallJudge", "call: 4")
# ``seat`` consents to the board's coin and dice.
CONSENT, Consent = _kind(50, "Consent", "seat: 4")
# ``flips``: how many coins at once (255: until tails).
ROLL, Roll = _kind(51, "Roll", "randomizer: 4.0-3, purpose: 4.4-7, flips: 5-6")
# ``seat`` agrees with the roll.
AGREE_ROLL, AgreeRoll = _kind(52, "AgreeRoll", "seat: 4")
# ``seat`` disputes the roll.
DISPUTE_ROLL, DisputeRoll = _kind(53, "DisputeRoll", "seat: 4")
# A ``step`` of a draft (``draft``).
CONDUCT, Conduct = _kind(54, "Conduct", "step: 4, first: 5-6, second: 7-8")
# Turns are counted before time, or no longer: ``by`` 3 both seats.
COUNT_TURNS, CountTurns = _kind(55, "CountTurns", "by: 4")
# In a set-up of ships ``seat`` has the initiative and places first; later: it placed an obstacle.
PLACE_OBSTACLE, PlaceObstacle = _kind(56, "PlaceObstacle", "seat: 4")
# In a team match a prize was taken from the pile of ``seat`` (1A, 2B, 2A, 1B).
TAKE_PRIZE, TakePrize = _kind(57, "TakePrize", "seat: 4")


def from_desk(kind: int) -> bool:
    """Return whether a number is one of the desk's intents, known or not."""
    return frames.FIRST_COMMAND <= kind < SEATED_BASE or kind >= frames.EXTENDED


_KINDS = payload.Kinds(Intent, globals())
CLASSES = _KINDS.classes
unpack, of_numbers = _KINDS.unpack, _KINDS.of_numbers


def of_frame(frame: "bytes | bytearray | memoryview", at: int = 0) -> Intent:
    """Return the intent of the command's frame at ``at``; one of kind 0 if its kind is unknown."""
    return unpack(frames.kind_of(frame, at), frame, at + 7)
