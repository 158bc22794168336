"""Who listens on a channel at an instant, found without asking every station.

A scanner listens for a window at the start of each interval, and on the next channel in the next
one. So who has started at which part of three intervals says when it is on which channel: sorted by
that phase, those who listen at an instant stand side by side.
"""

from __future__ import annotations

import bisect
from typing import TYPE_CHECKING

from host.sim.ether.airtime import CHANNELS

if TYPE_CHECKING:
    from host.sim.ether.types import Station

GAP_US = 400  # at the start of each window the receiver changes its channel and hears nothing


class Scan:
    """One station's scan, from its start until it is stopped; window and interval in us."""

    __slots__ = "interval_us", "phase_us", "start_us", "station", "window_us"

    def __init__(self, station: Station, start_us: int, window_us: int, interval_us: int):
        if not GAP_US < window_us <= interval_us:
            raise ValueError("a window is longer than a gap and no longer than its interval")
        self.station, self.start_us = station, start_us
        self.window_us, self.interval_us = window_us, interval_us
        self.phase_us = start_us % (CHANNELS * interval_us)


class _Alike:
    """The scans with one window and interval, sorted by phase."""

    def __init__(self, window_us: int, interval_us: int):
        self._window_us, self._interval_us = window_us, interval_us
        self._turn_us = CHANNELS * interval_us
        self.phases: list[int] = []
        self._scans: list[Scan] = []

    def add(self, scan: Scan):
        place = bisect.bisect_right(self.phases, scan.phase_us)
        self.phases.insert(place, scan.phase_us)
        self._scans.insert(place, scan)

    def remove(self, scan: Scan):
        place = bisect.bisect_left(self.phases, scan.phase_us)
        while self._scans[place] is not scan:
            place += 1
        del self.phases[place], self._scans[place]

    def listening(self, channel: int, start_us: int, end_us: int) -> list[Scan]:
        """Return who is on ``channel`` all the time from ``start_us`` to ``end_us``."""
        least_us, most_us = GAP_US, self._window_us - (end_us - start_us)
        if most_us < least_us:
            return []
        at_us = start_us - channel * self._interval_us
        first_us, last_us = (at_us - most_us) % self._turn_us, (at_us - least_us) % self._turn_us
        first = bisect.bisect_left(self.phases, first_us)
        last = bisect.bisect_right(self.phases, last_us)
        if first_us <= last_us:
            found = self._scans[first:last]
        else:
            found = self._scans[first:] + self._scans[:last]
        return [scan for scan in found if scan.start_us + GAP_US <= start_us]


class Scans:
    """All scans of an ether."""

    def __init__(self):
        self._groups: dict[tuple[int, int], _Alike] = {}

    def add(self, scan: Scan) -> None:
        """Begin a scan."""
        key = scan.window_us, scan.interval_us
        if key not in self._groups:
            self._groups[key] = _Alike(*key)
        self._groups[key].add(scan)

    def remove(self, scan: Scan) -> None:
        """End a scan that was begun."""
        key = scan.window_us, scan.interval_us
        self._groups[key].remove(scan)
        if not self._groups[key].phases:
            del self._groups[key]

    def move(self, scan: Scan, late_us: int) -> None:
        """Put all windows of a scan ``late_us`` after those that its start gives."""
        self.remove(scan)
        scan.phase_us = (scan.start_us + late_us) % (CHANNELS * scan.interval_us)
        self.add(scan)

    def listening(self, channel: int, start_us: int, end_us: int) -> list[Scan]:
        """Return the scans that hear ``channel`` from ``start_us`` to ``end_us``."""
        found: list[Scan] = []
        for group in self._groups.values():
            found += group.listening(channel, start_us, end_us)
        return found
