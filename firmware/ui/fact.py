"""The facts that a screen's lines may depend on (``? begun !called``), by number; ``facts`` sets
them.

The one list of them: the compiler of the screens (``plusthree dev screens``) reads it, a name in
small letters. A new one comes last, and COUNT is one more.
"""

# these eight change with time alone
WARN = 0  # under five minutes are left
LAST = 1  # under one minute is left
UNSYNCED = 2  # records have waited for long
LOW = 3  # the battery is low
WAITING = 4  # records have not reached the desk
UNCERTAIN = 5  # the clock may be wrong after a reset
LIT = 6  # the desk asks the board to show itself
CRASHED = 7  # the program failed
# the rest changes with the match
THREE = 8  # the board has three keys
KEYED = 9  # the board has its key
SEATED = 10  # the table has a number
IDLE = 11  # no round is set
MANY = 12  # a best of three
TIE = 13  # the round may end in a tie
CALLED = 14  # a judge is on the way
UNSEEN = 15  # an extension is not yet seen by both seats
UNSEEN_A = 16  # nor by seat 0
UNSEEN_B = 17  # nor by seat 1
PRESENT_A = 18  # seat 0 has taken its seat
PRESENT_B = 19  # seat 1 has
BEGUN = 20  # the current game's starter is determined
TICKING = 21  # a clock is running
UNKNOWN = 22  # the score at time is not known
UNTURNED = 23  # whose turn it was at time is not known
TOLD_A = 24  # seat 0 alone has answered
TOLD_B = 25  # seat 1 alone has
TURN_A = 26  # it is seat 0's turn
TURN_B = 27  # it is seat 1's
FINISHING = 28  # the turn in which time was called goes on
ASKED_A = 29  # seat 0 is to confirm the result now
ASKED_B = 30  # seat 1 is
SECTIONED = 31  # the proposal rests on a section of the rules
REFUSED = 32  # a seat refused the result
RULED = 33  # a judge gave it
PRIZES = 34  # prizes must be counted
COIN = 35  # the head judge allows the board's coin for something
DIE = 36  # and its die
CONSENT_A = 37  # seat 0 agrees that the board decides
CONSENT_B = 38  # seat 1 does
ROLLED = 39  # a roll is shown and not agreed
DISPUTED = 40  # nor is it any more
HEADS = 41  # it is a coin's first face
TAILS = 42  # its second
ROLLED_DIE = 43  # it is a die's
CARDS = 44  # there are prizes to count
SHARED = 45  # turns are rounds of both players
TURNING = 46  # one of them is in progress
DESTROYED = 47  # destroyed points must be counted
HIDDEN = 48  # the players do not see the clock
MORE = 49  # there are turns after time
WON_A = 50  # seat 0 won the last game, and the loser chooses
WON_B = 51  # seat 1 did
SAID = 52  # the organiser said something
WANTED = 53  # the result needs a judge's word
HALF_A = 54  # seat 0 alone asked for what both must ask
HALF_B = 55  # seat 1 alone did
TEAM = 56  # two players a side
FIRST = 57  # luck may say who is first
CARD = 58  # or what a card does
STARTS = 59  # or who has the initiative
COLOURS = 60  # or the colours
COMBAT = 61  # there are dice for combat
HERE = 62  # a judge is at the table
OLD = 63  # the desk speaks another version
LUCKY = 64  # luck may decide something
FLIPS = 65  # several flips of a coin are shown
STREAK = 66  # the flips until tails are
POD_LEFT = 67  # the draft's packs go clockwise
POD_MISSED = 68  # the last pick was missed
POD_HALTED = 69  # the draft is halted
POD_BOOSTER = 70  # it is a Booster Draft
POD_TAKEN = 71  # a pick may be taken back
POD_PASSING = 72  # everybody picks and passes
TIMED = 73  # the organiser said when the next round begins
TOSS = 74  # whoever wins a toss, or the like, chooses who plays the first game first
TESTED = 75  # dice must pass tests that a screen's does not
OUT_1 = 76  # of a team match, the first in the order of play is out
OUT_2 = 77  # and the second
OUT_3 = 78  # and the third
OUT_4 = 79  # and the fourth
ILL = 80  # the generator of luck failed its tests
STARTLESS = 81  # the round has no start yet
REOPENED = 82  # an agreed result is open again
REASONED = 83  # the players said what they call a judge for
PAIR = 84  # a match is two games, and both are played
LONG = 85  # a match is more than three games
LEVELS = 86  # both may win a game at once
COUNT = 87
