"""The host's event time: read once from the wall clock, then from a monotonic clock.

A PC's clock may be set, or lose its battery, while nothing runs: ``KeptTime`` says from when on.
"""

import contextlib
import time
from collections.abc import Callable
from types import ModuleType

from host.archive import places
from host.base import private_files

LATEST_MS = (1 << 32) - 1 - 3_600_000  # the time an hour later still fits into a frame
# count while the PC sleeps: the first on Linux, the second on macOS
_SLEEPLESS = ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC")
_LONGEST_KEPT = 100


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


class KeptTime:
    """The event time at which an event last ran on this PC, in a file beside its archive.

    The file ``NAME.time`` has the event's origin in Unix ms and the event time in ms, as text.
    """

    def __init__(self, place: places.Place):
        self._path = places.sibling(place, ".time")

    def read(self, origin_unix_ms: int) -> int:
        """Return the event time in ms kept for the event with this origin, 0 for none."""
        try:
            origin, kept = map(int, private_files.read_small(self._path, _LONGEST_KEPT).split())
        except (OSError, ValueError):
            return 0
        return max(0, kept) if origin == origin_unix_ms else 0

    def write(self, origin_unix_ms: int, now_ms: int) -> None:
        """Keep the event time; a full disk keeps the one before, or none."""
        with contextlib.suppress(OSError):
            private_files.write_whole(self._path, f"{origin_unix_ms} {now_ms}\n")
