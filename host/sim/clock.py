"""A virtual clock under asyncio: when nothing can run, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import gc
import heapq
import traceback
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import TypeVar, TypeVarTuple

AT_ONCE_S = 1e-9  # timers so close together are due at once
TURNS = 100_000  # of the loop at one instant; a hall of 200 tables takes hundreds
_COLLECTED = 1_000_000, 50, 100  # thresholds of ``gc``
ResultT = TypeVar("ResultT")
Args = TypeVarTuple("Args")


class Deadlock(RuntimeError):
    """Everything waits, and no timer is set."""


class Standstill(RuntimeError):
    """Something runs again and again without time passing."""


class _Timer(asyncio.TimerHandle):
    __slots__ = ()

    def __init__(self, when, callback, args, loop, context):
        self._context = context or contextvars.copy_context()
        self._loop, self._callback, self._args, self._when = loop, callback, args, when
        self._cancelled = self._scheduled = False
        self._repr = self._source_traceback = None


def _of_a_board(error: BaseException) -> bool:
    """Whether an exception came through the firmware, or is none that a program catches."""
    named = (
        frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)
    )
    return not isinstance(error, Exception) or any(name.startswith("firmware.") for name in named)


class VirtualLoop(asyncio.BaseEventLoop):
    """An asyncio event loop whose ``time()`` (``now_s``) starts at 0 s and jumps."""

    _ready: deque[asyncio.Handle]  # asyncio's own
    _closed: bool
    _stopping: bool

    def __init__(self, sleep: Callable[[float], None] | None = None):
        super().__init__()
        self._sleep = sleep
        self.now_s = 0.0
        self._turns = 0  # of the loop since time passed
        # a heap, in which those set for the same time come as they were set
        self._scheduled: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._timers_set = 0

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self.now_s

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
        self._timers_set += 1
        heapq.heappush(self._scheduled, (when, self._timers_set, timer))
        return timer

    def _run_once(self):
        """Run what is ready as asyncio does; where nothing is, let time pass until the next timer.

        Raises Deadlock for no timer, Standstill where time has not passed for too long.
        """
        timers, ready = self._scheduled, self._ready
        while timers and timers[0][2].cancelled():
            heapq.heappop(timers)
        self._turns += 1
        if not ready and not self._stopping:
            if not timers:
                raise Deadlock("everything waits and nothing is due")
            if timers[0][0] > self.now_s:
                self._pass_time(timers[0][0])
        if self._turns > TURNS:
            self._turns = 0
            raise Standstill(f"{self.now_s:.1f} s: time stands still, the loop does not")
        end_s = self.now_s + AT_ONCE_S
        while timers and timers[0][0] < end_s:
            ready.append(heapq.heappop(timers)[2])
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:  # pyright: ignore[reportAttributeAccessIssue]  # asked most often
                handle._run()  # pyright: ignore[reportAttributeAccessIssue]

    def _pass_time(self, due_s):
        if self._sleep is not None:
            self._sleep(due_s - self.now_s)
        self.now_s, self._turns = due_s, 0

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
