"""What a table board keeps more of because it listens to a beacon, on the 32-bit MicroPython.

The program is laid and linked as ``plusthree deploy`` does, and settled as ``launch`` leaves it. The
same match is told twice, with the settings' beacon off and on; then the board is told of a chain,
hears each kind of frame, and proves it.
"""

import re

import interpreters
import memory
import memory_scenes

from firmware.core import anchor, beacon, intents
from host.boards.deploy import bytecode, image
from host.keys.beacon_chain import BeaconChain

CHAIN = BeaconChain(bytes(32), memory_scenes.EVENT, 0)
OFF = [
    "import supervisor, os\nfrom firmware import app, launch",
    "board = launch.opened()",
    "from firmware.ui import start",
    "screens = start.face(board.display, board.panel, board.settings['language'])",
    "from firmware.core.systems import p18 as rules\nfrom firmware.radio import link",
    "air = link.opened()\nprogram = app.App(board, air, screens, rules)",
]
SETTLED = """
for one in (
    program, program.gestures, program.hand, air, program.ledger, program.timebase, program.view,
    program.journal, program.journal.ring, program.sync, program.sync.window,
):
    type(one).__init__ = None
del one
"""  # as ``launch.settled``, which lies inside ``launch.main``
ON = [
    "import os\nos.settings['PLUSTHREE_ROLE'] = 'listener'",
    *OFF,
    "from firmware.radio import ear\nair = program.link = air.again(ear.Ear)\nair.fit(program)",
]
LATER = """
def later(ms, steps=60):
    supervisor.now[0] += ms
    for i in range(steps):
        program.step()
        supervisor.now[0] += 1
"""
DUE_MS = 40  # of a scan


def told():
    """Return the sources that tell a match, as ``memory_scenes.program`` does."""
    heard = [f"_bleio.inbox.append({frame})\nlater(20)" for frame in memory_scenes.desk()]
    return [
        LATER, "later(20)", "import _bleio", *heard[:1], "program.sync.stepped = True", *heard[1:],
        *["later(30000)"] * 5, "_bleio.adapter.host = False", *["later(1000)"] * 5,
    ]  # fmt: skip


def beacons(now_ms):
    """Return the sources that have the board follow the chain and hear a frame of each kind."""
    whole = CHAIN.anchor(now_ms - 1000)
    parts = [
        memory_scenes.written(100 + part, beacon.ANCHOR, anchor.pack_part(whole, part, 0))
        for part in range(anchor.PARTS)
    ]
    tick = beacon.pack_tick((now_ms, 3, beacon.RUNNING, 1000, 130_000, 8, 2))
    command = beacon.pack_command(2, 3, (intents.SET_POLICY, now_ms + 6000, 8, 0, 0))
    acked, times = beacon.pack_acked(3, 1, 0, (1 << 96) - 1), beacon.pack_times(((b"asks", 3),))
    kinds = beacon.TICK, beacon.COMMAND, beacon.ACKED, beacon.TIMES
    # each is heard in a cycle of its own, wherever in it the board listens
    cycle = beacon.CYCLE_MS + 10
    frames = [
        CHAIN.sign(kind, body, now_ms + 150 + place * cycle)
        for place, (kind, body) in enumerate(zip(kinds, (tick, command, acked, times), strict=True))
    ]
    key = CHAIN.disclose(now_ms + 1000 + beacon.DELAY * beacon.INTERVAL_MS)
    base = "program.timebase"
    return [
        f"{base}.guessed, {base}.since_ms, {base}.latest_ms = True, board.clock.now_ms(), 0\n"
        f"{base}.offset_ms = {now_ms} - {base}.since_ms\n{base}.take(-20, 20, 0, {base}.since_ms)",
        *[f"_bleio.inbox.append({part})\nlater(5)" for part in parts],
        "_bleio.adapter.host = False\nair.listener.asked = b'asks'",
        *[f"_bleio.adverts.append({frame!r})\nlater(0, {cycle})" for frame in frames],
        "later(1800)",
        f"_bleio.adverts.append({key!r})\nlater(0, {cycle})",
        *["later(1000)"] * 4,
        "assert air.listener.tick and program.match.policy == 8, air.listener.refused",
    ]  # fmt: skip


def kept(sources, more=()):
    """Return the bytes kept after ``sources``, and after ``more``; each is a top-level call."""
    every = [*sources, SETTLED, *told()]
    stubs = sorted(path.stem for path in memory.MODULES.glob("*.py"))
    face = {"/firmware/ui/face.bin": (interpreters.ROOT / "firmware/ui/face.bin").read_bytes()}
    laid = {f"/p/{path}": data for path, data in _compiled().items()}
    files = {**memory.laid_files(), **memory_scenes.FILES, **face}
    files = {path: data for path, data in files.items() if path[:-3] + ".mpy" not in laid} | laid
    collect = ["gc.collect()", "gc.collect()", memory.READ]
    native = [f"import {name}" for name in (*memory.NATIVE, *stubs)]
    calls = [memory.SET_UP, *native, *collect, *_sent(every), *collect, *_sent([*every, *more])[len(every):],
             *collect]  # fmt: skip
    printed = interpreters.run_wasm(files, calls)
    found = (memory._READING.search(text) for text in printed)
    readings = [tuple(map(int, one.groups())) for one in found if one]
    levels = memory.levels_of(readings, readings[0][1])
    return [level - levels[0] for level in levels[1:]]


def _compiled():
    """Return ``{path: bytes}`` of the programs as bytecode, under the compiler's own first byte."""
    programs = {path: text.encode() for path, text in image.programs("feather").items()}
    laid = bytecode.laid({path: data for path, data in programs.items() if path.endswith(".py")})
    return {path: b"M" + data[1:] for path, data in laid.items() if path.endswith(bytecode.SUFFIX)}


def _sent(sources):
    """Return each of ``sources`` in the words of what is laid; each knows those before it."""
    mark = "\n'mark%d'\n"
    whole = "".join(text + mark % place for place, text in enumerate(sources))
    laid = image.sent("feather", whole, "firmware.measured")
    return re.split(r"^'mark\d+'$", laid, flags=re.MULTILINE)[: len(sources)]
