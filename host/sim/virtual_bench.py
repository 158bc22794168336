"""A bench without a board: the board's half of the self-test runs unmodified on a virtual one.

``VirtualBench`` implements all that ``Bringup`` needs: console, operator, air and clock. The native
modules are small tables of functions on one ``Chip``; the display is the emulated panel. Each
operation takes the time of the model's price for it, so the board's gauge must measure those prices
again; bytecodes of our program take time only inside ``paying``. A fault of ``FAULTS`` makes one
part behave as a broken one on a real bench; the other parts are unaffected.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import hashlib
import importlib
import io
import random
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Literal

from firmware.core import digest
from host.base import installation
from host.boards.bringup import figures
from host.boards.bringup.figures import refresh_us
from host.boards.bringup.ports import Answer, BoardFailed
from host.boards.bringup.resets import AT_POWER, HANG_MS, TICKS
from host.boards.models import MODELS, OLDEST, Row
from host.sim.prices import counted, ns

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer, WriteableBuffer

    from firmware.core.types import Bytes, Hash
    from host.sim.types import Panel, SoakWorks, VirtualBoard

BLOCK = 512
BORN, UNBORN = 240, 244  # offsets in the sleep memory (firmware/board/chip.py)
JOURNALS = ("/journal0.bin", "/journal1.bin")
_DIGEST = "firmware.core.digest"  # not counted: the prices of hashes include its bytecodes
_HEAPS = ("heap_repl_bytes", "heap_imported_bytes", "heap_match_bytes")
FAULTS = {
    "stuck-key": "key ●", "dead-display": "display", "weak-entropy": "entropy",
    "clock-2-percent": "clock",
    "bad-flash-copy": "journal copy 1", "no-radio": "radio", "wrong-firmware": "firmware",
    "wrong-key": "key of the board",
}  # fmt: skip
JOURNAL_BYTES = 256 * 1024
WHITE = 200
_BOARD = "firmware.board"
_PROGRAM = ("firmware", "firmware.ui", "firmware.radio", "firmware.core", "firmware.core.journal")


class Reset(BaseException):
    """The board has reset: what ran on it is aborted."""


class Works:
    """Heap, flash, time and resets of ``chip``, which keeps the time, charged by ``prices``.

    ``busy_ms`` is how long its boot takes without its two waits.
    """

    def __init__(self, chip: Chip, prices: dict[str, int]):
        from host.sim.board import FlashStore

        self._chip, self.prices = chip, prices
        self._rest_ns = self.busy_ms = self.grown = 0
        self.memory = bytearray(256)
        self.flash = FlashStore(prices, spend=self.spend)
        self._waiting = None

    # time

    def spend(self, used_us: int) -> None:
        """Take ``used_us`` of the board's time."""
        self._ns(used_us * 1000)

    def _ns(self, used_ns):
        whole, self._rest_ns = divmod(self._rest_ns + used_ns, 1000)
        self._chip.pass_us(whole)

    @contextlib.contextmanager
    def paying(self) -> Iterator[None]:
        """Return a context manager in which each bytecode of our program takes time."""
        price_ns = ns(self.prices["bytecode_ns"])

        def picked(frame):
            self._check_stack(frame)
            name = frame.f_globals.get("__name__", "")
            return name.startswith(("firmware.", "hw.bench.")) and name != _DIGEST

        with counted(picked, lambda: self._ns(price_ns)):
            yield

    def _check_stack(self, frame):
        """Raise RuntimeError when a function recurses deeper than a board's pystack allows."""
        code, depth = frame.f_code, 0
        while frame is not None and frame.f_code is code:
            frame, depth = frame.f_back, depth + 1
        if depth > self.prices["pystack_frames"]:
            raise RuntimeError("pystack exhausted")

    def hashing(self, name: str, data: Bytes = b"") -> Hash:
        """Return ``hashlib.new(name, data)``, charging a hash."""
        self.spend(self.prices["sha256_us"])
        return hashlib.new(name, data)

    # flash

    def sync(self) -> None:
        """Write the pending block to the flash, as ``os.sync`` does."""
        if self._waiting is not None:
            place, self._waiting = self._waiting, None
            self.flash.write(*place)

    def write(self, path: str, at: int, data: Bytes) -> None:
        """Hold a journal's written block until ``sync``; other files are free."""
        if path in JOURNALS:
            self._waiting = JOURNALS.index(path), at // BLOCK, bytes(data)

    def read(self, path: str, at: int) -> None:
        """Charge reading a journal's block; other files are free."""
        if path in JOURNALS:
            self.flash.read(JOURNALS.index(path), min(at // BLOCK, self.flash.blocks - 1))

    # resets

    def mend(self, how: str) -> None:
        """Return to service mode after a reset of kind ``how``, with one start of the program."""
        if how == "cold":
            self._chip.lose_power()
            self.memory[:] = bytes(256)
        wait_ms = self.prices["start_warm_ms" if how == "armed" else f"start_{how}_ms"]
        self._chip.pass_ms(wait_ms + self.busy_ms + (HANG_MS if how == "crash" else 0))
        self.memory[BORN : BORN + 4] = self._chip.ticks_ms().to_bytes(4, "little")
        self.memory[UNBORN] = 0

    # modules

    def modules(self) -> dict[str, SimpleNamespace]:
        """Return ``{name: module}`` of the modules that the gauge imports and the self-test not."""
        dog = types.SimpleNamespace(mode=None, timeout=0)
        cpu = types.SimpleNamespace(reset_reason="ResetReason.RESET_PIN")
        return {
            "gc": types.SimpleNamespace(collect=self._collect, mem_free=self._free),
            "alarm": types.SimpleNamespace(sleep_memory=self.memory),
            "microcontroller": types.SimpleNamespace(watchdog=dog, reset=self._reset, cpu=cpu),
            "watchdog": types.SimpleNamespace(WatchDogMode=types.SimpleNamespace(RESET=1)),
        }

    def _collect(self):
        self.spend(1000 * self.prices["gc_ms"])

    def _free(self):
        return self.prices[_HEAPS[self.grown]]

    def _reset(self):
        raise Reset


class File(io.BytesIO):
    """An open file of the drive; writing changes ``data`` in place."""

    def __init__(self, works: Works, path: str, data: bytearray):
        super().__init__(data)
        self._works, self._path, self._data = works, path, data

    def read(self, size: int | None = -1) -> bytes:
        """Return up to ``size`` bytes, all that remain for -1 or None."""
        self._works.read(self._path, self.tell())
        return super().read(size)

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read into ``buffer``; return the number of bytes read."""
        view = memoryview(buffer)
        data = self.read(len(view))
        view[: len(data)] = data
        return len(data)

    def write(self, data: ReadableBuffer) -> int:
        """Write at the current position; return the number of bytes."""
        at, data = self.tell(), bytes(data)
        self._works.write(self._path, at, data)
        self._data[at : at + len(data)] = data
        return super().write(data)


class Pins:
    """The module ``board``: each pin is represented by its name."""

    def __init__(self, board_id: str):
        self.board_id = board_id

    def __getattr__(self, name):
        return name


class BadFlash(File):
    """Flash in which one bit always reads as 0."""

    def read(self, size: int | None = -1) -> bytes:
        """Return up to ``size`` bytes, the lowest bit of the first cleared."""
        data = bytearray(super().read(size))
        if data:
            data[0] &= 0xFE
        return bytes(data)


class Radio:
    """The module ``_bleio``'s adapter: switching it off and on is charged."""

    def __init__(self, works: Works, start: Callable[..., None], stop: Callable[[], None]):
        self._works, self._on = works, True
        self.start_advertising, self.stop_advertising = start, stop

    @property
    def enabled(self) -> bool:
        """Whether the radio is on."""
        return self._on

    @enabled.setter
    def enabled(self, on: bool) -> None:
        if on and not self._on:
            self._works.spend(1000 * self._works.prices["radio_restart_ms"])
        self._on = on


class Paid:
    """A panel's display whose ``refresh`` is charged; everything else is passed to the display."""

    def __init__(self, panel: Panel, works: Works):
        vars(self).update(_panel=panel, _works=works)

    def refresh(self) -> None:
        """Refresh the display and charge the time of composing and sending the changes."""
        before = self._panel.bus.pixels_sent
        self._panel.display.refresh()
        self._works.spend(refresh_us(self._works.prices, self._panel.bus.pixels_sent - before))

    def __getattr__(self, name):
        return getattr(self._panel.display, name)

    def __setattr__(self, name, value):
        setattr(self._panel.display, name, value)


class Chip:
    """One board of ``model`` with a ``fault`` of ``FAULTS`` or None.

    ``files`` is its drive, ``settings`` its settings.toml, ``luck`` the random generator,
    ``prices`` the model's. ``keys`` (pin names) and ``levels`` (when pressed) are set by the bench.
    """

    def __init__(
        self,
        model: str,
        files: Mapping[str, bytes],
        settings: Mapping[str, str | int],
        fault: str | None,
        luck: Random,
        prices: dict[str, int],
    ):
        self.works = Works(self, prices)
        self.model, self.fault, self._luck = model, fault, luck
        self.files = {f"/{name}": bytearray(data) for name, data in files.items()}
        for copy in (0, 1):
            self.files[f"/journal{copy}.bin"] = bytearray(b"\xff" * JOURNAL_BYTES)
        if fault == "wrong-firmware":
            self.files["/firmware/app.mpy"] += b"\n"
        self._settings = dict(settings)
        if fault == "wrong-key":
            self._settings["PLUSTHREE_KEY"] = "00" * 32
        self._time_us, self._powered_ms = 0, 0
        self.pressed, self.advert, self._wire, self._tones = set(), b"", b"", 0
        self._panel: Panel | None = None
        self.keys: Sequence[str] = ()
        self.levels: Sequence[int] = ()
        self.loaded = {}
        self.modules = self._natives()

    @property
    def time_ms(self) -> int:
        """The PC's time in ms."""
        return self._time_us // 1000

    def pass_ms(self, pause_ms: int) -> None:
        """Advance the PC's time by ``pause_ms``."""
        self.pass_us(1000 * pause_ms)

    def pass_us(self, pause_us: int) -> None:
        """Advance the PC's time by ``pause_us``."""
        self._time_us += pause_us

    def lose_power(self) -> None:
        """Restart the board's tick counter, as a power cut does."""
        self._powered_ms = self.time_ms

    def ticks_ms(self) -> int:
        """Return the board's tick counter."""
        rate = 1.02 if self.fault == "clock-2-percent" else 1.00002
        return (int((self.time_ms - self._powered_ms) * rate) + AT_POWER) % TICKS

    # what an operator would see and hear

    def squares(self) -> int:
        """Return the number of white squares on the panel, 0-9."""
        assert self._panel is not None  # the self-test has opened the display
        picture = self._panel.image().convert("L")
        cell = picture.height // 9
        places = [cell // 2 + 3 * cell * at for at in range(3)]
        grey = picture.tobytes()
        return sum(grey[y * picture.width + x] > WHITE for x in places for y in places)

    def lit(self) -> int:
        """Return the number of lit LEDs."""
        return sum(any(self._wire[at : at + 3]) for at in range(0, len(self._wire), 3))

    def tones(self) -> int:
        """Return how many tones have started since the last call."""
        heard, self._tones = self._tones, 0
        return heard

    def open_display(self, row: Row) -> Paid:
        """Return the emulated panel's display.

        It stays black with the fault dead-display, and for a size other than the model's panel.
        """
        from host.sim.panel import Panel

        size = "x".join(map(str, row.panel))
        panel = self._panel = Panel(size)
        driven = size == MODELS[self.model].panel
        if self.fault == "dead-display" or not driven:
            panel.bus._paint = lambda pixels: None
        return Paid(self._panel, self.works)

    # the drive

    def open(self, path: str, mode: str = "r") -> File:
        """Open a file of the virtual drive, always binary; OSError when it does not exist."""
        if path not in self.files:
            raise OSError(2, path)
        bad = self.fault == "bad-flash-copy" and path == "/journal1.bin"
        return (BadFlash if bad else File)(self.works, path, self.files[path])

    def _names(self, folder):
        start = folder.rstrip("/") + "/"
        return sorted(
            {path[len(start) :].partition("/")[0] for path in self.files if path.startswith(start)}
        )

    def _stat(self, path):
        return (0x8000 if path in self.files else 0x4000,)

    def _random(self, size):
        if self.fault == "weak-entropy":
            return bytes(self._luck.choice(b"\x00\x11\x22\x33") for _ in range(size))
        return self._luck.randbytes(size)

    # the native modules

    def _natives(self):
        version = types.SimpleNamespace(version=OLDEST)
        os_part = {"getenv": self._settings.get, "listdir": self._names, "stat": self._stat,
                   "urandom": self._random, "sync": self.works.sync}  # fmt: skip
        tables = {
            "board": Pins(MODELS[self.model].board_id),
            "digitalio": self._digitalio(),
            "analogio": {
                "AnalogIn": lambda pin: types.SimpleNamespace(value=40200, deinit=lambda: None)
            },
            "pwmio": {"PWMOut": self._tone_output()},
            "neopixel_write": {"neopixel_write": self._write_pixels},
            "supervisor": {"ticks_ms": self.ticks_ms},
            "storage": {"remount": lambda path, readonly: None},
            "time": {
                "sleep": lambda pause_s: self.pass_ms(round(1000 * pause_s)),
                "monotonic_ns": lambda: 1000 * self._time_us,
            },
            "_bleio": {"adapter": self._adapter()},
            "os": os_part,
            "sys": {"implementation": version, "modules": self.loaded},
            "hashlib": {"new": self.works.hashing},
        }
        named = {
            name: types.SimpleNamespace(**table) if isinstance(table, dict) else table
            for name, table in tables.items()
        }
        return named | self.works.modules()

    def _digitalio(self):
        chip = self

        class DigitalInOut:
            """A key's pin, whose level while pressed is from the pin table."""

            def __init__(self, pin):
                self._pin, self.direction = pin, None

            def switch_to_input(self, pull):
                """Do nothing: every key has its pull."""

            def deinit(self):
                """Do nothing: pins are never in use here."""

            @property
            def value(self):
                """The pin's level."""
                number = chip.keys.index(self._pin)
                stuck = chip.fault == "stuck-key" and number == 1
                return (stuck or number in chip.pressed) == bool(chip.levels[number])

        ways = types.SimpleNamespace(INPUT=0, OUTPUT=1)
        pulls = types.SimpleNamespace(UP=1, DOWN=2)
        return {"DigitalInOut": DigitalInOut, "Direction": ways, "Pull": pulls}

    def _tone_output(self):
        chip = self

        class PWMOut:
            """A buzzer's pin, which sounds while its duty cycle is not 0."""

            def __init__(self, pin, **options):
                self.frequency, self._duty = 440, 0

            @property
            def duty_cycle(self):
                """The duty cycle; 0 is silent."""
                return self._duty

            @duty_cycle.setter
            def duty_cycle(self, duty):
                chip._tones += bool(duty) and not self._duty
                self._duty = duty

        return PWMOut

    def _write_pixels(self, pin, wire):
        self._wire = bytes(wire)

    def _adapter(self):
        def start(data, connectable, interval):
            self.works.spend(self.works.prices["advert_restart_us"])
            self.advert = b"" if self.fault == "no-radio" else bytes(data)

        def stop():
            self.advert = b""

        return Radio(self.works, start, stop)


def _text(name):
    return installation.file(name).read_text("utf-8")


class VirtualBench:
    """Console, operator, air and clock of one virtual board of ``model``.

    ``files`` and ``settings`` are its drive's, ``prices`` its model's. ``boot`` maps each module
    that its program imports to its size on the drive in bytes. ``fault`` is one of ``FAULTS`` or
    None.
    """

    def __init__(
        self,
        model: str,
        files: Mapping[str, bytes],
        settings: Mapping[str, str | int],
        prices: dict[str, int],
        boot: Mapping[str, int],
        fault: str | None = None,
        seed: int = 1,
    ):
        self.chip = Chip(model, files, settings, fault, random.Random(seed), prices)
        self._boot = boot
        self.chip.works.busy_ms = figures.busy_ms(prices, boot)
        self._modules, self._half = {}, {}
        self._begin()
        bench = self._half["bench"]
        self.chip.keys, self.chip.levels = bench.row.keys, bench.row.levels
        self.said, self._heard = [], b""

    def _begin(self):
        self._half = self._run("hw.bench.selftest", _text("hw/bench/selftest.py"))
        self._half["bench"] = self._half["Bench"]()

    # the console

    def call(self, text: str) -> Answer:
        """Return the value of an expression on the board, converted to text and back.

        BoardFailed for an error of the board's.
        """
        paying = self.chip.works.paying() if text.startswith("gauge.") else contextlib.nullcontext()
        try:
            with paying:
                value = eval(text, self._half)  # text of our own host code, not from outside
            return ast.literal_eval(repr(value))
        except (OSError, RuntimeError, ValueError, LookupError) as error:
            raise BoardFailed(f"{type(error).__name__}: {error}") from error

    def restart(self) -> None:
        """Restart the interpreter: no module is loaded and the heap is empty."""
        self._half = {"__builtins__": {**vars(builtins), "__import__": self._import}}
        self.chip.works.grown = 0
        self.chip.loaded.clear()

    def load(self) -> None:
        """Load the self-test and the gauge, which uses the program of this source tree."""
        self._begin()
        half = self._run("hw.bench.gauge", _text("hw/bench/gauge.py"))
        self._half["gauge"] = half["Gauge"](self._half["bench"])

    @property
    def gauge(self) -> SoakWorks:
        """The board's half that measures, once it is loaded."""
        return self._half["gauge"]  # pyright: ignore[reportReturnType]  (what the text on the board made)

    def fire(self, text: str) -> None:
        """Run an expression that resets the board, so returns nothing."""
        try:
            self.call(
                "gauge.leave_mark()" if text == "gauge.hang()" else text
            )  # a real hang would never return
        except Reset:
            pass

    def _run(self, name, text):
        """Run one module of the firmware's board part over the virtual native modules."""
        hooked = {**vars(builtins), "__import__": self._import, "open": self.chip.open}
        space = {"__name__": name, "__builtins__": hooked}
        exec(compile(text, name, "exec"), space)
        return space

    def _import(self, name, scope=None, local=None, names=(), level=0):
        here = [f"/firmware/board/{part}" for part in names or ()]
        parts = [
            path.rpartition("/")[2]
            for path in here
            if {path + ".py", path + ".mpy"} & set(self.chip.files)
        ]
        if name == _BOARD and parts:
            return types.SimpleNamespace(**{part: self._part(part) for part in parts})
        if name == "firmware" and not names:
            return types.SimpleNamespace(__file__="/firmware/__init__.py")
        if name in self._boot or name in _PROGRAM:
            return self._program(name, names)
        if name in self.chip.modules:
            return self.chip.modules[name]
        if name == "displayio":
            from host.sim.panel import displayio

            return displayio
        return builtins.__import__(name, scope, local, names, level)

    def _program(self, name, names):
        """Import a module of the program.

        The first import charges loading all modules; two of them are replaced by the simulator's.
        """
        works, loaded = self.chip.works, self.chip.loaded
        if not loaded:
            works.spend(figures.load_us(works.prices, self._boot))
            loaded.update(self._boot)
            works.grown = 1
        if name == "firmware.ui" and "face" in names:
            face = types.SimpleNamespace(
                opened=lambda display, panel, language: self._board.app.face
            )
            return types.SimpleNamespace(face=face)
        if name == "firmware" and "launch" in names:
            return types.SimpleNamespace(app=importlib.import_module("firmware.app"), launch=self)
        if name == "firmware.core" and "digest" in names:
            paid = {kind: functools.partial(self._paid, kind) for kind in ("sha256", "mac")}
            return types.SimpleNamespace(digest=types.SimpleNamespace(**paid, blocks=digest.blocks))
        if name == "firmware.radio" and "advertiser" in names:
            return importlib.import_module(name + ".advertiser") and importlib.import_module(name)
        if name.startswith(("firmware.core", "firmware.app")):
            return importlib.import_module(name)
        return None

    def _paid(self, kind, *words):
        works = self.chip.works
        works.spend(works.prices["hmac_us" if kind == "mac" else "sha256_us"])
        return getattr(digest, kind)(*words)

    def opened(self) -> VirtualBoard:
        """Return the board on which the program runs a match (see ``firmware/launch.py``)."""
        from host.sim.faces import blank_face
        from host.sim.single_board import SingleBoard
        from host.systems import catalogue

        self._board = SingleBoard("feathers3", catalogue.built_in()["p18"], blank_face)
        self._board.board.alive = lambda: None
        self.chip.works.grown = 2
        return self._board.board

    def _part(self, name):
        if name == "display":
            return types.SimpleNamespace(open_display=self.chip.open_display)
        if name not in self._modules:
            ran = self._run(f"{_BOARD}.{name}", _text(f"firmware/board/{name}.py"))
            self._modules[name] = types.SimpleNamespace(**ran)
        return self._modules[name]

    # the operator

    def prompt(self, text: str, key: int | None) -> None:
        """Record the text, then hold ``key`` down, or release all keys for None."""
        self.said.append(text)
        self.chip.pressed = set() if key is None else {key}

    def ready(self, text: str, name: str) -> bool:
        """Record the text; always ready."""
        self.said.append(text)
        return True

    def back(self, name: str) -> None:
        """Return the board to service mode after the reset ``name``."""
        self.chip.works.mend(name)

    def measured(self, question: str, what: str) -> None:
        """Record the question; without a meter there is no value."""
        self.said.append(question)

    def ask(self, question: str, what: str) -> int:
        """Record the question; return how many squares, lit LEDs or tones there are."""
        self.said.append(question)
        return {"squares": self.chip.squares, "light": self.chip.lit, "beep": self.chip.tones}[
            what
        ]()

    # the air and the clock

    @property
    def flags(self) -> int | None:
        """The flags byte at the start of the last advert heard, None without one."""
        return self._heard[2] if self._heard[:2] == b"\x02\x01" else None

    def heard(self, nonce: bytes, within_ms: int) -> int | Literal[False]:
        """Return the RSSI (dBm) of the board's advert with ``nonce``, False if none is heard."""
        self.chip.pass_ms(1000)
        self._heard = self.chip.advert
        return self.chip.advert.endswith(nonce) and -48

    def now_ms(self) -> int:
        """Return the PC's time in ms."""
        return self.chip.time_ms

    def rest(self, pause_ms: int) -> None:
        """Advance the time by ``pause_ms``."""
        self.chip.pass_ms(pause_ms)
