"""A board on the PC: the Board port the firmware is written against, over virtual time and RAM.

Nothing here decides anything. Keys are pressed from outside (``board.keys.press``), what comes
out (LEDs, sound, screen) is kept to be looked at, and time is the loop's, seen through this
board's own crystal: an offset from its boot and a skew in ppm (BOARD_FACTS, Time).
"""

import random

from firmware.core import digest
from host.models import MODELS
from host.sim import prices as costs

BLOCK_SIZE = 512
JOURNAL_BLOCKS = 512  # two files of 256 KiB (DESIGN §3)


class BoardReset(Exception):
    """What the firmware's reset looks like from inside: the world of this boot ends."""


class BoardClock:
    """Milliseconds of uptime as this board counts them."""

    def __init__(self, loop, skew_ppm, offset_ms):
        self._loop, self._rate = loop, 1_000_000 + skew_ppm
        self._start_us, self._offset_ms = self._true_us(), offset_ms

    def _true_us(self):
        return round(self._loop.time() * 1_000_000)

    def now_ms(self):
        """Return the unwrapped uptime in ms."""
        return self._offset_ms + (self._true_us() - self._start_us) * self._rate // 10**9

    def when(self, uptime_ms):
        """Return the loop time (s) at which this clock will first show ``uptime_ms``."""
        ticks = max(0, uptime_ms - self._offset_ms)
        return (self._start_us - (-ticks * 10**9 // self._rate)) / 1_000_000


class RamStore:
    """The journal's store port: two copies of erased 512-byte blocks, kept over a reset."""

    blocks = JOURNAL_BLOCKS

    def __init__(self):
        self._written = {}

    def read(self, copy, block):
        """Return the 512 bytes of a block; a block never written reads as erased flash."""
        return self._written.get((copy, block), b"\xff" * BLOCK_SIZE)

    def readinto(self, copy, block, buffer):
        """Fill ``buffer`` with a block, as the program reads it."""
        buffer[:] = self.read(copy, block)

    def write(self, copy, block, data):
        """Write one whole block; it is on the medium when this returns."""
        if len(data) != BLOCK_SIZE or not 0 <= block < self.blocks:
            raise ValueError("block")
        self._written[copy, block] = bytes(data)


class BoardKeys:
    """Three keys as ``keypad`` reports them; a finger presses, the board polls."""

    def __init__(self, loop, clock, wake):
        self._loop, self._clock, self._wake = loop, clock, wake
        self._events, self._down = [], set()

    def press(self, key, for_ms=120):
        """Push ``key`` (0 A, 1 B, 2 J) down now and let go after ``for_ms``."""
        self.turn(key, True)
        self._loop.call_later(for_ms / 1000, self.turn, key, False)

    def turn(self, key, pressed):
        """A finger went down on a key, or let it go."""
        if (key in self._down) == pressed:
            return
        (self._down.add if pressed else self._down.discard)(key)
        self._events.append((key, pressed, self._clock.now_ms()))
        self._wake()

    def poll(self):
        """Return the (key, pressed, uptime_ms) since the last poll, oldest first."""
        events, self._events = self._events, []
        return events


class Leds:
    """The bar of pixels: remembers what it shows."""

    def __init__(self, count=8):
        self.shown, self.size = b"", count

    def show(self, colours):
        """Show ``colours``, three bytes (red, green, blue) a pixel."""
        self.shown = bytes(colours)


class Sound:
    """The buzzer: remembers the tones that began, in Hz; 0 is silence."""

    def __init__(self):
        self.tones = []

    def tone(self, hz):
        """Begin a tone."""
        self.tones.append(hz)

    def off(self):
        """Fall silent."""
        if self.tones and self.tones[-1]:
            self.tones.append(0)


class Battery:
    """A gauge; None is a board without one."""

    def __init__(self, percent=82):
        self.percent = percent


class Heartbeat:
    """Sleep memory: survives a reset, not a power loss."""

    def __init__(self):
        self._kept = b""

    def read(self):
        """Return what was last written."""
        return self._kept

    def write(self, data):
        """Keep ``data`` over a reset."""
        self._kept = bytes(data)


class VirtualBoard:
    """One board's hardware: everything ``firmware.board`` gives, for one life of the program.

    ``settings`` is the validated dict, ``seed`` feeds the entropy, ``wake`` is called when an
    interrupt would wake the board. The store and the heartbeat can be handed on to the next life.
    ``prices`` is a ``prices.Book``, ours when left out; what this board pays is its ``prices``.
    """

    def __init__(self, loop, settings, seed, *, skew_ppm=0, offset_ms=0, model="feather",
                 display=None, store=None, heartbeat=None, wake=lambda: None, prices=None):
        self.settings, self.model, self.display = settings, model, display
        self.prices = (prices or costs.load()).on(model)
        self.panel, self.keys_count = MODELS[model].panel, MODELS[model].keys
        self.wake = wake
        self.clock = BoardClock(loop, skew_ppm, offset_ms)
        self.keys = BoardKeys(loop, self.clock, lambda: self.wake())
        self.sound, self.battery = Sound(), Battery()
        self.leds = Leds(MODELS[model].pixels)
        self.store = store or RamStore()
        self.heartbeat = heartbeat or Heartbeat()
        self.alive_ms = None  # uptime when the program last proved that all of it comes on
        self._luck = random.Random(seed)

    def unload(self):
        """Keep every module: a PC has room, and other boards share them."""

    def alive(self):
        """Feed the watchdog."""
        self.alive_ms = self.clock.now_ms()

    def entropy(self, size):
        """Return ``size`` bytes, conditioned as on the board, drawn from the seed."""
        drawn = b""
        while len(drawn) < size:
            drawn += digest.sha256(self._luck.randbytes(32))
        return drawn[:size]

    def reset(self):
        """End this life of the program."""
        raise BoardReset
