"""The chip's tick counter, and the board's own unwrapping of it (``firmware.board.clock``).

The counter wraps 65 s after boot, may step back by 512 s, and drifts (docs/board.md, Time). The
unwrapping is the only part of ``firmware.board`` that runs here: it names no pin and no chip.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop
from typing import NoReturn

from firmware.board import clock

_WRAP_MS = 1 << 29
_FIRST_MS = _WRAP_MS - 65_000  # the counter's value at boot
STEP_MS = 512_000


class TickClock:
    """A board's uptime in ms from ``loop``'s time, running ``skew_ppm`` fast."""

    def __init__(self, loop: AbstractEventLoop, skew_ppm: int):
        self._loop, self._skew_ppm = loop, skew_ppm
        self._since_us, self._before_us = self._true_us(), 0
        self._stepped_ms = 0
        self._read_s, self._read_ms = -1.0, 0  # when read last, and what it was
        self._clock = clock.Clock(self._ticks_ms)

    def _true_us(self):
        return round(self._loop.time() * 1_000_000)

    def _passed_us(self):
        true_us = self._true_us() - self._since_us
        return self._before_us + true_us * (1_000_000 + self._skew_ppm) // 1_000_000

    def _ticks_ms(self):
        return (_FIRST_MS + self._passed_us() // 1000 - self._stepped_ms) % _WRAP_MS

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
        left_us = (uptime_ms - self.now_ms()) * 1000 - self._passed_us() % 1000
        true_us = -(-max(0, left_us) * 1_000_000 // (1_000_000 + self._skew_ppm))
        return (self._true_us() + true_us + 1) / 1_000_000

    def step_back(self) -> None:
        """Let the counter step back; it is read at once, as a board reads it every 20 ms."""
        self._clock.now_ms()
        self._stepped_ms += STEP_MS
        self._read_s, self._read_ms = self._loop.time(), self._clock.now_ms()

    def drift(self, skew_ppm: int) -> None:
        """Run at another rate from now on."""
        self._before_us, self._since_us = self._passed_us(), self._true_us()
        self._skew_ppm = skew_ppm
