"""What a running second costs a board's heap, on the 32-bit MicroPython over stand-in modules."""

import interpreters

from firmware.core import beacon, frames, intents
from host.boards.deploy import image
from host.keys import signatures

SET_UP = "import sys, gc\nsys.path[:0] = ['/p', '/p/stubs']\nsys.path.append('/p/lib')"


def drive_files():
    """Return ``{path inside: bytes}`` of a drive as it is laid, in source, and the stand-ins."""
    stubs = interpreters.sources("tests/support/modules", "/p/stubs")
    return {f"/p/{name}": data for name, data in image.build("feathers3").items()} | stubs


JOURNAL = b"\xff" * 256 * 1024

# as in modules/os.py; a fresh board's first epoch
DEVICE, KEY, EPOCH, EVENT = (7, b"\x5f" * 32, 1, 5)


BEST_OF_THREE, TEAMS = 3 << 1, 1 << 1 | 1 << 7


def written(counter, kind, payload, event=EVENT):
    """Return the frame that the host would write, as source."""
    key = frames.stream_key(KEY, event, frames.DOWN, EPOCH)
    frame = signatures.sign(key, kind, DEVICE, EPOCH, counter, payload)
    if kind in (frames.NAME, beacon.ANCHOR):
        hidden = frames.mask_name(KEY, frame, payload[1:])
        frame = signatures.sign(key, kind, DEVICE, EPOCH, counter, payload[:1] + hidden)
    return repr(frame)


def desk(number=0, bits=BEST_OF_THREE):
    """Return the desk's frames: an event, a round, a format, a start, and both names."""
    yield written(1, intents.JOIN_EVENT, frames.plain(1, 0, EVENT, 0), 0)
    yield written(2, intents.SET_ROUND, frames.plain(1, 3, 12, 1))
    yield written(3, intents.SET_FORMAT, frames.plain(1, number, bits, 50))
    yield written(4, intents.SET_START, frames.plain(130000))
    counter = 5
    for seat, name in enumerate((b"Alessandra F.", b"Bartholomew Q.")):
        whole = name + bytes(20 - len(name)) + (1000 + seat).to_bytes(4, "little")
        for part in range(3):
            payload = frames.pack_name(3, part, seat, whole[8 * part : 8 * part + 8])
            yield written(counter, frames.NAME, payload)
            counter += 1


LATER = """
def later(ms):
    supervisor.now[0] += ms
    while program.step() == board.clock.now_ms() + 1:
        supervisor.now[0] += 1
"""
BOARD = ["import supervisor\nfrom firmware import app, launch", "board = launch.open_board()"]
FACE = [
    "from firmware.ui import face",
    "screens = face.open_face(board.display, board.panel, board.settings['language'])",
]
FIRST_STEP = ["later(20)"]


def program(system="p18", bits=BEST_OF_THREE):
    """Return the scenes of the whole program with a match of a ``system`` and format ``bits``."""
    rules = __import__(f"firmware.core.systems.{system}", None, None, ("NUMBER",))
    app = [
        f"from firmware.core.systems import {system} as rules\nfrom firmware.radio import link",
        "air = link.open_link(link.Link)",
        "program = app.App(board, air, screens, rules)",
    ]
    heard = [f"_bleio.inbox.append({frame})\nlater(20)" for frame in desk(rules.NUMBER, bits)]
    match = [
        "import _bleio",
        *heard[:1],
        # its clock stays uncertain; one never told the time would only join
        "program.sync.time_refused = True",
        *heard[1:],
        *["later(30000)"] * 5,
        "assert program.match.phase == 3 and program.match.table == 12, program.match.phase",
        "assert program.face.table.names[1].startswith('Barth'), program.face.table.names",
        *["later(1000)"] * 5,
    ]
    return [
        ("the board's parts", BOARD),
        ("the face", FACE),
        ("the program", app),
        (None, [LATER]),
        ("its first step", FIRST_STEP),
        ("a running match", match),
    ]


FILES = {f"/journal{i}.bin": JOURNAL for i in (0, 1)}

# the core alone: what a board keeps of it while a match runs, over a store that keeps nothing here
CORE = [
    "from firmware.core import frames, match, sync",
    "from firmware.core.journal import Journal\nfrom firmware.core.timebase import Timebase",
    """
class Store:
    blocks = 496
    def readinto(self, copy, block, buffer):
        for i in range(512):
            buffer[i] = 0xFF
    def write(self, copy, block, data):
        pass
""",
]
CORE_PARTS = [
    "table, base = match.Match(rules), Timebase(50)",
    "journal = Journal(Store(), 7, bytes(32))\njournal.recover()\njournal.open_epoch(0, 0, 1)",
    "protocol = sync.Sync(journal, base, lambda size: bytes(size))",
]
CORE_ASK = """
def ask(now_ms, kind, a=0, b=0, c=0, at_ms=0):
    happened = table.decide(intents.of_numbers(kind, at_ms or now_ms, a, b, c), now_ms)
    journal.append(*happened)
    for event in happened:
        table.apply(event)
    protocol.status_frame(table, 0, now_ms)
    return happened
"""
CORE_ACTS = {
    ("p18", BEST_OF_THREE): ("34, 0", "35, 0", "36, 0"),
    ("d03", BEST_OF_THREE): ("34, 0", "35, 0", "36, 0"),
    ("d03", TEAMS): ("34, 0", "35, 0", "36, 0", "35, 1"),
    ("xw15", 1 << 1): ("35, 0", "36, 0", "41, 1"),
}
DEAREST = [("d03", TEAMS), ("xw15", 1 << 1)]


def core_scenes(system, bits):
    """Return the scenes of the core alone with a match of a ``system`` and format ``bits``."""
    match = [
        f"assert ask(1000, 9, 3, 12, 1) and ask(1000, 10, rules.NUMBER, {bits}, 50)",
        "assert ask(1000, 11, at_ms=121000) and ask(2000, 33, 0) and ask(2000, 33, 1)",
        "assert ask(121000, 32)",
        "assert table.phase == 3, table.phase",
    ]
    acts = CORE_ACTS[system, bits]
    match += [f"assert ask({130000 + 10000 * i}, {acts[i]}), {i}" for i in range(len(acts))]
    rules = f"from firmware.core.systems import {system} as rules"
    return [
        (None, [*CORE, CORE_ASK]),
        (system, [rules]),
        ("the core's parts", CORE_PARTS),
        ("a running match", match),
    ]


SECONDS, MOST_BYTES = 50, 2048
MEASURE = f"""
def second():
    for poll in range(50):
        supervisor.now[0] += 20
        program.step()

def spent():
    before = gc.mem_alloc()
    for passed in range({SECONDS}):
        second()
    return gc.mem_alloc() - before

second()
print(spent())
"""


def test_a_running_second_allocates_2_kb_at_the_most(printed):
    """On average: fifty polls, a picture, a status signed each 10 s, the time kept for a reset."""
    ui = interpreters.ROOT / "firmware" / "ui"
    face = {
        f"/{path.relative_to(interpreters.ROOT).as_posix()}": path.read_bytes()
        for folder in ("fonts", "texts")
        for path in (ui / folder).iterdir()
    }
    scenes = [*program(), ("a running second", [MEASURE])]
    script = "\n".join(["import gc", *(source for _, sources in scenes for source in sources)])
    files = {**drive_files(), **FILES, **face}
    spent = int(interpreters.run_wasm(files, [SET_UP, script])[-1]) / SECONDS
    printed(
        "heap of a running second (bytes, WebAssembly MicroPython)", [f"{spent:.0f}, on average"]
    )
    assert spent <= MOST_BYTES
