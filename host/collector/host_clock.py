"""The host's event time: the wall clock once, a monotonic clock from then on, never backwards."""

import time
from collections.abc import Callable
from types import ModuleType

_SLEEPLESS = (
    "CLOCK_BOOTTIME",
    "CLOCK_MONOTONIC",
)  # Linux; where a laptop sleeps, the latter counts on macOS


def steady(system: ModuleType = time) -> Callable[[], int]:
    """Return a function that tells a time in ms which nobody sets and no sleeping PC stops.

    ``system`` is the ``time`` module. Linux stops ``monotonic`` while the laptop's lid is closed.
    """
    for name in _SLEEPLESS:
        if hasattr(system, name):
            return lambda: system.clock_gettime_ns(getattr(system, name)) // 1_000_000
    return lambda: system.monotonic_ns() // 1_000_000


class HostClock:
    """Whole ms since the event's origin.

    ``origin_ms`` is that origin in unix ms and ``wall_ms`` the wall clock's time now.
    ``steady_ms()`` is a clock that nobody sets. ``floor_ms`` is an event time that has certainly
    passed: a wall clock that was set back does not set back the event.
    """

    def __init__(
        self, origin_ms: int, wall_ms: int, steady_ms: Callable[[], int], floor_ms: int = 0
    ):
        self._steady_ms = steady_ms
        self._offset_ms = max(wall_ms - origin_ms, floor_ms) - steady_ms()

    def now_ms(self) -> int:
        """Return the event time."""
        return self._steady_ms() + self._offset_ms
