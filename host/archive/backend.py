"""The database under an archive: SQLite's file, or PostgreSQL for a hall of several PCs.

Both raise sqlite3's exceptions, which are Python's own (PEP 249): OperationalError where nothing
can be written (``sqlite_errorname`` says why), IntegrityError for a row that the tables refuse.
"""

import os
import sqlite3
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from host.base.errors import UserError
from host.base.sentences import Sentence

BEAT_MS = 1000  # between two beats of a writer
SqlValue: TypeAlias = None | int | float | str | bytes
SqlRow: TypeAlias = tuple[SqlValue, ...]


class Condition(NamedTuple):
    """An archive's version, its size in bytes, and whether a quick look finds it sound."""

    version: int
    size: int
    sound: bool


class Cursor(Protocol):
    """The result of a statement."""

    @property
    def rowcount(self) -> int:
        """How many rows it changed."""
        ...

    @property
    def lastrowid(self) -> int | None:
        """The id of the row that it inserted, where the table has ids."""
        ...

    def fetchone(self) -> SqlRow | None:
        """Return the next row, None after the last."""
        ...

    def fetchall(self) -> list[SqlRow]:
        """Return the rows that are left."""
        ...


class Connection(Protocol):
    """An open connection without transactions of its own; sqlite3's is one.

    SQL is what SQLite and PostgreSQL have in common, with ``?`` for a value; the rest is
    ``host.hall``'s.
    """

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        ...

    def execute(self, sql: str, values: Sequence[SqlValue] = (), /) -> Cursor:
        """Run one statement."""
        ...

    def close(self) -> None:
        """Close it; an open transaction is undone."""
        ...


class Backend:
    """An archive's database, checked and open; the defaults here are a file's.

    ``typed``: the database itself refuses values of another type than the column's. ``upgraded``:
    it was of an older version before it was opened. ``epoch``: the writer's fencing epoch, 0 where
    nobody can take over.
    """

    typed = upgraded = False
    epoch = 0
    connection: Connection

    @property
    def version(self) -> int:
        """A number that changes when another connection or program has reported that it wrote."""
        raise NotImplementedError

    @property
    def activity(self) -> int:
        """A number that changes when another program may have written: with ``version``, and after
        a ``poll_writers`` that does not rule it out.
        """
        return self.version

    def poll_writers(self) -> None:
        """See whether others may have written; in a transaction, whether before it began.

        A file's ``version`` is of this moment anyway.
        """

    @property
    def changes(self) -> int:
        """A number that rises with every change made through this connection."""
        raise NotImplementedError

    def begin(self) -> None:
        """Begin a transaction that may write. Raises Fenced for a writer whose time is over."""
        raise NotImplementedError

    def commit(self) -> None:
        """End the transaction; when this returns, its rows are on the disk. Raises Undone."""
        raise NotImplementedError

    def on_outage(self, listener: Callable[[Sentence, bool], None]) -> None:
        """Call ``listener(what has happened, whether it is over)`` when the database goes away and
        when it is back. A file does not.
        """

    @property
    def schema_fault(self) -> str | None:
        """How the schema differs from what this program makes, or None."""
        raise NotImplementedError

    def begin_reading(self) -> None:
        """Begin a transaction in which all reads see one snapshot."""
        raise NotImplementedError

    def take_changes(self) -> list[SqlRow]:
        """Return ``(sheet, *key)`` of the set-up rows that were changed since the last call, in
        order, and forget them (``audited_tables``).
        """
        raise NotImplementedError

    def try_disk_space(self) -> None:
        """Write something large and remove it, in the caller's transaction."""
        raise NotImplementedError

    def copy_to(self, path: str | os.PathLike[str]) -> None:
        """Fill the empty file at ``path`` with a complete SQLite copy of the archive."""
        raise NotImplementedError

    @property
    def condition(self) -> Condition:
        """The state of the file or database that the archive is stored in."""
        raise NotImplementedError

    def beat(self) -> None:
        """Say that this writer lives, for a standby; a file has none. Raises Fenced."""

    def shut_down(self) -> None:
        """Note that this writer ends because a person ended it: no standby need take over."""

    def close(self) -> None:
        """Close the connection, and let another program have the archive."""
        raise NotImplementedError


class Unreachable(UserError):
    """The database does not answer."""


class Lost(UserError, sqlite3.OperationalError):
    """The connection to the database is gone for good: an open transaction is undone."""


class Undone(UserError, sqlite3.OperationalError):
    """The connection was lost in a transaction, of which nothing is stored; there is another
    connection by now.
    """


class Foreign(UserError, sqlite3.OperationalError):
    """Another program has made changes that the audit log does not name: none is trusted."""


class Fenced(UserError):
    """Another collector writes by now: this one has written nothing since, and must end."""
