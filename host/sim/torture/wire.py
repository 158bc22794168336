"""The archive's connection, in which the program may end or the disk be full at any statement that
writes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Cursor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.archive.database import SqlValue
    from host.sim.torture.types import Laptop, Placed


_WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "COMMIT")


class Killed(BaseException):
    """The program has ended between two instructions."""


class DiskFull(sqlite3.OperationalError):
    """What SQLite says when the disk is full: this one is ours, any other is the program's own."""


class Wire(sqlite3.Connection):
    """The archive's connection as the program sees it."""

    def __init__(self, path: Path, laptop: Laptop):
        super().__init__(path, isolation_level=None)
        self._laptop, self.dead = laptop, False
        self._pending: list[Sequence[SqlValue]] = []  # records of the open transaction

    # the archive gives values by place alone
    def execute(self, sql: str, values: Sequence[SqlValue] = (), /) -> Cursor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """As sqlite3's, unless the laptop's end or the disk's has come."""
        if self.dead:
            raise Killed  # it has ended further in
        word = sql.split(None, 1)[0].upper()
        writes = word in _WRITES
        if writes:
            self._risk(self._laptop.write, True)
        done = super().execute(sql, values)
        if sql.startswith("INSERT INTO records"):
            self._pending += [values] * done.rowcount
        elif word in ("COMMIT", "ROLLBACK"):
            kept, self._pending = self._pending if word == "COMMIT" else [], []
            self._risk(self._laptop.keeps, dict(map(_placed, kept)))
        if writes:
            self._risk(self._laptop.write, False)
        return done

    def _risk(self, told, *args):
        try:
            told(*args)
        except Killed:
            self.dead = True
            raise


def _placed(row: Sequence[SqlValue]) -> Placed:
    """Return where a row of ``records`` belongs, and its frame."""
    device, generation, epoch, counter = (one for one in row[:4] if isinstance(one, int))
    frame = row[6]
    assert isinstance(frame, bytes)
    return (device, generation, epoch, counter), frame
