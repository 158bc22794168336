"""XW15: X-Wing Escalation v3.0, 25 March 2015, as one table (docs/rules.md); letters as
in ``p18``.
"""

from firmware.core import intents, phases

NUMBER = 2
SECTIONS = ("Fine della Partita",)
PREGAME_S = 65535  # set-up may begin as soon as the table is known, and ends at the round's start
MINUTES = (50, 70, 90, 120)  # of rounds 1-4
SLACK = (10, 10, "Regole Escalation", True)  # only if announced before the event
OVERTIME = ((0, 0),)
AFTER = phases.FINISHING
SEATS = b""  # both players share each game round
CARDS = ()
FIRST_PRIZE = 0
FIRST = ""  # XW15 has initiative, not a first player
CAPS = (60, 90, 120, 150)
ASKED = phases.TURN
LOSES_IF_LATE = False
POINTS = (b"\x05\x03\x01\x00",) * 4
LEAD = 12  # squad points of lead from which a win is a full one
# see ``policy``: a coin for initiative or colours needs the organiser's switch; dice are only for
# informal events
POLICY = (
    (
        (1, 8, 1, "Schieramento", "Schieramento", "", ""),
        (1, 16, 1, "Scontri Speculari", "Scontri Speculari", "", ""),
        (12, 32, 5, "Prodotti Ammessi", "Prodotti Ammessi", "", "Modifiche"),
    ),
    "Modifiche",
)
PLAYS = bytes(
    (
        intents.START_TURN,
        intents.END_TURN,
        intents.COUNT_DESTROYED,
        intents.WIPE_OUT,
    )
)
TREES = (b"sss1 ---0 ---0 ---0 !!!1 ---0 www1 ---0 ---0 sss1 sss1",)
