"""The closed set of events: what happened at a table, past tense, one journal record each.

An event is the tuple ``(kind, at_ms, a, b, c)``: ``at_ms`` is u32 milliseconds since the event's
origin (for an act of the desk, the moment it takes effect), ``a`` u8, ``b`` and ``c`` u16. The
comment beside each kind gives the meaning of the three numbers. Kinds 1-7 are frames that are never
journalled (see ``frames``). A seat is 0 (▲, called A in the rules) or 1 (●, B).
"""

# the board's own
BOOTED = 8  # a reason for the reset, b firmware version, c the epoch before
SEALED = 9  # raw: see journal
EVENT_JOINED = 10  # b event id, c the one before
ANSWERED = 11  # a refusal (0 done), b the desk frame's counter, c its intent
TIME_SET = 12  # b uncertainty in ms, c 1 when the host spoke, 0 when guessed after a reset
CLOCK = 13  # b seconds left at at_ms (not news)
# set-up
ROUND_SET = 14  # a round, b table, c pairing
FORMAT_SET = 15  # a system, b format bits (see systems), c minutes
START_SET = 16  # at_ms the round's start
PREGAME_BEGUN = 17  # a between two games: 1 + the number of the last one
ROUND_BEGUN = 18
SEAT_CONFIRMED = 19  # a seat (2: both change places), c 1 while they sit the other way round
# play
STARTER_SET = 20  # a seat (the side, of a team), b the game's number
TURN_STARTED = 21  # a seat
TURN_ENDED = 22  # a who plays next, b the overtime turn that comes, c situation (see phases)
GAME_WON = 23  # a seat, b section that decides (high byte: a judge's penalty), c situation (0: play
# goes on)
GAME_LEVELLED = 24  # c situation
PRIZES_COUNTED = 25  # b seat 0's remaining, c seat 1's; a as in STATE_TOLD
PRIZES_ADJUSTED = 26  # b, c added to what remains before comparing
DESTROYED_COUNTED = 27  # b by seat 0, c by seat 1; a as in STATE_TOLD
WIPED_OUT = (
    28  # a seats as bits, b who plays (+ 1; 0 nobody knows), c situation; of a team: who is out
)
CONCEDED = 29  # a seat, b section (and a penalty's reason + 1, as in GAME_WON), c situation
# the judge's acts on the clock
FROZEN = 30  # a the phase before
RESUMED = 31  # a the phase again, b and c (low, high) all ms lost to freezes
EXTENDED = 32  # b the table's total extension in seconds
EXTENSION_SEEN = 33  # a seat
STAMPED_LATE = 34  # a seats as bits (absolute)
# time
TIME_CALLED = 35  # at_ms the table's zero, a phase, b turn and (high byte) missing, c situation
# told by a: bits 4-5, one seat alone (1, 2) or both (0, 3)
STATE_TOLD = 36  # a next game's starter determined (bit 0), situation (bits 1-3), b, c games won
TURN_TOLD = 37  # a seat, b 1 its turn is in progress, 0 it plays next (high byte: turn), c phase
# result
OUTCOME_PROPOSED = 38  # a outcome, b section, c missing (bits; high byte: game awarded to 1, 2)
RESULT_CLAIMED = 39  # a outcome, b, c games won
RESULT_CONFIRMED = 40  # a seat
RESULT_REFUSED = 41  # a seat
RESULT_RULED = 42  # a outcome (bit 7: needs no confirmation), b, c games won
RESULT_REOPENED = 43  # a phase, b outcome, c how it is claimed
MATCH_ENDED = 44
TAKEN_BACK = (
    45  # a 0 a judge, 3 both seats; b the epoch, c the counter of the first press taken back
)
# the judge
JUDGE_CALLED = 46  # a type
CALL_ENDED = 47
JUDGE_ARRIVED = 48
# luck
POLICY_SET = 49  # a switches (bits)
CONSENT_GIVEN = 50  # a seat
ROLLED = 51  # a randomizer and purpose, b face (high byte: how many flips, see luck), c roll number
ROLL_AGREED = 52  # a seat, b where the roll stands (1 shown, 2 agreed by both), c tosses (see luck)
ROLL_DISPUTED = 53  # a seat
ROLL_RULED = 54  # a 1 conclusive, 0 again; c as in ROLL_AGREED
# squads (XW15)
# a 1 both sides have the same faction, from bit 4 on who won the tosses; b, c totals, as paired
SQUADS_SET = 55
# housekeeping
ROUND_CLEARED = 56
ORGANISER_SAID = 57  # a message number, b seconds until the next round
EPOCH_CLOSED = 58  # after BOOTED: b the epoch before, c how many records it holds (0 none)
DRAFTED = 59  # a step, b, c (see draft)
# time, undone and run out
PLAY_RESUMED = 60  # an extension moved the zero: a phase, c situation
OVERTIME_ENDED = 61  # the overtime clock ran out: c situation
# codes (see code)
CODE_ENTERED = 62  # a wrong tries in a row (0: it was right), b the number of the next code
# luck, checked afterwards
SEED_TOLD = 63  # a which part; at_ms, b, c its eight bytes (see seeds)

NOT_NEWS = (CLOCK, SEALED)
MILESTONES = (ROUND_BEGUN, MATCH_ENDED)  # of a match (see announced)
