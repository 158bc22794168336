"""Timers in the order of their times, and where those are equal of their setting, as a calendar.

A hall has thousands, and each lies still until it is due: one heap of all would touch a dozen
others at each step. So those of each 1/16 s lie unordered on a page of their own, and only the open
page is a heap.
"""

from __future__ import annotations

import heapq
import math
from asyncio import Handle, TimerHandle
from collections import deque

AT_ONCE_S = 1e-9  # timers so close together are due at once
_PAGES_A_S = 16
_NEVER = 1 << 60  # the page of what is never due
_FEW = 100  # cancelled timers are not worth looking for


class Timers:
    """What an event loop is to call later; times are in seconds of the loop.

    Whoever cancels a timer that is here counts it in ``cancelled``. Nothing is due before
    ``soonest_s``.
    """

    def __init__(self):
        # entries are (time, how many were set before, timer); earlier times are on the open page
        self._open: list[tuple[float, int, TimerHandle]] = []
        self._page = -1
        self._pages: dict[int, list[tuple[float, int, TimerHandle]]] = {}
        self._numbers: list[int] = []  # of the pages that are not open, a heap
        self._set = self._taken = self.cancelled = 0
        self.soonest_s = 0.0

    def __len__(self) -> int:
        """Return how many are here, cancelled ones too."""
        return self._set - self._taken

    def add(self, when_s: float, timer: TimerHandle) -> None:
        """Add a timer that is due at ``when_s``."""
        page = int(when_s * _PAGES_A_S) if when_s < math.inf else _NEVER
        entry = when_s, self._set, timer
        self._set += 1
        if when_s < self.soonest_s:
            self.soonest_s = when_s
        if page <= self._page:
            heapq.heappush(self._open, entry)
        elif (entries := self._pages.get(page)) is not None:
            entries.append(entry)
        else:
            self._pages[page] = [entry]
            heapq.heappush(self._numbers, page)

    def take_first(self, now_s: float, ready: deque[Handle]) -> float | None:
        """Append to ``ready`` what is due first; return when that is, None for no timer at all."""
        while True:
            opened = self._open
            while opened:
                first_s, _, timer = heapq.heappop(opened)
                if timer._cancelled:
                    self._drop(1)
                    continue
                self._taken += 1
                timer._scheduled = False
                ready.append(timer)
                before_s = (first_s if first_s > now_s else now_s) + AT_ONCE_S
                if opened and opened[0][0] >= before_s:  # so most of the time
                    self.soonest_s = opened[0][0]
                else:
                    self.take(before_s, ready)
                return first_s
            if not self._numbers:
                return None
            self._turn()

    def take(self, before_s: float, ready: deque[Handle]) -> None:
        """Append to ``ready`` what is due before ``before_s``."""
        while True:
            opened = self._open
            while opened and opened[0][0] < before_s:
                timer = heapq.heappop(opened)[2]
                if timer._cancelled:
                    self._drop(1)
                else:
                    self._taken += 1
                    timer._scheduled = False
                    ready.append(timer)
            if opened or not self._numbers or self._numbers[0] >= before_s * _PAGES_A_S:
                break
            self._turn()
        self.soonest_s = opened[0][0] if opened else before_s

    def _turn(self):
        """Open the next page."""
        if self.cancelled > _FEW and 2 * self.cancelled > len(self):
            for page, entries in self._pages.items():
                self._pages[page] = [one for one in entries if not one[2]._cancelled]
                self._drop(len(entries) - len(self._pages[page]))
        self._page = heapq.heappop(self._numbers)
        self._open = self._pages.pop(self._page)
        heapq.heapify(self._open)

    def _drop(self, count):
        self._taken += count
        self.cancelled -= count
