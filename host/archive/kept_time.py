"""The event time at which an event last ran on this PC, in a file beside its archive.

A PC's clock may be set, or lose its battery, while nothing runs: this says from when on.
"""

import contextlib

from host.archive import places
from host.base import private_files, small_files

_LONGEST = 100


class KeptTime:
    """The file ``NAME.time``: the event's origin in Unix ms and the event time in ms, as text."""

    def __init__(self, place: places.Place):
        self._path = places.beside(place, ".time")

    def read(self, origin_unix_ms: int) -> int:
        """Return the event time kept for the event with this origin, 0 for none."""
        try:
            origin, kept = map(int, small_files.read(self._path, _LONGEST).split())
        except (OSError, ValueError):
            return 0
        return max(0, kept) if origin == origin_unix_ms else 0

    def write(self, origin_unix_ms: int, now_ms: int) -> None:
        """Keep the event time; a full disk keeps the one before, or none."""
        with contextlib.suppress(OSError):
            private_files.write_whole(self._path, f"{origin_unix_ms} {now_ms}\n")
