"""The phases of a table, and the situations that an outcome tree decides.

Phases fit the five bits of the status frame. A situation is how play ended (or came to a question);
a system's tree decides it for game 1, 2 and 3 (``systems``, ``outcome``).
"""

IDLE = 0
SEATED = 1
PREGAME = 2
PLAYING = 3
FROZEN = 4
TIME = 5  # zero has passed, and it is unknown whose turn it is
OVERTIME = 6
FINISHING = 7
RESOLVING = 8  # something is asked of the players or of a judge
PLAY_ON = 9
TIEBREAKER = 10
PROPOSED = 11
AGREED = 12

# situations, in the order of the rows of a system's tables
LAST = 1  # the last turn ended in this game
BETWEEN = 2  # time was called between two games
LEVEL = 3  # time was called before a Tiebreaker Game's starter was determined
HALTED = 4  # time was called during a Tiebreaker Game
UNSTARTED = 5  # time was called before game 1's starter was determined
EXTRA = 6  # a game was won after time
WON = 7  # the match was won in time
TIED = 8  # both completed a win condition at once, after time
EVEN = 9  # the same, in time
LEFT = 10  # a player conceded the match
WIPED = 11  # all of one side's ships are gone

# how far the game is (``Match.progress``)
NOT_BEGUN = 0
IN_PROGRESS = 1
GAME_OVER = 2

# what is missing, as bits
PRIZES = 1
TURN = 2
DESTROYED = 4
SCORE = 8
STARTER = 16
