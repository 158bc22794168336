"""How long a board's operations take: ``prices.toml``, and files of measurements on real boards.

A file may contain any of the prices; one with ``board = "lilygo"`` applies to that model only. The
bytecodes that a program runs here are counted to estimate what a board would run.
"""

from __future__ import annotations

import contextlib
import pathlib
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from host.base.errors import UserError

if TYPE_CHECKING:
    from host.sim.types import PickFrame, Spend

OURS = pathlib.Path(__file__).with_name("prices.toml")
BASES = ("measured", "source", "datasheet", "derived", "guess")
MOST = 10**9
ALIKE = (12, 7)  # bytecodes of CircuitPython for so many of CPython's: a loop that adds


@dataclass(frozen=True)
class Price:
    """One figure: ``value`` in the unit at the end of its name, with its basis and source."""

    value: int
    basis: str
    source: str


class Book:
    """Prices by name and model: ``rows`` is ``{name: {model, or None for all others: Price}}``."""

    def __init__(self, rows: dict[str, dict[str | None, Price]]):
        self._rows = rows

    def on(self, model: str) -> dict[str, int]:
        """Return ``{name: value}`` for one model."""
        return {name: price.value for name, price in self.prices_of(model).items()}

    def prices_of(self, model: str) -> dict[str, Price]:
        """Return ``{name: Price}`` for one model."""
        return {
            name: row.get(model) or row[None]
            for name, row in self._rows.items()
            if row.keys() & {model, None}
        }

    def replaced(self, other: Book) -> Book:
        """Return a new Book in which the prices of ``other`` replace these."""
        rows = dict(self._rows)
        for name, row in other._rows.items():
            rows[name] = row if None in row else rows.get(name, {}) | row
        return Book(rows)


def load(paths: Iterable[str | Path] = ()) -> Book:
    """Return the Book of ``prices.toml`` with the prices of the files at ``paths`` in their place.

    UserError: one of them is not a price file.
    """
    book = _read(OURS)
    for path in paths:
        other = _read(pathlib.Path(path))
        unknown = sorted(other._rows.keys() - book._rows.keys())
        if unknown:
            raise UserError(f"{path}: there is no price called {unknown[0]}")
        book = book.replaced(other)
    return book


def add_arguments(parser: ArgumentParser) -> None:
    """Add the option for price files to a command."""
    about = "what a board's work costs, as plusthree board bringup --out measured it"
    parser.add_argument("--prices", action="append", default=[], metavar="FILE", help=about)


def _read(path: Path) -> Book:
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not TOML: {error}") from error
    board = rows.pop("board", None)
    rows.pop("soak", None)  # no price, but sent back in the same file (board bringup --soak)
    if board is not None and not isinstance(board, str):
        raise UserError(f"{path}: board is the name of a model")
    return Book({name: _row(f"{path}: {name}", row, board) for name, row in rows.items()})


def _row(
    where: str, row: dict[str, dict[str, int] | int | str], board: str | None
) -> dict[str | None, Price]:
    """Return a row's Price by model: under ``board`` (None: all others) its ``value``, and those in
    ``on``. Raises UserError.
    """
    complete = isinstance(row, dict) and {"value", "basis", "source"} <= row.keys()
    if not complete or row["basis"] not in BASES or not isinstance(row["source"], str):
        raise UserError(f"{where} needs value, basis ({', '.join(BASES)}) and source")
    values = row.get("on", {})
    if not isinstance(values, dict):
        raise UserError(f"{where}: on is a table of models")
    values = {board: row["value"], **values}
    for value in values.values():
        if type(value) is not int or not 0 <= value <= MOST:
            raise UserError(f"{where}: a price is a whole number from 0 on")
    return {model: Price(value, row["basis"], row["source"]) for model, value in values.items()}


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

    def trace(frame, event, argument):
        if event == "opcode":
            ran()
        elif event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = picked(frame), False
            return trace if frame.f_trace_opcodes else None
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
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
