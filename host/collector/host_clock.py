"""The host's event time: read once from the wall clock, then from a monotonic clock."""

import time
from collections.abc import Callable
from types import ModuleType

LATEST_MS = (1 << 32) - 1 - 3_600_000  # what boards can be told of an hour later still fits
_SLEEPLESS = (
    "CLOCK_BOOTTIME",
    "CLOCK_MONOTONIC",
)  # Linux; on macOS the latter counts during sleep


def steady(system: ModuleType = time) -> Callable[[], int]:
    """Return a monotonic clock in ms that also runs while the PC sleeps.

    ``system`` is the ``time`` module. On Linux ``monotonic`` stops while the laptop sleeps.
    """
    for name in _SLEEPLESS:
        if hasattr(system, name):
            return lambda: system.clock_gettime_ns(getattr(system, name)) // 1_000_000
    return lambda: system.monotonic_ns() // 1_000_000


class HostClock:
    """Whole ms since the event's origin.

    ``origin_ms`` is that origin in Unix ms and ``wall_ms`` the wall clock's time now.
    ``steady_ms()`` is a monotonic clock. ``floor_ms`` is an event time that has certainly passed,
    so a wall clock that was set back does not set back event time. At ``LATEST_MS``, after 49 days,
    it stands: a later time fits into no frame.
    """

    def __init__(
        self, origin_ms: int, wall_ms: int, steady_ms: Callable[[], int], floor_ms: int = 0
    ):
        self._steady_ms = steady_ms
        self._offset_ms = max(wall_ms - origin_ms, floor_ms) - steady_ms()

    def move(self, by_ms: int) -> None:
        """Set event time forward, or back below 0: only to what was not stored yet."""
        self._offset_ms = self.now_ms() + by_ms - self._steady_ms()

    def now_ms(self) -> int:
        """Return the event time."""
        return min(self._steady_ms() + self._offset_ms, LATEST_MS)
