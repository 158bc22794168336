"""D03: Pokemon DCI Floor Rules, 2 January 2003, as one table (docs/rules.md); letters as in
``p18``.
"""

from firmware.core import intents, phases

NUMBER = 1
SECTIONS = ("216", "217")
PREGAME_S = 0
MINUTES = (30, 30, 30, 30, 50, 40)  # 212, recommended; the last two a team's C, L (App. B)
SLACK = (999, 999, "212", False)
OVERTIME = ((0, 0),)  # 216: the turn in progress, nothing more
AFTER = phases.FINISHING
SEATS = b"\x00\x01\x01\x00"  # a team's: 1A 2B 2A 1B (App. B); two players use the first two
CARDS = (6, 4, 5, 4)  # 214; the pools of a team of two, 3 + 2 and 2 + 2
FIRST_PRIZE = 0
# 213; a toss' winner, the loser, after a draw whoever decided before
# (host/tournament/first_player.py)
FIRST = "cld"
CAPS = ()
ASKED = phases.SCORE | phases.STARTER | phases.TURN
LATE = False
POINTS = (b"\x03\x02\xff\xff",)  # 216, single games alone; 255: the text gives none
LEAD = 0
# see policy: 213 leaves who is first to any random method; of cards the text is silent: the judge's
# switch
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
    # Swiss, several games
    b"mmm2 mmm2 ---0 ---0 !!!2 mmm2 www0 ???2 ???0 ccc0 ---0",
    # elimination, single game
    b"q--2 ---0 ---0 ---0 !!!2 www2 www0 ???2 ???0 ccc0 ---0",
    # elimination, several games: not covered
    b"???2 ???2 ---0 ---0 !!!2 ???2 www0 ???2 ???0 ccc0 ---0",
    # teams: time is not covered
    b"???1 ???1 ---0 ---0 !!!1 www1 www0 ???1 ???0 ccc0 ---0",
)
