"""An archive's database with nested transactions and rows of exact types."""

import contextlib
import itertools
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from host.archive.backend import Backend, SqlRow, SqlValue, Undone

RowT = TypeVar("RowT")
_TOGETHER = 100  # rows of a statement, so that older SQLite can bind them all


class Database:
    """An open ``backend``. ``writes``: it is the archive's one writer.

    ``before_commit`` runs at the end of each outermost transaction, as a part of it.
    """

    writes = True

    def __init__(self, backend: Backend):
        self.backend, self._db = backend, backend.connection
        self._rollback_listeners: list[Callable[[], None]] = []

    def on_rollback(self, listener: Callable[[], None]) -> None:
        """Call ``listener()`` after each transaction that is rolled back.

        A listener that cached rows of that transaction must read them again.
        """
        self._rollback_listeners.append(listener)

    def require_own(self) -> None:
        """Hook for subclasses, called first in every outermost transaction, and before a link is
        believed; does nothing here.
        """

    def before_commit(self) -> None:
        """Hook for subclasses, called in every outermost transaction; does nothing here."""

    def after_commit(self) -> None:
        """Hook for subclasses, called after every outermost transaction; does nothing here."""

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all or nothing; synced when the block ends. Nested blocks join the outer one."""
        if self._db.in_transaction:
            yield
            return
        self.backend.begin()
        try:
            self.require_own()
            yield
            self.before_commit()
            self.backend.commit()
        except BaseException:
            if self._db.in_transaction:  # on a full disk SQLite has already rolled back
                self._db.execute("ROLLBACK")
            for listener in self._rollback_listeners:
                listener()
            raise
        self.after_commit()

    def retry_once(self, act: Callable[[], RowT]) -> RowT:
        """Return ``act()``, which makes its own transaction; call it once more if the database went
        away meanwhile and is back.
        """
        inside = self._db.in_transaction
        try:
            return act()
        except Undone:
            if inside:
                raise
            return act()

    def has_disk_space(self) -> bool:
        """Say whether the file can be written and may grow: by a commit that leaves nothing new."""
        try:
            self.backend.begin()
            self.backend.try_disk_space()
            self.backend.commit()
        except sqlite3.OperationalError:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
            return False
        return True

    def query(self, sql: str, *values: SqlValue) -> list[SqlRow]:
        """Return all rows of a SELECT."""
        return self._db.execute(sql, values).fetchall()

    def select(self, make: Callable[..., RowT], sql: str, *values: SqlValue) -> list[RowT]:
        """Return ``make(*row)`` of each row of a SELECT; the columns' types are the schema's."""
        return [make(*row) for row in self._db.execute(sql, values).fetchall()]

    def number(self, sql: str, *values: SqlValue) -> int:
        """Return the one whole number that a SELECT yields; raises LookupError where it yields
        none.
        """
        row = self._db.execute(sql, values).fetchone()
        if row is None or not isinstance(row[0], int):
            raise LookupError(f"no number: {sql}")
        return row[0]

    def write(self, sql: str, *values: SqlValue) -> tuple[int, int]:
        """Run one changing statement; return ``(rows changed, last row id)``."""
        done = self._db.execute(sql, values)
        return done.rowcount, done.lastrowid or 0

    def insert_new(self, into: str, rows: Sequence[Sequence[SqlValue]], key: str) -> list[SqlRow]:
        """Insert ``rows`` of equal length, but not those whose place is taken; return each one's
        ``key``.

        ``into`` is a table with its columns in parentheses.
        """
        done: list[SqlRow] = []
        for start in range(0, len(rows), _TOGETHER):
            batch = rows[start : start + _TOGETHER]
            row_marks = f"({', '.join('?' * len(batch[0]))})"
            all_marks = ", ".join([row_marks] * len(batch))
            sql = f"INSERT INTO {into} VALUES {all_marks} ON CONFLICT DO NOTHING RETURNING {key}"
            done += self.query(sql, *itertools.chain.from_iterable(batch))
        return done

    @property
    def version(self) -> int:
        """A number that changes when another connection or program has written."""
        return self.backend.version

    @property
    def changes(self) -> int:
        """A number that rises with every change made through this connection."""
        return self.backend.changes
