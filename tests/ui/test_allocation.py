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
