"""The archive's SQLite connection, which can end the program or report a full disk at any statement
that writes.
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


_COLUMNS = 7  # of records: four that name one, event, time, and its frame
_FRAME = 6
_WRITES = ("BEGIN", "INSERT", "UPDATE", "DELETE", "COMMIT")


class Killed(BaseException):
    """The program has been killed. A BaseException, so that no handler of the program catches
    it.
    """


class DiskFull(sqlite3.OperationalError):
    """SQLite's error for a full disk, raised by the fault; any other OperationalError is a real
    one.
    """


class FaultyConnection(sqlite3.Connection):
    """The archive's connection as the program uses it."""

    def __init__(self, path: Path, laptop: Laptop):
        super().__init__(path, isolation_level=None)
        self._laptop, self.dead = laptop, False
        self._pending: list[Sequence[SqlValue]] = []  # records of the open transaction

    # the archive passes values by position only
    def execute(self, sql: str, values: Sequence[SqlValue] = (), /) -> Cursor:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Run a statement; raises Killed or DiskFull when the laptop's fault is due."""
        if self.dead:
            raise Killed  # it was killed in an inner call
        word = sql.split(None, 1)[0].upper()
        writes = word in _WRITES
        if writes:
            self._call(lambda: self._laptop.at_write(before=True))
        done = super().execute(sql, values)
        if sql.startswith("INSERT INTO records"):
            self._pending += _rows(values)
        elif word in ("COMMIT", "ROLLBACK"):
            committed = []
            if word == "COMMIT":
                committed = [row for row in self._pending if self._is_stored(row)]
            self._pending = []
            self._call(lambda: self._laptop.committed(dict(map(_place_and_frame, committed))))
        if writes:
            self._call(lambda: self._laptop.at_write(before=False))
        return done

    def _is_stored(self, row):
        """Return whether the row is in the archive: another one may have its place."""
        sql = "SELECT frame FROM records WHERE (device, generation, epoch, counter) = (?, ?, ?, ?)"
        return super().execute(sql, row[:4]).fetchone() == (row[_FRAME],)

    def _call(self, operation):
        """Call into the laptop, which may raise Killed: then nothing more is written."""
        try:
            operation()
        except Killed:
            self.dead = True
            raise


def _rows(values: Sequence[SqlValue]) -> list[Sequence[SqlValue]]:
    """Return the rows of one INSERT."""
    return [values[at : at + _COLUMNS] for at in range(0, len(values), _COLUMNS)]


def _place_and_frame(row: Sequence[SqlValue]) -> Placed:
    """Return the place and the frame of a row of ``records``."""
    device, generation, epoch, counter = (value for value in row[:4] if isinstance(value, int))
    frame = row[_FRAME]
    assert isinstance(frame, bytes)
    return (device, generation, epoch, counter), frame
