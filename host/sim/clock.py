"""A virtual clock under asyncio: when nothing can run, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import gc
import heapq
import math
import traceback
from asyncio import Handle, TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import TypeVar, TypeVarTuple

AT_ONCE_S = 1e-9  # timers so close together are due at once
_FEW = 100  # cancelled timers are not worth looking for
TURNS = 100_000  # of the loop at one instant; a hall of 200 tables takes hundreds
_COLLECTED = 1_000_000, 50, 100  # thresholds of ``gc``
ResultT = TypeVar("ResultT")


class Timers:
    """The timers of an event loop, by time and then as they were set; times in seconds.

    Whoever cancels a timer that is here counts it in ``cancelled``. Nothing is due before
    ``soonest_s``.
    """

    def __init__(self):
        self._heap: list[tuple[float, int, TimerHandle]] = []  # time, how many were set before
        self._set = self.cancelled = 0
        self.soonest_s = math.inf

    def __len__(self) -> int:
        """Return how many are here, cancelled ones too."""
        return len(self._heap)

    def add(self, when_s: float, timer: TimerHandle) -> None:
        """Add a timer that is due at ``when_s``."""
        heapq.heappush(self._heap, (when_s, self._set, timer))
        self._set += 1
        if when_s < self.soonest_s:
            self.soonest_s = when_s

    def take_first(self, now_s: float, ready: deque[Handle]) -> float | None:
        """Append to ``ready`` the timers due first; return their time, None without a timer."""
        if self.cancelled > _FEW and 2 * self.cancelled > len(self._heap):
            self._heap = [entry for entry in self._heap if not entry[2]._cancelled]
            heapq.heapify(self._heap)
            self.cancelled = 0
        heap = self._heap
        while heap and heap[0][2]._cancelled:
            heapq.heappop(heap)
            self.cancelled -= 1
        if not heap:
            return None
        first_s = heap[0][0]
        self.take(max(first_s, now_s) + AT_ONCE_S, ready)
        return first_s

    def take(self, before_s: float, ready: deque[Handle]) -> None:
        """Append to ``ready`` the timers due before ``before_s``."""
        heap = self._heap
        while heap and heap[0][0] < before_s:
            timer = heapq.heappop(heap)[2]
            if timer._cancelled:
                self.cancelled -= 1
            else:
                timer._scheduled = False
                ready.append(timer)
        self.soonest_s = heap[0][0] if heap else math.inf


Args = TypeVarTuple("Args")


class Deadlock(RuntimeError):
    """Everything waits, and no timer is set."""


class Standstill(RuntimeError):
    """Something runs again and again without time passing."""


class _Call(asyncio.Handle):
    """A call of the next turn, made in one call; asyncio's takes five."""

    __slots__ = ()

    def __init__(self, callback, args, loop, context):
        self._loop, self._callback, self._args, self._context = loop, callback, args, context
        self._cancelled = False
        self._repr = self._source_traceback = None


class _Timer(asyncio.TimerHandle):
    """A timer made in one call, and cancelled in one; asyncio's take three."""

    __slots__ = ()

    _loop: VirtualLoop

    def __init__(self, when, callback, args, loop: VirtualLoop, context):
        self._loop, self._callback, self._args, self._context = loop, callback, args, context
        self._when, self._scheduled, self._cancelled = when, True, False
        self._repr = self._source_traceback = None

    def cancel(self) -> None:
        """Cancel the callback, as asyncio's does."""
        if not self._cancelled:
            self._cancelled = True
            self._callback, self._args = None, ()
            if self._scheduled:
                self._loop.timers.cancelled += 1


def _of_a_board(error: BaseException) -> bool:
    """Whether an exception came through the firmware, or is none that a program catches."""
    named = (
        frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)
    )
    return not isinstance(error, Exception) or any(name.startswith("firmware.") for name in named)


class VirtualLoop(asyncio.BaseEventLoop):
    """An asyncio event loop whose ``time()`` (``now_s``) starts at 0 s and jumps.

    A hall sets hundreds of timers for each of its tables and watches no files, so the loop has a
    turn of its own (``_run_once``): asyncio's compares timers in Python and asks a selector.
    """

    _ready: collections.deque[asyncio.Handle]  # asyncio's own, as the next
    _stopping: bool
    _closed: bool

    def __init__(self, sleep: Callable[[float], None] | None = None):
        super().__init__()
        self._sleep = sleep
        self.now_s = 0.0
        self.timers = Timers()
        self._turns = 0  # since time passed

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self.now_s

    def call_soon(
        self, callback: Callable[[*Args], object], *args: *Args, context: Context | None = None
    ) -> asyncio.Handle:
        """Call ``callback(*args)`` in the loop's next turn."""
        if self._closed:
            raise RuntimeError("Event loop is closed")
        handle = _Call(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call ``callback(*args)`` at ``when``, after all callbacks set earlier for the same
        time.
        """
        if self._closed:
            raise RuntimeError("Event loop is closed")
        timer = _Timer(when, callback, args, self, context)
        self.timers.add(when, timer)
        return timer

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """Call ``callback(*args)`` after ``delay`` seconds."""
        when = self.now_s + delay
        timer = _Timer(when, callback, args, self, context)
        self.timers.add(when, timer)
        return timer

    def _run_once(self):
        """Take turns until the loop is to stop; when nothing is ready, let time pass."""
        ready, timers = self._ready, self.timers
        while True:
            if not ready and not self._stopping:
                self._pass_time(ready)
            elif timers.soonest_s < self.now_s + AT_ONCE_S:
                timers.take(self.now_s + AT_ONCE_S, ready)
            self._turns += 1
            if self._turns > TURNS:
                self._turns = 0
                raise Standstill(f"{self.now_s:.1f} s: time stands still, the loop does not")
            for _ in range(len(ready)):
                handle = ready.popleft()
                if handle._cancelled:
                    continue
                context = handle._context
                try:
                    if context is None:
                        handle._callback(*handle._args)
                    else:
                        context.run(handle._callback, *handle._args)
                except BaseException as error:
                    self._tell_of(error, handle)
            if self._stopping:
                return

    def _tell_of(self, error, handle):
        """Report an exception of a callback, in asyncio's own words; an exit is raised on."""
        if isinstance(error, SystemExit | KeyboardInterrupt):
            raise error
        what = f"Exception in callback {handle._callback}"
        self.call_exception_handler({"message": what, "exception": error, "handle": handle})

    def _pass_time(self, ready):
        """Jump to the next timer."""
        due_s = self.timers.take_first(self.now_s, ready)
        if due_s is None:
            raise Deadlock("everything waits and nothing is due")
        if due_s <= self.now_s:
            return
        self._turns = 0
        if self._sleep is not None:
            self._sleep(due_s - self.now_s)
        self.now_s = due_s

    def call_exception_handler(self, context: dict[str, object]) -> None:
        """End the run with the exception of a board's program; asyncio would log it and go on."""
        error = context.get("exception")
        if "handle" in context and isinstance(error, BaseException) and _of_a_board(error):
            raise error
        super().call_exception_handler(context)

    def _write_to_self(self):
        """Do nothing: no sleep of this loop has to be interrupted."""


def run(
    main: Coroutine[None, None, ResultT], sleep: Callable[[float], None] | None = None
) -> ResultT:
    """Run the coroutine ``main`` to its end in virtual time and return its result."""
    with _few_collections(), asyncio.Runner(loop_factory=lambda: VirtualLoop(sleep)) as runner:
        return runner.run(main)


@contextlib.contextmanager
def _few_collections():
    """Collect cyclic garbage seldom: a hall makes next to none, and each full collection walks
    through all that its tables keep.
    """
    before = gc.get_threshold()
    gc.set_threshold(*_COLLECTED)
    try:
        yield
    finally:
        gc.set_threshold(*before)
