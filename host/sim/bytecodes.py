"""Counts the bytecodes that a program runs here, to estimate what a board would run."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.types import PickFrame, Spend


ALIKE = (12, 7)  # bytecodes of CircuitPython for so many of CPython's: a loop that adds


def ns(price_ns: int) -> int:
    """Return the ns that one CPython bytecode takes on a board, given the price of a board's own
    bytecode.
    """
    return price_ns * ALIKE[0] // ALIKE[1]


def alike(counted: int) -> int:
    """Return how many of its own bytecodes a board runs for ``counted`` of CPython's."""
    return counted * ALIKE[0] // ALIKE[1]


def us(counted: int, price_ns: int) -> int:
    """Return the us that ``counted`` CPython bytecodes take on a board, given the price of one of
    its own.
    """
    return alike(counted) * price_ns // 1000


class Meter:
    """Call it once per bytecode; it passes the time to ``spend(us)``, 500 bytecodes at once."""

    TOGETHER = 500

    def __init__(self, spend: Spend, price_ns: int):
        self._spend, self._us, self._ran = spend, us(self.TOGETHER, price_ns), 0

    def __call__(self):
        """Take one into account."""
        self._ran += 1
        if self._ran == self.TOGETHER:
            self._ran = 0
            self._spend(self._us)


@contextlib.contextmanager
def counted(picked: PickFrame, ran: Callable[[], None]) -> Iterator[None]:
    """Call ``ran()`` for every bytecode of the frames for which ``picked(frame)`` is true."""

    def traced(frame, event, argument):
        if event == "opcode":
            ran()
        elif event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = picked(frame), False
            return traced if frame.f_trace_opcodes else None
        return traced

    before = sys.gettrace()
    sys.settrace(traced)
    try:
        yield
    finally:
        sys.settrace(before)


@contextlib.contextmanager
def uncounted() -> Iterator[None]:
    """Count nothing in this block, as where the program that is counted stands still."""
    before = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(before)
