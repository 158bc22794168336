"""A board on the PC: the Board port the firmware is written against, over virtual time and RAM.

Nothing here decides anything. Keys are pressed from outside (``board.keys.press``), what comes
out (LEDs, sound, screen) is kept to be looked at, and time is the loop's, seen through this
board's own crystal: an offset from its boot and a skew in ppm (docs/board.md, Time).
"""

from __future__ import annotations

import random
from asyncio import AbstractEventLoop
from typing import TYPE_CHECKING, NoReturn

from firmware.core import digest
from host.boards.models import MODELS
from host.sim import prices as costs
from host.sim.chip.flash import looks_erased, written

if TYPE_CHECKING:
    from busdisplay import BusDisplay

    from firmware.core.types import Bytes, Settings
    from host.sim.prices import Book
    from host.sim.types import Clock, KeyEdge, Panel, Pay, Wake


BLOCK_SIZE = 512
BLANK = b"\xff" * BLOCK_SIZE
PAGES_A_BLOCK, PAGES_A_SECTOR = 2, 16  # of 256 bytes
WAITING = 16  # edges that keypad keeps for the program (firmware/board/keys.py)
LIMIT_MS = 20_000  # of the watchdog (firmware/board/watchdog.py)
LONGEST_BEAT = 60  # bytes (firmware/board/heartbeat.py)
HZ = range(4, 16_000_000 // 3 + 1)  # what PWMOut.c:82 can divide 16 MHz to
JOURNAL_BLOCKS = 512  # two files of 256 KiB (docs/board.md, Flash)


class BoardReset(Exception):
    """What the firmware's reset looks like from inside: the world of this boot ends."""


class BoardClock:
    """Milliseconds of uptime as this board counts them."""

    def __init__(self, loop: AbstractEventLoop, skew_ppm: int, offset_ms: int):
        self._loop, self._rate = loop, 1_000_000 + skew_ppm
        self._start_us, self._offset_ms = self._true_us(), offset_ms

    def _true_us(self):
        return round(self._loop.time() * 1_000_000)

    def now_ms(self) -> int:
        """Return the unwrapped uptime in ms."""
        return self._offset_ms + (self._true_us() - self._start_us) * self._rate // 10**9

    def rest(self, pause_ms: int) -> NoReturn:
        """Refuse: in virtual time a program is called when it is due, and never waits itself."""
        raise NotImplementedError("nothing waits in virtual time")

    def when(self, uptime_ms: int) -> float:
        """Return the loop time (s) at which this clock will first show ``uptime_ms``."""
        ticks = max(0, uptime_ms - self._offset_ms)
        return (self._start_us - (-ticks * 10**9 // self._rate)) / 1_000_000


def free(price: str, times: int = 1, /) -> None:
    """Charge nothing."""


class RamStore:
    """The journal's store port: two copies of erased 512-byte blocks, kept over a reset.

    ``pay(price, times)`` is told what each act costs the board that holds it. A block that does not
    look blank is rewritten with all of its erase sector, in place: what no flash cache spares is
    more; one that does is programmed as it is. It stays beside ``chip/flash.py`` for halls: a dict
    of what was written in place of 2 MiB a board.
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
        """Write one whole block; it is on the medium when this returns."""
        if len(data) != BLOCK_SIZE or not 0 <= block < self.blocks:
            raise ValueError("block")
        old = self._written.get((copy, block), BLANK)
        blank = looks_erased(old)
        self.pay("fat_seek_us")
        self.pay("flash_erase_us", 0 if blank else 1)
        self.pay("flash_program_us", PAGES_A_BLOCK if blank else PAGES_A_SECTOR)
        self._written[copy, block] = written(old, data)


class BoardKeys:
    """Three keys as ``keypad`` reports them: a finger presses, the scanner sees it, the board
    polls.

    An edge counts once it has lasted ``scan_ms``, with the time of that; of edges that nobody polls
    the queue keeps ``WAITING``, and then all keys are let go and what is down is pressed anew.
    """

    def __init__(self, loop: AbstractEventLoop, clock: Clock, wake: Wake, scan_ms: int):
        self._loop, self._clock, self._wake, self._scan_s = loop, clock, wake, scan_ms / 1000
        self._events: list[KeyEdge] = []
        self._down: set[int] = set()  # what fingers hold, and what the scanner has seen of it
        self._seen: set[int] = set()
        self._overflowed = False

    def press(self, key: int, for_ms: int = 120) -> None:
        """Push ``key`` (0 A, 1 B, 2 J) down now and let go after ``for_ms``."""
        self.turn(key, True)
        self._loop.call_later(for_ms / 1000, self.turn, key, False)

    def turn(self, key: int, pressed: bool) -> None:
        """A finger went down on a key, or let it go."""
        if (key in self._down) != pressed:
            (self._down.add if pressed else self._down.discard)(key)
            self._loop.call_later(self._scan_s, self._scan, key)

    def _scan(self, key):
        pressed = key in self._down
        if (key in self._seen) == pressed:
            return
        (self._seen.add if pressed else self._seen.discard)(key)
        if len(self._events) < WAITING:
            self._events.append((key, pressed, self._clock.now_ms()))
        else:
            self._overflowed = True
        self._wake()

    def poll(self) -> list[KeyEdge]:
        """Return the (key, pressed, uptime_ms) since the last poll, oldest first."""
        events, self._events = self._events, []
        if self._overflowed:
            self._overflowed, self._seen, events = (
                False,
                set(),
                [(key, False, 0) for key in range(3)],
            )
            for key in self._down:
                self._loop.call_later(self._scan_s, self._scan, key)
        return events


class Leds:
    """The bar of pixels: remembers what it shows."""

    def __init__(self, count: int = 8):
        self.shown, self.size = b"", count

    def show(self, colours: Bytes) -> None:
        """Show ``colours``, three bytes (red, green, blue) a pixel; ValueError for half a pixel."""
        if len(colours) % 3 or len(colours) > 3 * self.size:
            raise ValueError("colours")
        self.shown = bytes(colours)


class Sound:
    """The buzzer: remembers the tones that began, in Hz; 0 is silence."""

    def __init__(self):
        self.tones: list[int] = []

    def tone(self, hz: int) -> None:
        """Begin a tone; ValueError for a frequency that PWMOut refuses."""
        if hz not in HZ:
            raise ValueError("Invalid PWM frequency")
        self.tones.append(hz)

    def off(self) -> None:
        """Fall silent."""
        if self.tones and self.tones[-1]:
            self.tones.append(0)


class Battery:
    """A gauge; None is a board without one."""

    def __init__(self, percent: int | None = 82):
        self.percent = percent


class Heartbeat:
    """Sleep memory: survives a reset, not a power loss."""

    def __init__(self):
        self._kept = b""

    def read(self) -> bytes:
        """Return what was last written."""
        return self._kept

    def write(self, data: Bytes) -> None:
        """Keep ``data`` over a reset; ValueError for more than fits."""
        if not 0 < len(data) <= LONGEST_BEAT:
            raise ValueError("size")
        self._kept = bytes(data)


class VirtualBoard:
    """One board's hardware: everything ``firmware.board`` gives, for one life of the program.

    ``settings`` is the validated dict, ``seed`` feeds the entropy, ``wake`` is called when an
    interrupt would wake the board. The store and the heartbeat can be handed on to the next life.
    ``prices`` is a ``prices.Book``, ours when left out; what this board pays is its ``prices``.
    """

    glass: Panel | None = None  # an emulated panel, where somebody looks at this board
    alive_ms: int | None = None  # uptime when the program last proved that all of it comes on

    def __init__(
        self,
        loop: AbstractEventLoop,
        settings: Settings,
        seed: int | str,
        *,
        skew_ppm: int = 0,
        offset_ms: int = 0,
        model: str = "feather",
        display: BusDisplay | None = None,
        store: RamStore | None = None,
        heartbeat: Heartbeat | None = None,
        wake: Wake = lambda: None,
        prices: Book | None = None,
    ):
        self.settings, self.model, self.display = settings, model, display
        self.prices = (prices or costs.load()).on(model)
        self.panel, self.keys_count = MODELS[model].panel, MODELS[model].keys
        self.wake: Wake = wake
        self.clock: Clock = BoardClock(loop, skew_ppm, offset_ms)
        self.keys = BoardKeys(loop, self.clock, lambda: self.wake(), self.prices["key_scan_ms"])
        self.sound, self.battery = Sound(), Battery()
        self.leds = Leds(MODELS[model].pixels)
        self.store = store or RamStore()
        self.store.pay = self.pay
        self.busy_us = 0  # of work that the program has done and no time has passed for yet
        self.heartbeat = heartbeat or Heartbeat()
        self._luck = random.Random(seed)

    def unload(self) -> None:
        """Keep every module: a PC has room, and other boards share them."""

    def alive(self) -> None:
        """Feed the watchdog; BoardReset when it has bitten before: nothing ever disarms it."""
        now_ms = self.clock.now_ms()
        if self.alive_ms is not None and now_ms - self.alive_ms > LIMIT_MS:
            raise BoardReset("the watchdog")
        self.alive_ms = now_ms

    def pay(self, price: str, times: int = 1) -> None:
        """Charge the board with an act ``times`` over."""
        self.busy_us += self.prices[price] * times

    def entropy(self, size: int) -> bytes:
        """Return ``size`` bytes, conditioned as on the board, drawn from the seed."""
        drawn = b""
        while len(drawn) < size:
            drawn += digest.sha256(self._luck.randbytes(32))
        return drawn[:size]

    def reset(self) -> NoReturn:
        """End this life of the program."""
        raise BoardReset
