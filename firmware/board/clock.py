"""Uptime: ``supervisor.ticks_ms`` unwrapped, here and nowhere else.

The chip's counter wraps at 2^29 ms (for the first time 65 s after boot) and may step back when
the board is reset by its pin. Uptime never goes back: a step back is taken as no time at all.
"""

import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_WRAP_MS = 1 << 29
_HALF_MS = 1 << 28


def _signed(ticks):
    return (ticks + _HALF_MS) % _WRAP_MS - _HALF_MS


class Clock:
    """Milliseconds since it was made; must be asked at least every three days."""

    def __init__(self, ticks_ms: "Callable[[], int]"):
        self._ticks_ms = ticks_ms
        self._last = ticks_ms()
        self._total_ms = 0

    def now_ms(self) -> int:
        """Return the unwrapped uptime in ms."""
        ticks = self._ticks_ms()
        passed_ms = _signed(ticks - self._last)
        self._last = ticks
        if passed_ms > 0:
            self._total_ms += passed_ms
        return self._total_ms

    def at(self, ticks: int) -> int:
        """Return the uptime in ms when the counter stood at ``ticks`` (of the last three days)."""
        return max(0, self._total_ms + _signed(ticks - self._last))

    def rest(self, pause_ms: int) -> None:
        """Sleep for ``pause_ms``."""
        time.sleep(pause_ms / 1000)
