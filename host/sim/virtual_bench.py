"""A bench without a board: what ``plusthree board bringup`` types runs on the chip's double.

``VirtualBench`` implements all that ``Bringup`` needs: console, operator, air and clock. Its board
is a ``Chip`` at its REPL in service mode, over a drive as deploy lays it; each operation takes the
model's price for it, so the board's gauge must measure those prices again. Bytecodes take time only
while the gauge measures. A reset and the program's start after it are not run, but take what the
model says. A fault of ``FAULTS`` makes one part behave as a broken one on a real bench; the other
parts are unaffected.
"""

from __future__ import annotations

import ast
import contextlib
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from host.archive.roster import Board
from host.base import installation
from host.boards import provisioning
from host.boards.bringup import figures
from host.boards.bringup.ports import Answer, BoardFailed
from host.boards.bringup.resets import HANG_MS
from host.boards.deploy import drive, image
from host.boards.models import MODELS, OLDEST
from host.sim.chip import pins
from host.sim.chip.chip import Chip
from host.sim.chip.natives import NONE, RESET_PIN, SLEEP_BYTES, Reset

if TYPE_CHECKING:
    from host.sim.types import SoakWorks

BORN, UNBORN = 240, 244  # offsets in the sleep memory (firmware/board/chip.py)
FAULTS = {
    "stuck-key": "key ●", "dead-display": "display", "weak-entropy": "entropy",
    "clock-2-percent": "clock",
    "bad-flash-copy": "journal copy 1", "no-radio": "radio", "wrong-firmware": "firmware",
    "wrong-key": "key of the board",
}  # fmt: skip
WHITE = 200
RSSI_DBM = -48
_HALVES = ("hw/bench/selftest.py", "hw/bench/gauge.py")


class ServiceChip(Chip):
    """A chip in service mode, on which what is typed runs at once; ``fault`` is what is wrong."""

    def __init__(
        self,
        folder: Path,
        model: str,
        prices: dict[str, int],
        boot: Mapping[str, int],
        fault: str | None,
    ):
        sources = image.build(MODELS[model].image)
        super().__init__(folder, MODELS[model].board_id, version=OLDEST, sources=sources)
        # a loop that adds, by which bytecodes are measured, allocates nothing
        self.prices = prices | {"alloc_permille": 0}
        self._fault, self._until_us = fault, sys.maxsize
        self._busy_ms = figures.busy_ms(prices, boot)  # of the program's start
        self.reset_reason, self.safe_mode = RESET_PIN, NONE
        self._boot_modules, self._measuring = boot, False
        self.drive.load = lambda path: path.read_bytes()  # see ``_load``
        self.begin()
        self.usb_up = True
        self.restart()
        if fault == "bad-flash-copy":
            self.flash.raw = self._one_bit_low(self.flash.raw)

    def _one_bit_low(self, raw):
        """Return a reading of the flash in which one bit of each block of a journal is always 0."""
        second, _ = self.drive.places[drive.JOURNALS[1]]

        def read(block):
            data = raw(block)
            return data if block < second else bytes([data[0] & 0xFE]) + data[1:]

        return read

    def _load(self, price, size, source_size):
        """Charge what loading the whole program takes, once the gauge has begun to load it."""
        if self._measuring and not self._loaded:
            self._loaded = True
            loaded = self._world_now.modules
            missing = {name: n for name, n in self._boot_modules.items() if name not in loaded}
            self.spend(price, figures.load_us(self.prices, missing))
            kept_bytes = self.prices["heap_repl_bytes"] - self.prices["heap_imported_bytes"]
            self.memory.allocate(kept_bytes, alive=True)

    def _collect_loaded(self):
        """Charge nothing: the collections are in what loading takes."""

    def uptime_ms(self) -> int:
        """Return the milliseconds since power came, as this board counts them."""
        return int(super().uptime_ms() * (1.02 if self._fault == "clock-2-percent" else 1))

    def restart(self) -> None:
        """Begin a new VM, with an empty heap and all pins free."""
        self.pins, self._loaded = pins.Pins(self), False
        self._world_now = self.new_world()

    def run_text(self, text: str) -> None:
        """Run statements at the REPL."""
        self._world_now.enter(text)

    def value_of(self, text: str, measured: bool) -> Any:
        """Return the value of an expression; ``measured``: its bytecodes take time."""
        self._measuring = measured
        try:
            with self.counted(self._world_now) if measured else contextlib.nullcontext():
                return self._world_now.value_of(text)
        finally:
            self._measuring = False

    def come_back(self, how: str) -> None:
        """Be in service mode again after a reset of kind ``how``, with one start of the program."""
        self._death, self._bites_us = None, None
        self.flash.forget()
        if how == "cold":
            self.sleep_memory.lose(bytes(SLEEP_BYTES))
            self.started_us = self.now_us
        start_ms = self.prices["start_warm_ms" if how == "armed" else f"start_{how}_ms"]
        hang_ms = HANG_MS if how == "crash" else 0
        self.pass_us(1000 * (start_ms + self._busy_ms + hang_ms))
        self.sleep_memory[BORN : BORN + 4] = self.ticks_ms().to_bytes(4, "little")
        self.sleep_memory[UNBORN] = 0

    @property
    def advert(self) -> bytes:
        """What it advertises, b"" for nothing."""
        adapter = self.central.adapter
        if adapter is None or not adapter.advertising or self._fault == "no-radio":
            return b""
        return next(event.values[2] for event in reversed(self.story) if event.kind == "advert")


class VirtualBench:
    """Console, operator, air and clock of one virtual board of ``model``: number 7, under the keys
    of ``master``.

    ``files`` are its program's as they are laid, ``prices`` its model's. ``boot`` maps each module
    that its program imports to its size on the drive in bytes. ``fault`` is one of ``FAULTS`` or
    None.
    """

    def __init__(
        self,
        model: str,
        files: Mapping[str, bytes],
        master: bytes,
        prices: dict[str, int],
        boot: Mapping[str, int],
        fault: str | None = None,
    ):
        self._folder = tempfile.TemporaryDirectory(prefix="plusthree-")
        folder = Path(self._folder.name)
        keys = bytes(32) if fault == "wrong-key" else master
        settings = provisioning.settings(Board(7, 1, 12), keys, model=model)
        drive_files = {**files, "settings.toml": settings.encode()}
        if fault == "wrong-firmware":
            drive_files["boot.py"] += b"\n"
        for name, data in drive_files.items():
            drive.write(folder / name, data)
        for name in drive.JOURNALS:
            drive.allocate(folder / name)
        self.chip = ServiceChip(folder, model, prices, boot, fault)
        if fault == "weak-entropy":
            luck = self.chip.luck
            luck.randbytes = lambda n: bytes(luck.choices(b"\x00\x11\x22\x33", k=n))
        self._fault, self.said, self._heard, self._tones = fault, [], b"", 0
        self._load(_HALVES[0])
        self._keys = self.chip.value_of("bench.row.keys", False)
        self._press(None)

    def _load(self, *halves):
        for half in halves:
            self.chip.run_text(installation.file(half).read_text("utf-8"))
        self.chip.run_text("bench = Bench()")

    # the console

    def call(self, text: str) -> Answer:
        """Return the value of an expression on the board, converted to text and back.

        BoardFailed for an error of the board's.
        """
        try:
            return ast.literal_eval(repr(self.chip.value_of(text, text.startswith("gauge."))))
        except (OSError, RuntimeError, ValueError, LookupError) as error:
            raise BoardFailed(f"{type(error).__name__}: {error}") from error

    def restart(self) -> None:
        """Restart the interpreter: no module is loaded and the heap is empty."""
        self.chip.restart()

    def load(self) -> None:
        """Load the self-test and the gauge, which uses the program on the drive."""
        self._load(*_HALVES)
        self.chip.run_text("gauge = Gauge(bench)")

    @property
    def gauge(self) -> SoakWorks:
        """The board's half that measures, once it is loaded."""
        return self.chip.value_of("gauge", False)

    def fire(self, text: str) -> None:
        """Run an expression that resets the board, so returns nothing."""
        with contextlib.suppress(Reset):  # a real hang would never return
            self.call("gauge.leave_mark()" if text == "gauge.hang()" else text)

    # the operator

    def prompt(self, text: str, key: int | None) -> None:
        """Record the text, then hold ``key`` down, or release all keys for None."""
        self.said.append(text)
        self._press(key)

    def _press(self, key):
        self.chip.fingers.clear()
        if self._fault == "stuck-key":
            self.chip.fingers.add(self._keys[1])
        if key is not None:
            self.chip.fingers.add(self._keys[key])

    def ready(self, text: str, name: str) -> bool:
        """Record the text; always ready."""
        self.said.append(text)
        return True

    def back(self, name: str) -> None:
        """Return the board to service mode after the reset ``name``."""
        self.chip.come_back(name)

    def measured(self, question: str, what: str) -> None:
        """Record the question; without a meter there is no value."""
        self.said.append(question)

    def ask(self, question: str, what: str) -> int:
        """Record the question; return how many squares, lit LEDs or tones there are."""
        self.said.append(question)
        return {"squares": self._squares, "light": self._lit, "beep": self._heard_tones}[what]()

    def _squares(self):
        """Return the number of white squares on the panel, 0-9."""
        if self._fault == "dead-display" or self.chip.glass is None:
            return 0
        turned = self.chip.glass.display.rotation  # as the person holds it
        picture = self.chip.glass.image().rotate(turned).convert("L")
        grey, cell_px = picture.tobytes(), picture.height // 9
        middles = [cell_px // 2 + 3 * cell_px * i for i in range(3)]  # of the squares, both ways
        return sum(grey[y * picture.width + x] > WHITE for x in middles for y in middles)

    def _lit(self):
        """Return the number of LEDs that are lit: three bytes each."""
        wire = self.chip.pins.wire
        return sum(any(wire[i : i + 3]) for i in range(0, len(wire), 3))

    def _heard_tones(self):
        """Return how many tones have started since the last call."""
        before, self._tones = self._tones, len(self.chip.times("sound", True))
        return self._tones - before

    # the air and the clock

    @property
    def flags(self) -> int | None:
        """The flags byte at the start of the last advert heard, None without one."""
        return self._heard[2] if self._heard[:2] == b"\x02\x01" else None

    def heard(self, nonce: bytes, within_ms: int) -> int | Literal[False]:
        """Return the RSSI (dBm) of the board's advert with ``nonce``, False if none is heard."""
        self.rest(1000)
        self._heard = self.chip.advert
        return RSSI_DBM if self._heard.endswith(nonce) else False

    def now_ms(self) -> int:
        """Return the PC's time in ms."""
        return self.chip.now_us // 1000

    def rest(self, pause_ms: int) -> None:
        """Advance the time by ``pause_ms``."""
        self.chip.pass_us(1000 * pause_ms)

    def close(self) -> None:
        """Remove its drive."""
        self._folder.cleanup()
