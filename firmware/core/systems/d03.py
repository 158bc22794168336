"""D03: Pokemon DCI Floor Rules, 2 January 2003, as one table (docs/rules.md); letters as in
``p18``.
"""

from firmware.core import intents, phases

NUMBER = 1
SECTIONS = ("216", "217")
PREGAME_S = 0
MINUTES = (30, 30, 30, 30, 50, 40)  # 212, recommended; teams: Constructed 50, Limited 40 (App. B)
SLACK = (999, 999, "212", False)
OVERTIME = ((0, 0),)  # 216: the turn in progress, nothing more
AFTER = phases.FINISHING
SEATS = b"\x00\x01\x01\x00"  # of teams: 1A 2B 2A 1B (App. B); two players use the first two
CARDS = (6, 4, 5, 4)  # 214; teams have 3 + 2 and 2 + 2 prizes
FIRST_PRIZE = 0
# who decides who plays first (213): the winner of a toss; then the loser; after a draw the same
# player as before (see ``first_player``)
FIRST = "cld"
CAPS = ()
ASKED = phases.SCORE | phases.STARTER | phases.TURN
LOSES_IF_LATE = False
POINTS = (b"\x03\x02\xff\xff",)  # 216, for single games only; 255: not defined
LEAD = 0
# see ``policy``: 213 allows any random method for the first player; the text says nothing about
# cards, so the judge's switch decides
POLICY = (((3, 2, 0, "213", "", "", ""), (3, 4, 1, "", "", "", "")), "")
PLAYS = bytes(
    (
        intents.SET_STARTER,
        intents.START_TURN,
        intents.END_TURN,
        intents.WIN_GAME,
        intents.LEVEL_GAME,
        intents.COUNT_PRIZES,
        intents.ADJUST_PRIZES,
        intents.CLAIM_RESULT,
        intents.WIPE_OUT,
    )
)
TREES = (
    # Swiss, single game
    b"d--1 ---0 ---0 ---0 !!!1 www1 www0 ???1 ???0 ccc0 ---0",
    # Swiss, several games: a drawn game is followed by another (213), and counts for nobody (217)
    b"mmm2 mmm2 ---0 ---0 !!!2 mmm2 www0 mmm2 ooo0 ccc0 ---0",
    # elimination, single game
    b"q--2 ---0 ---0 ---0 !!!2 www2 www0 ???2 ???0 ccc0 ---0",
    # elimination, several games: the text does not cover time
    b"???2 ???2 ---0 ---0 !!!2 ???2 www0 ???2 ooo0 ccc0 ---0",
    # teams: the text does not cover time
    b"???1 ???1 ---0 ---0 !!!1 www1 www0 ???1 ???0 ccc0 ---0",
)
