"""The host's event time: the wall once, the steady clock from then on, and never backwards."""

import time

_SLEEPLESS = (
    "CLOCK_BOOTTIME",
    "CLOCK_MONOTONIC",
)  # Linux; where a laptop sleeps, the latter counts on macOS


def steady(system=time):
    """Return a function that tells a time in ms which nobody sets and no sleeping PC stops.

    ``system`` is the ``time`` module. Linux stops ``monotonic`` while the laptop's lid is closed.
    """
    for name in _SLEEPLESS:
        if hasattr(system, name):
            return lambda: system.clock_gettime_ns(getattr(system, name)) // 1_000_000
    return lambda: system.monotonic_ns() // 1_000_000


class HostClock:
    """Whole ms since the event's origin.

    ``origin_ms`` is that origin in unix ms and ``wall_ms`` the wall's time now. ``steady_ms()``
    is a clock that nobody sets. ``floor_ms`` is an event time that has certainly passed: a wall
    that was set back does not take the event with it.
    """

    def __init__(self, origin_ms, wall_ms, steady_ms, floor_ms=0):
        self._steady_ms = steady_ms
        self._offset_ms = max(wall_ms - origin_ms, floor_ms) - steady_ms()

    def now_ms(self):
        """Return the event time."""
        return self._steady_ms() + self._offset_ms
