"""A board on the PC: the firmware's Board port, implemented with virtual time and RAM.

Keys are pressed from outside (``board.keys.press``); the last LED, sound and screen output is kept
for inspection. Time is the loop's time changed by this board's crystal: an offset (ms) at its boot
and a skew in ppm (docs/board.md, Time).
"""

from __future__ import annotations

import random
from asyncio import AbstractEventLoop
from typing import TYPE_CHECKING, NoReturn

from firmware.board import clock
from firmware.core import digest, settings
from host.boards.models import MODELS, SKEWS
from host.sim import prices as costs
from host.sim.chip.flash import written

if TYPE_CHECKING:
    from busdisplay import BusDisplay

    from firmware.core.types import Bytes, Settings
    from host.sim.prices import Book
    from host.sim.types import KeyEdge, Panel, Pay, Wake

BLOCK_SIZE = 512
BLANK = b"\xff" * BLOCK_SIZE
PAGES_A_SECTOR = 16  # pages of 256 bytes
WAITING = 16  # length of keypad's event queue (firmware/board/keys.py)
LIMIT_MS = 20_000  # timeout of the watchdog (firmware/board/chip.py)
LONGEST_BEAT = 60  # bytes (firmware/board/chip.py)
_WRAP_MS = 1 << 29
_FIRST_MS = _WRAP_MS - 65_000  # the tick counter at boot
STEP_MS = 512_000
HZ = range(4, 16_000_000 // 3 + 1)  # what PWMOut.c:82 can divide 16 MHz to
JOURNAL_BLOCKS = 512  # two files of 256 KiB (docs/board.md, Flash)


def board_settings(device: int, key: str, model: str, **more: str) -> Settings:
    """Return a board's settings, as read from its settings.toml; ``more`` are by their names."""
    raw: dict[str, int | str] = {"DEVICE": device, "KEY": key, "GENERATION": 1, "BOARD": model}
    named = {f"PLUSTHREE_{name}": value for name, value in (raw | more).items()}
    return settings.read(named, SKEWS)


class BoardReset(Exception):
    """The firmware has reset the board, which ends this run of the program."""


class BoardClock:
    """A board's uptime in ms from the loop's time, running ``skew_ppm`` fast.

    Its tick counter wraps 65 s after boot and may step back (docs/board.md, Time); the unwrapping
    is the board's own, the only part of ``firmware.board`` that runs here.
    """

    def __init__(self, loop: AbstractEventLoop, skew_ppm: int, offset_ms: int = 0):
        self._loop, self._skew_ppm = loop, skew_ppm
        # the uptime was ``_before_us`` when the loop's time was ``_since_us``; from then on it runs
        # at ``_skew_ppm``
        self._since_us, self._before_us = self._true_us(), 0
        self._stepped_ms = 0
        self._clock = clock.Clock(self._ticks_ms)
        self._before_us = offset_ms * 1000  # only now: Clock counts from the tick it is made at
        self._read_s, self._read_ms = -1.0, 0  # when read last, and what it was

    def _true_us(self):
        return round(self._loop.time() * 1_000_000)

    def _uptime_us(self):
        true_us = self._true_us() - self._since_us
        return self._before_us + true_us * (1_000_000 + self._skew_ppm) // 1_000_000

    def _ticks_ms(self):
        return (_FIRST_MS + self._uptime_us() // 1000 - self._stepped_ms) % _WRAP_MS

    def now_ms(self) -> int:
        """Return the unwrapped uptime in ms."""
        now_s = self._loop.time()
        if now_s != self._read_s:  # a step reads it several times
            self._read_s, self._read_ms = now_s, self._clock.now_ms()
        return self._read_ms

    def rest(self, pause_ms: int) -> NoReturn:
        """Refuse: in virtual time a program is called when it is due and never waits."""
        raise NotImplementedError("nothing waits in virtual time")

    def when(self, uptime_ms: int) -> float:
        """Return the loop time in seconds at which this clock first shows ``uptime_ms``."""
        left_us = (uptime_ms - self.now_ms()) * 1000 - self._uptime_us() % 1000
        wait_us = -(-max(0, left_us) * 1_000_000 // (1_000_000 + self._skew_ppm))  # rounded up
        return (self._true_us() + wait_us + 1) / 1_000_000  # 1 more: floats are not exact

    def step_back(self) -> None:
        """Let the counter step back; it is read at once, as a board reads it every 20 ms."""
        self._clock.now_ms()
        self._stepped_ms += STEP_MS
        self._read_s, self._read_ms = self._loop.time(), self._clock.now_ms()

    def drift(self, skew_ppm: int) -> None:
        """Run at another rate from now on."""
        self._before_us, self._since_us = self._uptime_us(), self._true_us()
        self._skew_ppm = skew_ppm


def free(price: str, times: int = 1, /) -> None:
    """Charge nothing."""


class RamStore:
    """The journal's store port: two copies of 512-byte blocks, erased at first, kept over a reset.

    ``pay(price, times)`` charges each operation to the board. Each write erases and programs its
    whole sector, and yet takes what looks erased to an nRF52840 for erased. Halls of many boards
    use it instead of ``chip/flash.py``: it is a dict of the written blocks, not 2 MiB a board.
    """

    blocks = JOURNAL_BLOCKS

    def __init__(self):
        self.pay: Pay = free
        self._written: dict[tuple[int, int], bytes] = {}

    def read(self, copy: int, block: int) -> bytes:
        """Return the 512 bytes of a block; a block never written reads as erased flash."""
        self.pay("fat_seek_us")
        self.pay("flash_read_us")
        return self._written.get((copy, block), BLANK)

    def readinto(self, copy: int, block: int, buffer: bytearray) -> None:
        """Fill ``buffer`` with a block, as the program reads it."""
        buffer[:] = self.read(copy, block)

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write one whole block (512 bytes), which is stored when this returns."""
        if len(data) != BLOCK_SIZE or not 0 <= block < self.blocks:
            raise ValueError("block")
        self.pay("fat_seek_us")
        self.pay("flash_erase_us")
        self.pay("flash_program_us", PAGES_A_SECTOR)
        old = self._written.get((copy, block), BLANK)
        self._written[copy, block] = written(old, data)


class BoardKeys:
    """Three keys as ``keypad`` reports them: pressed from outside, scanned, polled by the board.

    A press or release is reported once it has lasted ``scan_ms``, with the time of the report. The
    queue keeps ``WAITING`` edges; after an overflow all keys are reported as released, and those
    still down as pressed again.
    """

    def __init__(self, loop: AbstractEventLoop, clock: BoardClock, wake: Wake, scan_ms: int):
        self._loop, self.clock, self._wake, self._scan_s = loop, clock, wake, scan_ms / 1000
        self._edges: list[KeyEdge] = []
        self._down: set[int] = set()  # keys physically down
        self._reported: set[int] = set()  # keys that the scanner has reported as down
        self._overflowed = False

    def press(self, key: int, for_ms: int = 120) -> None:
        """Press ``key`` (0 A, 1 B, 2 J) now and release it after ``for_ms``."""
        self.turn(key, True)
        self._loop.call_later(for_ms / 1000, self.turn, key, False)

    def turn(self, key: int, pressed: bool) -> None:
        """Press or release a key."""
        if _put(self._down, key, pressed):
            self._loop.call_later(self._scan_s, self._scan, key)

    def _scan(self, key):
        """Report a key that is no longer as it was last reported."""
        pressed = key in self._down
        if not _put(self._reported, key, pressed):
            return
        if len(self._edges) < WAITING:
            self._edges.append((key, pressed, self.clock.now_ms()))
        else:
            self._overflowed = True
        self._wake()

    def poll(self) -> list[KeyEdge]:
        """Return the (key, pressed, uptime_ms) since the last poll, oldest first."""
        edges, self._edges = self._edges, []
        if not self._overflowed:
            return edges
        self._overflowed = False
        self._reported = set()
        for key in self._down:
            self._loop.call_later(self._scan_s, self._scan, key)
        return [(key, False, 0) for key in range(3)]


def _put(keys: set[int], key: int, down: bool) -> bool:
    """Add ``key`` to ``keys`` if ``down``, else remove it; return whether that changed them."""
    changed = (key in keys) != down
    if changed:
        keys ^= {key}
    return changed


class Leds:
    """The LED bar: keeps the colours that it shows."""

    def __init__(self, count: int = 8):
        self.shown, self.size = b"", count

    def show(self, colours: Bytes) -> None:
        """Show ``colours``, three bytes (red, green, blue) a pixel; ValueError for half a pixel."""
        if len(colours) % 3 or len(colours) > 3 * self.size:
            raise ValueError("colours")
        self.shown = bytes(colours)


class Sound:
    """The buzzer: keeps the frequencies (Hz) of the tones started; 0 is silence."""

    def __init__(self):
        self.tones: list[int] = []

    def tone(self, hz: int) -> None:
        """Start a tone; ValueError for a frequency that PWMOut refuses."""
        if hz not in HZ:
            raise ValueError("Invalid PWM frequency")
        self.tones.append(hz)

    def off(self) -> None:
        """Stop the tone."""
        if self.tones and self.tones[-1]:
            self.tones.append(0)


class Battery:
    """The battery gauge; ``percent`` is None on a board without one."""

    def __init__(self, percent: int | None = 82):
        self.percent = percent


class Heartbeat:
    """The heartbeat's part of sleep memory, which survives a reset but not a power loss."""

    def __init__(self):
        self._kept = b""

    def read(self) -> bytes:
        """Return the bytes written last."""
        return self._kept

    def write(self, data: Bytes) -> None:
        """Store ``data``, which survives a reset; ValueError for more than 60 bytes."""
        if not 0 < len(data) <= LONGEST_BEAT:
            raise ValueError("size")
        self._kept = bytes(data)


class Heap:
    """The heap, which is never low; ``collections`` counts the collections charged for."""

    low = False

    def __init__(self, pay: Pay):
        self._pay, self.collections = pay, 0

    def collect(self) -> None:
        """Charge a collection."""
        self.collections += 1
        self._pay("gc_ms", 1000)  # ms, and what is charged are us


class VirtualBoard:
    """One board's hardware: all that ``firmware.board`` provides, from one boot to the next.

    ``settings`` is the validated dict, ``seed`` seeds the entropy, ``wake`` is called when an
    interrupt would wake the board. ``store`` and ``heartbeat`` can be passed on to the next boot's
    board. ``prices`` is a ``prices.Book``, by default that of ``prices.toml``; the attribute
    ``prices`` holds this model's.
    """

    glass: Panel | None = None  # the emulated panel, if this board's screen is drawn
    display: BusDisplay | None = None  # and what the firmware draws on
    alive_ms: int | None = None  # uptime (ms) when the program last fed the watchdog

    def __init__(
        self,
        loop: AbstractEventLoop,
        settings: Settings,
        seed: int | str,
        *,
        skew_ppm: int = 0,
        offset_ms: int = 0,
        model: str = "feathers3",
        store: RamStore | None = None,
        heartbeat: Heartbeat | None = None,
        wake: Wake = lambda: None,
        prices: Book | None = None,
    ):
        self.settings, self.model = settings, model
        self.prices = (prices or costs.load()).on(model)
        self.panel, self.keys_count = MODELS[model].panel, MODELS[model].keys
        self.wake: Wake = wake
        self.clock = BoardClock(loop, skew_ppm, offset_ms)
        self.keys = BoardKeys(loop, self.clock, lambda: self.wake(), self.prices["key_scan_ms"])
        self.sound, self.battery = Sound(), Battery()
        self.leds = Leds(MODELS[model].pixels)
        self.store = store or RamStore()
        self.store.pay = self.pay
        self.busy_us = 0  # charged work for which no virtual time has passed yet
        self.heartbeat, self.heap = heartbeat or Heartbeat(), Heap(self.pay)
        self._luck = random.Random(seed)

    def alive(self) -> None:
        """Feed the watchdog; BoardReset when its timeout has passed: it is never disarmed."""
        now_ms = self.clock.now_ms()
        if self.alive_ms is not None and now_ms - self.alive_ms > LIMIT_MS:
            raise BoardReset("the watchdog")
        self.alive_ms = now_ms

    def pay(self, price: str, times: int = 1) -> None:
        """Charge the board the named price ``times`` over."""
        self.busy_us += self.prices[price] * times

    def entropy(self, size: int) -> bytes:
        """Return ``size`` bytes, conditioned as on the board, drawn from the seed."""
        drawn = b""
        while len(drawn) < size:
            drawn += digest.sha256(self._luck.randbytes(32))
        return drawn[:size]

    def reset(self) -> NoReturn:
        """Raise BoardReset, which ends this run of the program."""
        raise BoardReset
