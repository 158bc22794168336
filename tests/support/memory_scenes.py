"""What runs after the imports when memory is measured: a board like ``main`` builds it, and a match."""

JOURNAL = b"\xff" * 256 * 1024

# sets up a table as the desk does, then lets both sit down; kinds as in core/intents
ASK = """
def ask(kind, a=0, b=0, c=0, at_ms=0):
    now_ms = program.timebase.now_ms(board.clock.now_ms())
    return program._ask((kind, at_ms or now_ms, a, b, c), now_ms)

def later(ms):
    supervisor.now[0] += ms
    program.step()
"""
BOARD = [
    "import supervisor\nfrom firmware import app\nfrom firmware.board import hardware",
    "from firmware.core import settings",
    "board = hardware.Hardware(settings.names(), app._validated)",
]
FACE = [
    "from firmware.ui import start",
    "screens = start.face(board.display, board.panel, board.settings['language'])",
]
APP = [
    "from firmware.core.systems import p18\nfrom firmware.radio import link",
    "air = link.opened()",
    "program = app.App(board, air, screens, p18)",
]
FIRST_STEP = ["later(20)"]
MATCH = [
    "assert ask(9, 3, 12, 1)",  # SET_ROUND
    "assert ask(10, 0, 3 << 1, 50)",  # SET_FORMAT: best of three, 50 minutes
    "assert ask(11, at_ms=program.timebase.now_ms(board.clock.now_ms()) + 120000)",  # SET_START
    "assert ask(33, 0) and ask(33, 1)",  # CONFIRM_SEAT
    "program.view.names = ['Alessandra F.', 'Bartholomew Q.']\nprogram.view.changed = True",
    *["later(30000)"] * 5,
    "assert program.match.phase == 3, program.match.phase",
    "assert ask(34, 0) and ask(35, 0) and ask(36, 0)",  # SET_STARTER, START_TURN, END_TURN
    *["later(1000)"] * 5,
]
SCENES = [
    ("the board's parts", BOARD),
    ("the face", FACE),
    ("the program", APP),
    (None, [ASK]),
    ("its first step", FIRST_STEP),
    ("a running match", MATCH),
]
FILES = {f"/journal{i}.bin": JOURNAL for i in (0, 1)}

# the core alone: what a board keeps of it while a match runs, over a store that keeps nothing here
CORE = [
    "from firmware.core import frames, match, sync\nfrom firmware.core.chance import Chance",
    "from firmware.core.journal import Journal\nfrom firmware.core.timebase import Timebase",
    "from firmware.core.systems import p18",
    """
class Store:
    blocks = 496
    def read(self, copy, block):
        return b"\\xff" * 512
    def write(self, copy, block, data):
        pass
""",
]
CORE_PARTS = [
    "table, luck, base = match.Match(p18), Chance(None), Timebase(50)",
    "journal = Journal(Store(), 7, bytes(32))\njournal.recover()\njournal.open_epoch(0, 0, 1)",
    "protocol = sync.Sync(journal, base, lambda size: bytes(size))",
]
CORE_ASK = """
def ask(now_ms, kind, a=0, b=0, c=0, at_ms=0):
    happened = table.decide((kind, at_ms or now_ms, a, b, c), now_ms, luck)
    journal.append(*happened)
    for event in happened:
        table.apply(event)
    protocol.status_frame(table, 0, now_ms)
    return happened
"""
CORE_MATCH = [
    "assert ask(1000, 9, 3, 12, 1) and ask(1000, 10, 0, 3 << 1, 50)",
    "assert ask(1000, 11, at_ms=121000) and ask(2000, 33, 0) and ask(2000, 33, 1)",
    "assert ask(121000, 32)",
    "assert table.phase == 3, table.phase",
    "assert ask(130000, 34, 0) and ask(140000, 35, 0) and ask(150000, 36, 0)",
]
CORE_SCENES = [
    (None, [*CORE, CORE_ASK]),
    ("the core's parts", CORE_PARTS),
    ("a running match", CORE_MATCH),
]
