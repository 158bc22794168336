"""d03, written by ``plusthree dev rules --write`` from host/systems/built_in/d03.toml."""

NUMBER = 1
SECTIONS = ("216", "217")
PREGAME_S = 0
MINUTES = (30, 30, 30, 30, 50, 40)
SLACK = (999, 999, "212", False)
OVERTIME = ((0, 0),)
AFTER = 7
SEATS = b"\x00\x01\x01\x00"
CARDS = (6, 4, 5, 4)
FIRST_PRIZE = 0
FIRST = "cld"
CAPS = ()
ASKED = 26
LOSES_IF_LATE = False
POINTS = (b"\x03\x02\xff\xff",)
LEAD = 0
POLICY = (((3, 2, 0, "213", "", "", ""), (3, 4, 1, "", "", "", "")), "")
PLAYS = b"\x22#$%&'\x16.)"
TREES = (
    b"d--1 ---0 ---0 ---0 !!!1 www1 www0 ???1 ???0 ccc0 ---0",
    b"mmm2 mmm2 ---0 ---0 !!!2 mmm2 www0 mmm2 ooo0 ccc0 ---0",
    b"q--2 ---0 ---0 ---0 !!!2 www2 www0 ???2 ???0 ccc0 ---0",
    b"???2 ???2 ---0 ---0 !!!2 ???2 www0 ???2 ooo0 ccc0 ---0",
    b"???1 ???1 ---0 ---0 !!!1 www1 www0 ???1 ???0 ccc0 ---0",
)
