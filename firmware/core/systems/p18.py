"""p18, written by ``plusthree dev rules --write`` from host/systems/built_in/p18.toml."""

NUMBER = 0
SECTIONS = ("9.1", "9.2.1", "9.2.2", "9.2.3", "9.3.1", "9.3.2", "9.3.3")
PREGAME_S = 120
MINUTES = (30, 20, 50, 50)
SLACK = (0, 999, "8.3", False)
OVERTIME = ((3, 0), (1, 600), (3, 900))
AFTER = 6
SEATS = b"\x00\x01"
CARDS = (6, 4)
FIRST_PRIZE = 6
FIRST = "fl?"
CAPS = ()
ASKED = 26
LOSES_IF_LATE = True
POINTS = ()
LEAD = 0
POLICY = (((3, 6, 3, "4.5.1", "4.5", "4.5.1", ""),), "4.5")
PLAYS = b"\x22#$%&'\x16."
TREES = (
    b"t--3 ---0 ?--3 !!!3 !!!3 www2 www0 t--3 ggg1 ccc0 ---0",
    b"tlt4 ltt4 ??t4 !!!4 !!!4 w?w2 www0 ??t4 ggg1 ccc0 ---0",
    b"p--6 ---0 g--1 ---0 !!!6 www5 www0 g--1 ggg1 ccc0 ---0",
    b"plp7 lgg7 ?gg1 ---0 !!!7 w?w5 www0 gGg7 ggg1 ccc0 ---0",
)
