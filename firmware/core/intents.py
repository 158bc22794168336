"""The closed set of intents: requests to a table, imperative.

Illegal ones yield no event.

An intent is the tuple ``(kind, at_ms, a, b, c)``, the same shape as an event; ``at_ms`` is when
it takes effect. Kinds below ``SEATED_BASE`` may come from the desk and are then also the kind of
the down frame that carries them (``frames``); kinds from there on come from the table's own keys.
"""

# from the desk, always in absolutes (docs/architecture.md, From the desk)
JOIN_EVENT = 8  # b event id
SET_ROUND = 9  # a round, b table, c pairing
SET_FORMAT = 10  # a system, b format bits, c minutes
SET_START = 11  # at_ms the round's start
FREEZE = 12
RESUME = 13
EXTEND = 14  # a reason, b total extension in seconds
STAMP_LATE = 15  # a seats as bits
# a outcome (bit 7: needs no confirmation), b, c games won; bit 6: points that each side destroyed
RULE_RESULT = 16
REOPEN_RESULT = 17  # a 0 a judge, 3 both seats
# a switches as bits: 1 the head judge's (organiser's), 2 informal event, 4 barred, 8 sound, 16
# turns are counted before time
SET_POLICY = 18
RULE_ROLL = 19  # a 1 conclusive, 0 again
END_CALL = 20
ARRIVE = 21
ADJUST_PRIZES = 22  # b, c
CLEAR_ROUND = 23
SAY = 24  # a message number, b seconds until the next round
TAKE_BACK = 25  # a 0 a judge, 3 both seats; b epoch, c counter; a 4 a judge's last act at the table
APPROVE_RESULT = 26  # a judge, of what both seats confirmed
SET_DRAFT = 27  # a step of a draft, b, c (see draft): this board conducts it
SET_SCORE = 28  # a 1 a game is in progress, 2 seats changed; b, c games won: a table taken over
SET_NONCE = 29  # a the commitment's first byte; at_ms, b, c the eight bytes (see seeds)
LOSE_GAME = 30  # a the seat that loses the game by a penalty, b why (text why_1 ...; 0 not said)
# a 1 both sides have the same faction, from bit 4 on who won an old board's tosses (0: unchanged),
# b, c squad totals, as paired
SET_SQUADS = 31
# all numbers are taken; bits 1 to 3 of SET_SQUADS' a are free

SEATED_BASE = 32
# from the seats; a is the seat, if there is one
TICK = 32  # automatic: time passed
CONFIRM_SEAT = 33  # a seat, 2: they change places
SET_STARTER = 34  # a seat, of a team its side
START_TURN = 35
END_TURN = 36
WIN_GAME = 37  # a the winner
LEVEL_GAME = 38
COUNT_PRIZES = 39  # a told by (bits 4-5, as STATE_TOLD), b, c
COUNT_DESTROYED = 40  # the same
WIPE_OUT = 41  # a seats as bits; in a team match the one seat that is out
CONCEDE = 42  # a the loser
SEE_EXTENSION = 43
TELL_STATE = 44  # a starter determined (bit 0), told by (bits 4-5, as STATE_TOLD), b, c games won
TELL_TURN = 45  # a seat, told by (bits 4-5), b 1 its turn is in progress, 0 it plays next
CLAIM_RESULT = 46  # a outcome, b, c games won
CONFIRM_RESULT = 47
REFUSE_RESULT = 48
CALL_JUDGE = 49  # a type
CONSENT = 50
ROLL = 51  # a randomizer and purpose, b how many flips (255: until tails)
AGREE_ROLL = 52  # a seat
DISPUTE_ROLL = 53
CONDUCT = 54  # a step of a draft, b, c (see draft)
COUNT_TURNS = 55  # turns are counted before time, or no longer: a 3 both seats
