"""xw15, written by ``plusthree dev rules --write`` from host/systems/built_in/xw15.toml."""

NUMBER = 2
SECTIONS = ("Fine della Partita",)
PREGAME_S = 65535
MINUTES = (50, 70, 90, 120)
SLACK = (10, 10, "Regole Escalation", True)
OVERTIME = ((0, 0),)
AFTER = 7
SEATS = b""
CARDS = ()
FIRST_PRIZE = 0
FIRST = ""
CAPS = (60, 90, 120, 150)
ASKED = 2
LOSES_IF_LATE = False
POINTS = (b"\x05\x03\x01\x00", b"\x05\x03\x01\x00", b"\x05\x03\x01\x00", b"\x05\x03\x01\x00")
LEAD = 12
POLICY = (
    (
        (1, 8, 1, "Schieramento", "Schieramento", "", ""),
        (1, 16, 1, "Scontri Speculari", "Scontri Speculari", "", ""),
        (12, 32, 5, "Prodotti Ammessi", "Prodotti Ammessi", "", "Modifiche"),
    ),
    "Modifiche",
)
PLAYS = b"#$()"
TREES = (b"sss1 ---0 ---0 ---0 !!!1 ---0 www1 ---0 ---0 sss1 sss1",)
