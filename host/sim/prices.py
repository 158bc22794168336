"""How long a board's operations take: ``prices.toml``, and files of measurements on real boards.

A file may contain any of the prices; one with ``board = "lilygo"`` applies to that model only.
"""

from __future__ import annotations

import pathlib
import tomllib
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from host.base.errors import UserError

OURS = pathlib.Path(__file__).with_name("prices.toml")
BASES = ("measured", "source", "datasheet", "derived", "guess")
MOST = 10**9


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
        return {name: price.value for name, price in self.told(model).items()}

    def told(self, model: str) -> dict[str, Price]:
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


def arguments(parser: ArgumentParser) -> None:
    """Add the option for price files to a command."""
    told = "what a board's work costs, as plusthree board bringup --out measured it"
    parser.add_argument("--prices", action="append", default=[], metavar="FILE", help=told)


def _read(path: Path) -> Book:
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise UserError(f"{path} is not TOML: {error}") from error
    board = told.pop("board", None)
    told.pop("soak", None)  # no price, but sent back in the same file (board bringup --soak)
    if board is not None and not isinstance(board, str):
        raise UserError(f"{path}: board is the name of a model")
    return Book({name: _row(f"{path}: {name}", row, board) for name, row in told.items()})


def _row(
    where: str, row: dict[str, dict[str, int] | int | str], board: str | None
) -> dict[str | None, Price]:
    wanted = isinstance(row, dict) and {"value", "basis", "source"} <= row.keys()
    if not wanted or row["basis"] not in BASES or not isinstance(row["source"], str):
        raise UserError(f"{where} needs value, basis ({', '.join(BASES)}) and source")
    values = row.get("on", {})
    if not isinstance(values, dict):
        raise UserError(f"{where}: on is a table of models")
    values = {board: row["value"], **values}
    for value in values.values():
        if type(value) is not int or not 0 <= value <= MOST:
            raise UserError(f"{where}: a price is a whole number from 0 on")
    return {model: Price(value, row["basis"], row["source"]) for model, value in values.items()}
