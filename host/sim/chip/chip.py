"""The chip: power, resets, watchdog, and the order in which ``main.c`` runs a drive's files.

The code between two resets (one life) runs in a greenlet of its own. ``run(seconds)`` switches to
it until that much virtual time has passed, and returns even if the program is in mid-function.
"""

from __future__ import annotations

import collections
import contextlib
import random
import re
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import greenlet

from host.boards.models import BY_ID
from host.sim import prices as costs
from host.sim.bleio import ESPRESSIF_BOARDS
from host.sim.chip import glass, natives, pins, radio
from host.sim.chip import usb as serial_line
from host.sim.chip.drive import SIZE, Drive
from host.sim.chip.flash import Internal
from host.sim.chip.natives import NONE, Memory, Reset, SleepMemory, Watchdog, WatchDogMode, crash
from host.sim.chip.radio import Advert, Central
from host.sim.chip.world import World
from host.sim.prices import Meter, alike, counted, uncounted

if TYPE_CHECKING:
    from host.sim.chip.types import Glass

KEPT_SINCE = (10, 3, 1)  # first version in which espressif's sleep memory outlives any reset
SPARED_SINCE = (10, 3, 0)  # first version that reads _SPARES and _DELAY
WAIT_US = 1_000_000  # wait_for_safe_mode_reset, and once more supervisor_bluetooth_init
_SPARES, _DELAY = "CIRCUITPY_BLE_WORKFLOW", "CIRCUITPY_SAFE_MODE_DELAY"
_WAITED_FOR = (natives.POWER_ON, natives.RESET_PIN, natives.SOFTWARE)
_BUTTON = (natives.POWER_ON, natives.RESET_PIN)  # TinyUF2 waits for it, sleep memory is zeroed
_LINE = 32  # bytes of PSRAM that an S3's cache fetches at once
_STALLS = {"flash_erase_us", "flash_program_us"}  # an S3 stops both cores and all interrupts
_SETTING = (
    r"^[ \t]*{}[ \t]*=[ \t]*(\"(?P<quoted>[^\"\n]*)\"|(?P<bare>[^\"\s#][^#\n]*?|))[ \t\r]*(#.*)?$"
)
_BLINKS = {"DONE": "green 1", "ERROR": "red 2", "SAFE": "yellow 3"}


@dataclass(frozen=True)
class StoryEvent:
    """One externally visible event of the chip: ``at_ms`` counts from the Chip's creation."""

    at_ms: int
    kind: str
    values: tuple


class Chip:
    """A board of ``board_id`` with the drive in ``folder``; unpowered until ``power`` is called.

    ``usb``: a PC is connected by USB. ``version`` is CircuitPython's. ``prices`` are further price
    files. ``sources`` maps paths to the sources of the drive's bytecode files. ``counting``: charge
    virtual time for each bytecode too, which makes a run about ten times slower on the PC.

    ``cable`` is the PC's end of its serial line; ``air`` are the adverts to come, of which it hears
    those that come while it scans; ``central`` is the one that may connect. ``story`` is the list
    of StoryEvent events. Since the last reset: ``console`` holds the lines printed, ``glass`` the
    open display (None without one), and ``spent`` the microseconds charged by price name.
    """

    def __init__(self, folder: Path, board_id: str="unexpectedmaker_feathers3", *, usb: bool=False,
                 version: tuple[int, int, int]=(10, 3, 1), seed: int=1,
                 prices: Sequence[Path]=(), sources: dict[str, bytes] | None=None,
                 counting: bool=False):  # fmt: skip
        self.board_id, self.usb, self.version = board_id, usb, version
        self.prices, self.luck = costs.load(prices).on(BY_ID[board_id]), random.Random(seed)
        self.now_us, self.story, self.console = 0, [], []
        self.spent, self._sources = collections.Counter(), sources or {}
        self._counting = counting
        self.sleep_memory, self._saved = SleepMemory(), NONE
        self.espressif = board_id in ESPRESSIF_BOARDS
        self.psram = 8 << 20  # bytes; 0: the chip did not find it
        self.radio_adverts: int | None = None  # that may begin until a radio's memory is used up
        self.radio_lost = False  # once off it does not come on again
        self.flash = Internal(SIZE, self.pay)
        self.drive, self.cable = Drive(folder, self.flash), serial_line.Cable(self)
        self.air: list[Advert] = []
        self.central = Central()
        self.radio_address = bytes((7, 1, 2, 3, 4, 0xC5))
        self._bites_us: int | None = None
        self._limit_us = self._until_us = 0
        self._planned: list[tuple[int, Reset]] = []
        self.glass: Glass | None = None
        self.next_file: str | None = None
        self.fingers = set()  # the pins of keys that somebody holds down
        self.touches: list[tuple[int, str, bool]] = []  # to come: when (us), which pin, down or up
        self._stalled = False
        self._death: Reset | None = None
        self._main: greenlet.greenlet | None = None
        self._outside = greenlet.getcurrent()

    # what a person does

    def power(self, seconds: float = 0.0) -> None:
        """Power the board on, then run for ``seconds``."""
        self._start(Reset(natives.POWER_ON))
        self.run(seconds)

    def cut(self) -> None:
        """Cut the power: sleep memory is filled with random bytes."""
        self._main = None
        self.sleep_memory.lose(self.luck.randbytes(natives.SLEEP_BYTES))
        self._bites_us, self._saved, self.glass = None, NONE, None

    def press_reset(self, after_s: float = 0.0) -> None:
        """Schedule a press of the reset button in ``after_s`` seconds."""
        self._plan(after_s, Reset(natives.RESET_PIN))

    def fault(self, after_s: float = 0.0) -> None:
        """Schedule a hard fault of the interpreter in ``after_s`` seconds."""
        self._plan(after_s, crash(natives.HARD_FAULT))

    def _plan(self, after_s, reset):
        self._planned.append((self.now_us + round(after_s * 1e6), reset))
        self._planned.sort(key=lambda plan: plan[0])

    def run(self, seconds: float) -> None:
        """Run the chip for ``seconds`` of virtual time."""
        self._until_us = max(self._until_us, self.now_us) + round(seconds * 1e6)
        while self._main is not None and self.now_us < self._until_us:
            self._outside = greenlet.getcurrent()
            ended = self._main.switch()
            if isinstance(ended, Reset):
                self._start(ended)

    # the doubles' reports

    def note(self, kind: str, *values: object) -> None:
        """Append an externally visible event to ``story``."""
        self.story.append(StoryEvent(self.now_us // 1000, kind, values))

    def times(self, kind: str, *values: object) -> list[int]:
        """Return the times (ms) of the events of this kind whose values start with ``values``."""
        return [t.at_ms for t in self.story if t.kind == kind and t.values[: len(values)] == values]

    def printed(self, line: str) -> None:
        """Append a line to the console; the display's terminal shows the same lines."""
        self.console.append(line)

    def print_exception(self, error: BaseException, *_: object) -> None:
        """Append an exception's lines to the console (``traceback.print_exception``)."""
        for line in "".join(traceback.format_exception(error)).rstrip().split("\n"):
            self.printed(line)

    def uptime_ms(self) -> int:
        """Return the milliseconds since this life began."""
        return (self.now_us - self.started_us) // 1000

    def ticks_ms(self) -> int:
        """Return the tick counter (supervisor/__init__.c:250)."""
        return (self.uptime_ms() + natives.TICKS_AT_POWER) % natives.TICKS

    def setting(self, key: str, default: str | None = None) -> str | None:
        """Return the result of ``os.getenv`` for ``key``.

        The first line of settings.toml with that key counts, up to the first [section].
        """
        path = self.drive.path("settings.toml")
        if not path.is_file():
            return default
        text = path.read_text("utf-8", "replace").replace("\r\n", "\n")
        text = re.split(r"^[ \t]*\[", text, maxsplit=1, flags=re.MULTILINE)[0]
        match = re.search(_SETTING.format(re.escape(key)), text, re.MULTILINE)
        if match is None:
            return default
        if match["quoted"] is not None:
            return match["quoted"]
        return match["bare"] or default

    # time

    def pay(self, name: str, times: int = 1) -> None:
        """Charge the named price ``times`` over as busy time."""
        self.spend(name, self.prices[name] * times * (1000 if name.endswith("_ms") else 1))

    def spend(self, name: str, used_us: int) -> None:
        """Charge ``used_us`` of busy time and add it to ``spent[name]``."""
        self.spent[name] += used_us
        self._stalled = self.espressif and name in _STALLS
        self.spend_us(used_us)
        self._stalled = False

    def spend_us(self, used_us: int) -> None:
        """Be busy for ``used_us``: only the key scanner and the watchdog run meanwhile, and while
        an S3's flash is written no scanner either.
        """
        self._go(self.now_us + used_us, gives_way=False)

    def pass_us(self, pause_us: int) -> None:
        """Sleep for ``pause_us``; ``run`` may return in the middle of it."""
        self._go(self.now_us + pause_us, gives_way=True)

    def _go(self, target_us, gives_way):
        """Let time pass until ``target_us``, or until a reset, which it raises; where it
        ``gives_way``, ``run`` returns in between.
        """
        if self._death is not None:
            raise self._death
        reset_us, reset = self._next_reset(target_us)
        while gives_way and min(target_us, reset_us) > self._until_us:
            self._reach(self._until_us)
            with uncounted():  # a tracer is the thread's, not the greenlet's
                self._outside.switch()
            reset_us, reset = self._next_reset(target_us)
        if reset is not None and reset_us <= target_us:
            self._reach(max(reset_us, self.now_us))
            self._planned = [(at_us, plan) for at_us, plan in self._planned if plan is not reset]
            raise self.dying(reset)
        self._reach(target_us)

    def _next_reset(self, target_us):
        """Return (time in us, Reset) of the next reset, (``target_us`` + 1, None) without one."""
        resets = self._planned[:1]
        if self._bites_us is not None:
            resets = [(self._bites_us, Reset(natives.WATCHDOG)), *resets]
        return min(resets, key=lambda plan: plan[0], default=(target_us + 1, None))

    def _reach(self, at_us):
        """Let time pass until ``at_us``, with the presses and releases of keys until then."""
        touches = self.touches
        while touches and touches[0][0] <= at_us:
            touch_us, pin, down = touches[0]
            self._pass(touch_us)
            del touches[0]
            if down:
                self.fingers.add(pin)
            else:
                self.fingers.discard(pin)
        self._pass(at_us)
        glass.background(self)

    def _pass(self, at_us):
        """Set the time, and do the key scans until then."""
        self.now_us = max(self.now_us, at_us)
        for scanner in self.pins.scanners:
            if self._stalled:
                scanner.miss()
            else:
                scanner.run()

    def dying(self, reset: Reset) -> Reset:
        """Return the first Reset of this life, so that a ``finally`` cannot replace it."""
        self._death = self._death or reset
        return self._death

    # the watchdog

    def arm(self, seconds: float) -> None:
        """Start the hardware watchdog with ``seconds``; a running one is fed, its limit stays."""
        if self._bites_us is None:
            self._limit_us = round(seconds * 1e6)
        self.feed()

    def feed(self) -> None:
        """Restart the hardware watchdog's countdown."""
        self._bites_us = self.now_us + self._limit_us

    # lives

    def _start(self, reset):
        """Apply the effect of ``reset`` to the chip's state and start the next boot."""
        if reset.safe_mode != NONE:
            self._saved = reset.safe_mode
        if reset.reason != natives.SOFTWARE or self.espressif:
            self._bites_us = None  # only nordic's software reset leaves the watchdog running
        if reset.reason == natives.POWER_ON:
            self._saved = NONE
        if self.espressif and (reset.reason in _BUTTON or self.version < KEPT_SINCE):
            self.sleep_memory.lose(bytes(natives.SLEEP_BYTES))
        self.flash.forget()
        self.cable.reset()
        self.reset_reason, self._death = reset.reason, None
        self._main = greenlet.greenlet(self._guarded)

    def _guarded(self):
        try:
            self._boot()
        except Reset as reset:
            return reset

    def begin(self) -> None:
        """Set what each life begins with."""
        self.started_us, self.console, self.glass, self.next_file = self.now_us, [], None, None
        self.spent.clear()
        self.pins = pins.Pins(self)
        self.usb_up, self.usb_devices = False, {"console", "drive", "hid", "midi"}
        self.ble_workflow, self.drive.usb_writable = True, True

    def _boot(self):
        """Boot as ``main`` in main.c does: safemode.py, boot.py, code.py, then idle for ever."""
        self.begin()
        self.note("reset", self.reset_reason)
        self.pass_us(1000 * self.prices["loader_ms"])
        if self.reset_reason in _BUTTON:
            self.pass_us(1000 * self.prices["uf2_ms"])
        self.pass_us(self._lines_us(self.psram))
        self.safe_mode = self._safe_mode()
        if self.reset_reason in _WAITED_FOR and self._delay_setting(_SPARES) != "false":
            self.note("light", "blue")
            self.pass_us(WAIT_US)
        if self.safe_mode not in (NONE, natives.USER):
            self._vm("safemode.py")
        if self.safe_mode == NONE:
            self._vm("boot.py")
        self.usb_up = True
        ended = self._vm(self.next_file or "code.py") if self.safe_mode == NONE else "SAFE"
        self.note("light", _BLINKS[ended])
        while True:
            self.pass_us(5_000_000)

    def _safe_mode(self):
        """Return the safe mode of this boot (``port_init``, ``wait_for_safe_mode_reset``)."""
        if self.reset_reason == natives.WATCHDOG and self.usb and not self.espressif:
            self.note("safe mode", natives.SAFE_WATCHDOG)
            return natives.SAFE_WATCHDOG
        saved, self._saved = self._saved, NONE
        if saved != NONE:
            self.note("safe mode", saved)
            return saved
        if self.reset_reason in _WAITED_FOR:
            self._saved = natives.USER
            self.note("light", "yellow")
            delay = self._delay_setting(_DELAY)
            self.pass_us(round(float(delay) * 1_000_000) if delay else WAIT_US)
            self._saved = NONE
        return NONE

    def _delay_setting(self, setting):
        """Return a setting about the wait at the start; None if this version has none."""
        return self.setting(setting) if self.version >= SPARED_SINCE else None

    def _vm(self, name):
        """Run a file in a new VM and clean up; return "DONE" or "ERROR"."""
        world = self.new_world()
        self.note("run", name)
        ended = "DONE"
        try:
            if self.drive.path(name).is_file():
                with self.counted(world) if self._counting else contextlib.nullcontext():
                    world.run(name)
        except Exception as error:  # any uncaught exception ends the VM, as on the chip
            ended = "ERROR"
            self.print_exception(error)
            if name == "safemode.py":
                self.safe_mode = natives.SAFEMODE_PY_ERROR
        self._cleanup(world, ended)
        return ended

    def new_world(self) -> World:
        """Return a new VM's World: its heap, the drive and the chip's native modules."""
        asked = self.setting("CIRCUITPY_HEAP_START_SIZE") if self.safe_mode == NONE else None
        outer = self.prices["heap_bytes"] if self.espressif else natives.NORDIC_BYTES
        self.memory = Memory(outer, asked, self._collect_loaded)
        self.watchdog = Watchdog(self)
        every = natives.natives(self) | glass.modules(self) | radio.modules(self)
        every |= serial_line.modules(self, self.cable)
        return World(
            self.drive, every | self.pins.modules(), self._sources, loaded=self._load,
            collected=self._collect_loaded, printed=self.printed,
            stuck=lambda: self.pass_us(1_000_000),
        )  # fmt: skip

    def counted(self, world: World) -> contextlib.AbstractContextManager[None]:
        """Charge the bytecodes that a VM executes in this block."""
        size = alike(Meter.TOGETHER) * self.prices["alloc_permille"] // 1000  # bytes allocated
        alloc_us = size * self.prices["alloc_ns_per_byte"] // 1000 + self._lines_us(size)

        def spend(used_us):
            self.spend("bytecode_ns", used_us)
            self.spend("alloc", alloc_us)
            self.memory.allocate(size)

        def is_counted(frame):
            self._check_stack(frame)
            return world.runs(frame)

        return counted(is_counted, Meter(spend, self.prices["bytecode_ns"]))

    def _check_stack(self, frame):
        """Raise RuntimeError where a function calls itself more often than the pystack allows."""
        code, depth = frame.f_code, 0
        while frame is not None and frame.f_code is code:
            frame, depth = frame.f_back, depth + 1
        if depth > self.prices["pystack_frames"]:
            raise RuntimeError("pystack exhausted")

    def _lines_us(self, size):
        """Return the time to fetch ``size`` bytes of PSRAM into the cache and write them."""
        if not self.espressif:
            return 0
        return 2 * size // _LINE * self.prices["psram_line_ns"] // 1000

    def _load(self, price, size, source_size):
        """Charge the time and the heap of a file that was compiled or loaded."""
        self.spend(price, self.prices[price] * size // 1024)
        self.memory.allocate(source_size * self.prices["heap_alive_permille"] // 1000, alive=True)

    def _collect_loaded(self):
        """Do the collection that ends an import (py/builtinimport.c:549), or that an allocation
        needs. It takes the longer the more is loaded by then.
        """
        self.memory.garbage = 0
        whole, alive = self.prices["heap_alive_bytes"], self.memory.alive
        self.spend("gc_ms", 1000 * self.prices["gc_ms"] * min(alive, whole) // whole)

    def collect(self) -> None:
        """Do a collection that the program asks for, which is all there by then."""
        self.memory.garbage = 0
        self.note("collection")
        self.pay("gc_ms")

    def _cleanup(self, world, ended):
        """Do ``cleanup_after_vm``: with the watchdog in RESET mode a program's normal end crashes.

        Raises Reset (NLR_JUMP_FAIL) then; on espressif the watchdog is stopped instead.
        """
        if self.espressif:
            self._bites_us = None  # espressif's port_reset can stop the watchdog
        elif self.watchdog.mode == WatchDogMode.RESET and ended == "DONE":
            raise self.dying(crash(natives.NLR_JUMP_FAIL))
        world.end()
        self.pins = pins.Pins(self)
        if self.glass is not None:
            self.glass.display.automatic, self.glass.on_terminal = True, True
