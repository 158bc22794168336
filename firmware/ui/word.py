"""The words that a template may name, by number; ``host/boards/screens/words.py`` has the letter of
each.
"""

ONE = 0  # both players, as names with their key's shape
TWO = 1
TO_PLAY = 2
TABLE = 3
ANSWERING = 4
ROUND = 5
GAMES = 6  # the first seat's; how many cards a draft has
TURN = 7
TURNS = 8
SECTION = 9
OUTCOME = 10  # the number of a text, as TOLD and WHY
EXTENSION = 11  # minutes
DEVICE = 12
CODE = 13
GAME = 14
FACE = 15
BATTERY = 16  # percent
TOLD = 17
ENTERED = 18  # the two numbers that are entered
ENTERED_TOO = 19
SEAT = 20  # of a team
RECALLED = 21  # five lines that were asked for
TYPED = 26
MINUTES = 27  # of a call
WHY = 28  # its type
GAMES_TOO = 29
COUNT = 30
FIRST = 128  # the code that stands for word 0 in a template
