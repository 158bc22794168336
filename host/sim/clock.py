"""A virtual clock under asyncio: when nothing can run, time jumps to the next timer."""

from __future__ import annotations

import asyncio
import heapq
import selectors
import traceback
from collections.abc import Callable, Coroutine
from contextvars import Context
from typing import TYPE_CHECKING, NoReturn, TypeVar, TypeVarTuple

TURNS = 100_000  # of the loop at one instant; a hall of 200 tables takes hundreds


if TYPE_CHECKING:
    from _typeshed import FileDescriptorLike

ResultT = TypeVar("ResultT")
Args = TypeVarTuple("Args")


class Deadlock(RuntimeError):
    """Everything waits, and no timer is set."""


class Standstill(RuntimeError):
    """Something runs again and again without time passing."""


class _Timer(asyncio.TimerHandle):
    """A timer that knows how many were set before it."""

    __slots__ = ("number",)
    number: int

    def __lt__(self, other: _Timer) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        if self._when == other._when:
            return self.number < other.number
        return self._when < other._when


class _Jump(selectors.BaseSelector):
    """Watches no files; to select is to let time pass."""

    def __init__(self, loop: VirtualLoop):
        self._loop, self._turns = loop, 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Let ``timeout`` seconds pass at once; raises Standstill when that is 0 too often."""
        if timeout is None:
            raise Deadlock("everything waits and nothing is due")
        self._turns += 1
        if timeout > 0:
            self._turns = 0
            self._loop.pass_time()
        elif self._turns > TURNS:
            self._turns = 0
            raise Standstill(f"{self._loop.time():.1f} s: time stands still, the loop does not")
        return []

    def register(self, fileobj: FileDescriptorLike, events: int, data: None = None) -> NoReturn:
        """Refuse: a file has no virtual time."""
        raise NotImplementedError("no files in virtual time")

    def unregister(self, fileobj: FileDescriptorLike) -> NoReturn:
        """Refuse, as ``register`` does."""
        raise NotImplementedError("no files in virtual time")

    def get_map(self):
        """Return what is watched: nothing."""
        return {}


def _of_a_board(error: BaseException) -> bool:
    """Whether an exception came through the firmware, or is none that a program catches."""
    named = (
        frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)
    )
    return not isinstance(error, Exception) or any(name.startswith("firmware.") for name in named)


class VirtualLoop(asyncio.BaseEventLoop):
    """An asyncio event loop whose ``time()`` starts at 0 s and jumps."""

    _scheduled: list[_Timer]  # asyncio's own, a heap

    def __init__(self, sleep: Callable[[float], None] | None = None):
        super().__init__()
        self._selector = _Jump(self)
        self._sleep = sleep
        self._now_s = 0.0
        self._timers = 0

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._now_s

    def pass_time(self) -> None:
        """Jump to the next timer."""
        due_s = self._scheduled[0]._when
        if self._sleep is not None:
            self._sleep(due_s - self._now_s)
        self._now_s = due_s

    def call_at(
        self,
        when: float,
        callback: Callable[[*Args], object],
        *args: *Args,
        context: Context | None = None,
    ) -> _Timer:
        """Call ``callback(*args)`` at ``when``, after all callbacks set earlier for the same
        time.
        """
        if self.is_closed():
            raise RuntimeError("Event loop is closed")
        timer = _Timer(when, callback, args, self, context)
        timer.number = self._timers
        self._timers += 1
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True
        return timer

    def call_exception_handler(self, context: dict[str, object]) -> None:
        """End the run with the exception of a board's program; asyncio would log it and go on."""
        error = context.get("exception")
        if "handle" in context and isinstance(error, BaseException) and _of_a_board(error):
            raise error
        super().call_exception_handler(context)

    def _process_events(self, event_list):
        """There are none."""

    def _write_to_self(self):
        """Nobody sleeps who would have to be woken."""


def run(
    main: Coroutine[None, None, ResultT], sleep: Callable[[float], None] | None = None
) -> ResultT:
    """Run the coroutine ``main`` to its end in virtual time and return its result."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(sleep)) as runner:
        return runner.run(main)
