"""P18: Play! Pokemon TCG Rules & Formats, 11 July 2018, as one table (docs/rules.md).

A tree has 11 rows, one per situation (``phases``). A row has 4 characters: the verdicts in games 1,
2 and 3, and the section (its place in ``SECTIONS``, from 1; 0: none). Verdicts: ``t`` tie, ``l``
leader in games, ``w`` leader, even if late, ``m`` leader or else tie, ``p`` fewest prizes or else
play on, ``d`` fewest prizes or else tie, ``q`` fewest prizes or else ask (``PDQ``: most prizes),
``g`` Tiebreaker Game (``G``: by the section of row EVEN), ``s`` score in points, ``c`` the side
that did not concede, ``?`` ask, ``!`` ask, even if late, ``o`` play goes on, ``-`` cannot occur.
"""

from firmware.core import intents, phases

NUMBER = 0
SECTIONS = ("9.1", "9.2.1", "9.2.2", "9.2.3", "9.3.1", "9.3.2", "9.3.3")
PREGAME_S = 120  # 8.1
MINUTES = (30, 20, 50, 50)  # single game Constructed, Limited; best of three Constructed, Limited
SLACK = (0, 999, "8.3", False)  # minutes a round may be shorter, longer; locked after the start?
OVERTIME = ((3, 0), (1, 600), (3, 900))  # turns, clock in s; only the first is in the text
AFTER = phases.OVERTIME  # the phase in which the turn in progress at zero is finished
SEATS = b"\x00\x01"  # the side each seat plays for, in turn order
CARDS = (6, 4)  # prizes: Constructed 11.1, Limited 11.2
FIRST_PRIZE = 6  # prizes in a Tiebreaker Game, even in Limited (9.1)
# who decides who plays first (10): a flip, then the loser (see ``first_player``)
FIRST = "fl?"
CAPS = ()
ASKED = phases.SCORE | phases.STARTER | phases.TURN  # asked at zero if nobody touched the keys
LOSES_IF_LATE = True  # criterion 1: a result after time can be late
POINTS = ()  # for win, narrow win, draw and loss, by tree: not defined
LEAD = 0
# see ``policy``: a coin or die on the screen, for the first player or a card, needs the head
# judge's switch and both players' consent
POLICY = (((3, 6, 3, "4.5.1", "4.5", "4.5.1", ""),), "4.5")
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
    )
)
TREES = (
    # Swiss, single game: 9.2.2
    b"t--3 ---0 ?--3 !!!3 !!!3 www2 www0 t--3 ggg1 ccc0 ---0",
    # Swiss, best of three: 9.2.3
    b"tlt4 ltt4 ??t4 !!!4 !!!4 w?w2 www0 ??t4 ggg1 ccc0 ---0",
    # elimination, single game: 9.3.2
    b"p--6 ---0 g--1 ---0 !!!6 www5 www0 g--1 ggg1 ccc0 ---0",
    # elimination, best of three: 9.3.3
    b"plp7 lgg7 ?gg1 ---0 !!!7 w?w5 www0 gGg7 ggg1 ccc0 ---0",
)
