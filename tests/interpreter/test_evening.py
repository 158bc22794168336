"""A board's whole program, as it is laid, plays a recorded evening in 1 MB of heap, byte for byte.

On the 64-bit MicroPython program, whose objects are twice a board's size, and on any CircuitPython
that somebody names: ``make circuitpython INTERPRETER="PROGRAM ..."`` (docs/board.md). Those also
run the portable tests.
"""

import asyncio
import itertools
import os
import pathlib
import random
import re
import struct
import subprocess
import tempfile
from dataclasses import dataclass

import interpreters
import pytest

from host.boards.deploy import bytecode, image
from host.formats.round_format import parse_format
from host.sim import clock
from host.sim.air import BleAir
from host.sim.board import BLOCK_SIZE
from host.sim.people import PLAYERS, RUNNING
from host.sim.programme import RandomProgramme
from host.sim.screen_reading import Key
from host.sim.staff import Staff
from host.sim.venue import Venue

SYSTEMS = {
    "p18": "p18 swiss bo3 constructed 50",
    "d03": "d03 swiss bo1 constructed 30",
    "d03 team": "d03 team swiss bo1 constructed 30",
    "xw15": "xw15 swiss bo1 constructed 50",
}
LUCK = 1  # the switch of SET_POLICY that allows coins and dice
MARGIN_BLOCKS = 8  # of a journal's file, at both ends (firmware/board/store.py)
FILE_BYTES = 256 * 1024
_ROUND_S = 70 * 60
_FIDGET_AFTER_S = 15 * 60
_FIDGET_S = (15, 90)
_MENUS = ("result_key", "result_key_b")
_PRESS_MS = (60, 300)
_HOLD_MS = (1100, 1700)


@dataclass
class Recording:
    """Settings by names, the tape's lines (as in ``player.py``), and the journal's file."""

    settings: dict
    lines: list
    journal: bytes

    def write(self, folder):
        """Write ``settings.txt`` and ``tape.bin`` into ``folder``."""
        text = "".join(f"PLUSTHREE_{name} {value}\n" for name, value in self.settings.items())
        pathlib.Path(folder, "settings.txt").write_text(text)
        tape = self.lines.copy()
        first = next(at for at, line in enumerate(tape) if line[0] == "S")
        tape.insert(0, tape.pop(first))  # what is drawn before it belongs to its start
        pathlib.Path(folder, "tape.bin").write_bytes(b"".join(map(_packed, tape)))


def _packed(line):
    """Return a line of the tape as the bytes that ``player.py`` reads."""
    kind, *words = line.split()
    if kind == "F":
        return kind.encode() + bytes.fromhex(words[0])
    if kind == "E":
        drawn = bytes.fromhex(words[0])
        return b"E" + struct.pack("<I", len(drawn)) + drawn
    if kind == "K":
        return b"K" + struct.pack("<BBI", *map(int, words))
    return kind.encode() + b"".join(struct.pack("<I", int(word)) for word in words)


class _Programme(RandomProgramme):
    """An ordinary evening of one table, of any format."""

    def __init__(self, seed, words):
        super().__init__(1, seed)
        self.format = parse_format(words)


class _Tape:
    """Notes what reaches the board at ``table``; its loop runs every ``step_ms`` at the least."""

    def __init__(self, loop, table, step_ms):
        self.lines, self._loop, self._table, self._step_ms = [], loop, table, step_ms
        self._link, self._guest, self._length, self._at = table.link._link, False, None, 0
        board, down = table.board, self._link._down
        self._entropy, board.entropy = board.entropy, self._drawn
        self._poll, board.keys.poll = board.keys.poll, self._polled
        self._run, table._run = table._run, self._ran
        self._read, down.readinto = down.readinto, self._received

    @property
    def now_ms(self):
        return self._table.board.clock.now_ms()

    def _drawn(self, size):
        drawn = self._entropy(size)
        self.lines.append(f"E {drawn.hex()}")
        return drawn

    def _polled(self):
        """Note the keys that the program reads, before this step."""
        found = self._poll()
        for key, pressed, at_ms in found:
            self._note(f"K {key} {int(pressed)} {at_ms}")
        return found

    def _received(self, packet):
        """Note a frame that the program reads where the tape lets it come: before this step."""
        size = self._read(packet)
        if size:
            self._note(f"F {bytes(packet[:size]).hex()}")
        return size

    def _note(self, line):
        self.lines.insert(self._at, line)
        self._at += 1

    def _linked(self):
        guest, length = self._link.adapter.connected, outgoing_length(self._link._watch)
        if guest != self._guest:
            self.lines.append("O" if guest else "C")
        if length != self._length:
            self.lines.append(f"U {length or 0}")
        self._guest, self._length = guest, length

    def _ran(self):
        """Let the table run its program, where the board is not busy, and again before long."""
        app = self._table.app
        if app.step != self._stepped:
            self._step, app.step = app.step, self._stepped
        self._run()
        timer, board = self._table._timer, self._table.board
        soon_s = board.clock.when(self.now_ms + self._step_ms)
        if timer.when() > soon_s:
            timer.cancel()
            self._table._timer = self._loop.call_at(soon_s, self._table._run)

    def _stepped(self):
        self._linked()
        self._at = len(self.lines)
        self.lines.append(f"S {self.now_ms}")
        due_ms = self._step()
        self.lines.append("-")
        return due_ms


def outgoing_length(packets):
    """Return how long a packet may be, None where nobody has subscribed."""
    try:
        return packets.outgoing_packet_length
    except ValueError:
        return None


class _Gambler:
    """Two players who agree on the board's coin, flip it, and look at their rolls."""

    CHOICES = (
        ("luck", "consent"),
        ("luck", "for_first", "coin"),
        ("luck", "for_card", "flips_3"),
        ("luck", "rolls"),
    )

    def __init__(self, table):
        self._table = table

    async def play(self):
        """Do it once, as soon as the round's clock runs."""
        await self._table.begins(1)
        await self._table.see(RUNNING)
        for items in self.CHOICES:
            await asyncio.sleep(2)
            await self._push(*[key for key in map(self._table.face.key, _MENUS) if key][:1])
            for item in items:
                await self._choose(item)
            # both say yes, each with an own key
            await self._push(*[Key(seat, "hold", "") for seat in (0, 1)])
            await self._push(*[key for key in [self._table.face.key("back_key")] if key])

    async def _choose(self, item):
        for _ in range(len(self._table.face.items)):
            if self._table.face.item == item:
                break
            await self._push(self._table.face.key("next_key"))
        if self._table.face.key("choose_key"):
            await self._push(self._table.face.key("choose_key"))

    async def _push(self, *keys):
        for key in keys:
            held_ms = 1300 if key.gesture == "hold" else 150
            self._table.press(key.number, held_ms)
            await asyncio.sleep(held_ms / 1000 + 0.5)


class _Fidgeter:
    """Somebody who plays with the keys all evening: menus, holds, both at once, the judge's key."""

    def __init__(self, loop, board, seed):
        self._loop, self._board, self._luck = loop, board, random.Random(f"fidget {seed}")

    async def play(self):
        luck = self._luck
        await asyncio.sleep(_FIDGET_AFTER_S)
        while True:
            await asyncio.sleep(luck.uniform(*_FIDGET_S))
            for _ in range(luck.randrange(1, 12)):
                await self._press()

    async def _press(self):
        luck = self._luck
        keys = luck.choices(((0,), (1,), (2,), (0, 1)), (12, 12, 2, 2))[0]
        held = _HOLD_MS if luck.random() < 0.15 else _PRESS_MS
        for key in keys:
            self._board.keys.press(key, round(luck.uniform(*held)))
        await asyncio.sleep(max(held) / 1000 + luck.uniform(0.2, 1.5))


def record(system, seed, rounds=1, step_ms=250, fidgets=True):
    """Return the Recording of ``rounds`` of a ``system`` (a name in ``SYSTEMS``) from ``seed``."""
    with tempfile.TemporaryDirectory(prefix="plusthree-") as folder:
        evening = _evening(pathlib.Path(folder), system, seed, rounds, step_ms, fidgets)
        table, lines = clock.run(evening)
    told = table.board.settings
    settings = {
        "DEVICE": told["device"], "KEY": told["key"].hex(), "GENERATION": told["generation"],
        "BOARD": told["board"], "LANGUAGE": told["language"], "ROLE": told["role"],
        "SYSTEM": system.split()[0],
    }  # fmt: skip
    return Recording(settings, lines, _file(table.board.store))


class _Room:
    """A table over bumble's radio, with the host's connections; ``staff`` work at the desk."""

    def __init__(self, folder, programme, seed):
        loop = asyncio.get_running_loop()
        path = folder / "venue.plusthree"
        self.venue = Venue(loop, BleAir(loop, seed, 0.0), path, programme, seed)
        self._carrying = loop.create_task(self.venue.carrier.run())

    def staff(self, people, number):
        return Staff(self.venue, people, number, [(1, lambda desk: desk.set_policy(None, LUCK))])

    async def close(self):
        self._carrying.cancel()
        await asyncio.gather(self._carrying, return_exceptions=True)
        self.venue.close()


async def _evening(folder, system, seed, rounds, step_ms, fidgets):
    loop, programme = asyncio.get_running_loop(), _Programme(seed, SYSTEMS[system])
    room = _Room(folder, programme, seed)
    table = room.venue.tables[1]
    tape = _Tape(loop, table, step_ms)
    players = [
        _Gambler(table).play(),
        *([_Fidgeter(loop, table.board, seed).play()] if fidgets else []),
    ]
    tasks = [loop.create_task(one) for one in players]
    try:
        for number in range(1, rounds + 1):
            await _round(room, programme, number)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await room.close()
    return table, tape.lines


async def _round(room, programme, number):
    """Play a round as the staff do, with luck allowed and rulings given."""
    station, [pairing] = room.venue.station, programme.pairings(number)
    station.archive.roster.store_round(number, programme.format, [pairing])
    station.refresh()
    people = PLAYERS[programme.format.system](room.venue.tables[1], programme.story(number, 1))
    playing = asyncio.get_running_loop().create_task(people.play_round(number))
    staff = room.staff({1: people}, f"{number}")
    conducting = asyncio.get_running_loop().create_task(staff.conduct(number, 1))
    await asyncio.wait((conducting,), timeout=_ROUND_S)
    for task in (conducting, playing):
        task.cancel()
    await asyncio.gather(conducting, playing, return_exceptions=True)


def _file(store):
    """Return a journal's file as the blocks of a virtual ``store``'s first copy lie in it."""
    blocks = FILE_BYTES // BLOCK_SIZE - 2 * MARGIN_BLOCKS
    margin = b"\xff" * (MARGIN_BLOCKS * BLOCK_SIZE)
    return margin + b"".join(store.read(0, block) for block in range(blocks)) + margin


SUPPORT = interpreters.ROOT / "tests" / "support"
RUNNER = SUPPORT / "portable_runner.py"
PORTABLE = sorted((interpreters.ROOT / "tests").glob("*/portable/*.py"))
PLAYER = "doubles/playback/player.py"
BLANK = b"\xff" * 256 * 1024
HEAP = 1024 * 1024
NAMED = os.environ.get("PLUSTHREE_CIRCUITPYTHON", "").split(os.pathsep)
PROGRAMS = [os.path.abspath(path) for path in NAMED if path]


@pytest.fixture(params=[None, *PROGRAMS], ids=lambda path: pathlib.Path(path or "micropython").name)
def program(request):
    return request.param or request.getfixturevalue("micropython_program")


@pytest.fixture(scope="module")
def recorded():
    return record("p18", seed=1)


def laid(folder, program):
    """Lay a board's drive in ``folder``, its bytecode as ``program`` asks for."""
    first = b"C" if program in PROGRAMS else b"M"
    files = {
        name: first + data[1:] if name.endswith(bytecode.SUFFIX) else data
        for name, data in bytecode.compile_image(image.build("feathers3")).items()
    }
    rows = [line.split() for line in files[bytecode.LIST].decode().splitlines()]
    order = [path[1:] for _, path, *module in rows if module]
    for name, data in {**files, bytecode.LIST: bytecode.module_list(files, order)}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / "doubles").symlink_to(SUPPORT)  # the player, and what stands in for the chip


def played(folder, program, recorded, *watches):
    laid(folder, program)
    recorded.write(folder)
    copies = [folder / f"journal{copy}.bin" for copy in (0, 1)]
    for copy in copies:
        copy.write_bytes(BLANK)
    done = subprocess.run(
        [program, "-X", f"heapsize={HEAP}", PLAYER, ".", *watches],
        cwd=folder, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr, [copy.read_bytes() for copy in copies]


def test_writes_the_journal_that_was_recorded(program, recorded, tmp_path, printed):
    said, journals = played(tmp_path, program, recorded, "kept")
    assert said.endswith("the tape is over\n"), said
    assert journals == [recorded.journal] * 2
    kept = re.search(r"^kept (\d+)", said, re.MULTILINE)[1]
    row = f"{kept} bytes in use at the most after a collection, the doubles among them, of {HEAP}"
    printed(f"an evening of P18 on {pathlib.Path(program).name}", [row])


def test_a_program_that_does_otherwise_is_found(micropython_program, recorded, tmp_path):
    """The journal of another evening is not the one that this evening leads to."""
    _, journals = played(tmp_path, micropython_program, recorded)
    assert journals != [record("p18", seed=4).journal] * 2


@pytest.mark.parametrize("program, path", list(itertools.product(PROGRAMS, PORTABLE)))
def test_a_named_program_passes_the_portable_tests(program, path):
    done = interpreters.run_unix(program, RUNNER, path, heap="1m")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stdout.startswith("0 passed")
