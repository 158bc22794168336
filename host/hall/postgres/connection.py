"""A psycopg connection in the shape of sqlite3's, with its statements translated and its errors
named as sqlite3 names them.
"""

import contextlib
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg import errors, pq

from host.archive.backend import Lost, SqlRow, SqlValue, Undone, Unreachable
from host.base.sentences import Sentence
from host.hall.postgres.dialect import translate

# so that a server notices within seconds that a client is gone, and rolls its transaction back
_OPTIONS = {
    "connect_timeout": 5,
    "tcp_user_timeout": 5000,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "application_name": "plusthree",
    "client_encoding": "utf8",
}
# settings that a role or a server may set otherwise, and that change what a statement does
SESSION = (
    "SET synchronous_commit = on; SET standard_conforming_strings = on; SET lock_timeout = '8s';"
    " SET idle_in_transaction_session_timeout = '3s'; SET tcp_keepalives_idle = 2;"
    " SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3; SET tcp_user_timeout = 5000;"
    " SET statement_timeout = 0; SET default_transaction_isolation = 'read committed';"
    " SET default_transaction_read_only = off; SET default_transaction_deferrable = off;"
    " SET row_security = off; SET transform_null_equals = off; SET quote_all_identifiers = off;"
    " SET bytea_output = hex; SET check_function_bodies = on"
)
_NOWHERE = "SET search_path = pg_catalog, pg_temp"

# advice on a refusal, by a word in an English server's message; the first that matches counts
_ADVICE = (
    ("password", Sentence("put the role's password into ~/.pgpass")),
    ("pg_hba.conf", Sentence("let this PC in by a line in the server's pg_hba.conf")),
    ("role", Sentence("make that role, or name another one: postgresql://USER@HOST/NAME")),
    ("database", Sentence("make that database, or name another one: postgresql://USER@HOST/NAME")),
    ("URI query parameter", Sentence("leave that option out of the address")),
    ("percent-encoded", Sentence("write % in it as %25")),
)
_SEE = Sentence("see whether the server runs, and whether this PC can reach it")
_HARMLESS = "SELECT", "BEGIN", "SHOW", "LISTEN", "SET"  # they may run twice


class Failure(sqlite3.OperationalError):
    """The server refused a statement; ``sqlite_errorname`` is what SQLite would call it."""

    def __init__(self, message: str, name: str):
        super().__init__(message)
        self.sqlite_errorname = name


class Done:
    """The result of a statement, in the shape of sqlite3's cursor."""

    def __init__(self, cursor: psycopg.ClientCursor[Any], numbered: bool):
        self._cursor, self.rowcount = cursor, max(cursor.rowcount, 0)
        rows = cursor.fetchall() if numbered else []
        self.lastrowid: int | None = rows[-1][0] if rows else None

    def fetchone(self) -> SqlRow | None:
        """Return the next row, None after the last."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[SqlRow]:
        """Return the rows that are left."""
        return self._cursor.fetchall()


class PostgresConnection:
    """An open connection without transactions of its own. ``address`` is a URL, ``shown`` what to
    call it. ``come_back(why)`` reconnects after the connection was lost, or raises the exception
    that ends the program; without it the connection stays lost.

    A transaction during which the connection was lost is ``torn``: only its ROLLBACK still runs,
    and reconnects first. ``schema`` is the archive's, ``quoted`` the same as an SQL identifier and
    ``literal`` as an SQL string. Raises Unreachable where it cannot be opened.
    """

    schema = quoted = literal = ""
    come_back: Callable[[str], None] | None = None
    torn: str | None = None  # the driver's message

    def __init__(self, address: str, shown: str):
        self._address, self.shown = address, shown
        self.changes = 0
        self.notified = 0  # notifications of other connections
        self._path = _NOWHERE
        self._db = self._connect()

    def open(self) -> None:
        """Reconnect after the connection was lost."""
        self._db.close()
        self._db, self.torn = self._connect(), None

    def _connect(self):
        try:
            db = psycopg.connect(
                self._address, autocommit=True, cursor_factory=psycopg.ClientCursor, **_OPTIONS
            )
        except psycopg.Error as failure:
            message = _line(failure)
            raise Unreachable(
                Sentence(
                    "{place} cannot be opened ({why}): {advice} (docs/hall.md)",
                    place=self.shown,
                    why=message,
                    advice=_advice(message),
                )
            ) from None
        db.add_notify_handler(self._note)
        return db

    @property
    def server_version(self) -> int:
        """The server's version, 150018 for 15.18."""
        return self._db.info.server_version

    def _note(self, notice: psycopg.Notify):
        self.notified += notice.pid != self._db.info.backend_pid

    def read_notifications(self) -> None:
        """Read the notifications that the server has sent; this runs no statement."""
        server = self._db.pgconn
        with contextlib.suppress(psycopg.Error):  # connection lost: the next statement notices
            server.consume_input()
            while (notice := server.notifies()) is not None:
                self.notified += notice.be_pid != server.backend_pid

    def look_in(self, schema: str = "") -> None:
        """Set the search path of names to ``schema`` (SQL) and the server's own alone, whatever the
        settings of role and database say; without ``schema`` to the server's own.
        """
        self._path = f"SET search_path = {schema}, pg_temp" if schema else _NOWHERE
        self.run(self._path)

    def apart(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of PostgreSQL's own SELECT, in which no name is looked up in the
        archive's schema.
        """
        done = self.run(f"{_NOWHERE}; {sql}; {self._path}")
        done.nextset()  # past the SET
        return done.fetchall()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, or was torn."""
        return self.torn is not None or self._begun

    @property
    def _begun(self) -> bool:
        state = self._db.info.transaction_status
        return state in (pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)

    def execute(self, sql: str, values: Sequence[SqlValue] = (), /) -> Done:
        """Run one statement of the archive's. Raises Lost, Undone, and sqlite3's errors."""
        statement = translate(sql)
        done = Done(self.run(statement.sql, values), statement.numbered)
        if not sql.startswith("SELECT"):
            self.changes += done.rowcount
        return done

    def run(self, sql: str, values: Sequence[SqlValue] | None = None) -> psycopg.ClientCursor[Any]:
        """Run PostgreSQL's own SQL. Raises Lost, Undone, and sqlite3's errors."""
        if self.torn is not None:
            if sql != "ROLLBACK":
                raise self._undone(self.torn)
            self.mend()
        in_transaction = self._begun
        try:
            return self._run(sql, values)
        except psycopg.Error as failure:
            if not self._db.closed or self.come_back is None:
                raise self._sqlite_error(failure) from None
            why = _line(failure)
        # the connection was lost, and the statement may have been run
        if in_transaction:
            self.torn = why
            raise self._undone(why)
        self.come_back(why)
        if not sql.startswith(_HARMLESS):
            raise self._undone(why)
        return self.run(sql, values)

    def _run(self, sql, values):
        cursor = psycopg.ClientCursor(self._db)
        # the archive's own statements, never anything that somebody typed
        cursor.execute(sql, values)
        return cursor

    def mend(self) -> None:
        """Reconnect after a transaction was torn, which ends it."""
        if self.torn is not None and self.come_back is not None:
            why, self.torn = self.torn, None
            self.come_back(why)

    def _undone(self, why):
        return Undone(
            Sentence(
                "the connection to {place} was lost ({why}): nothing of this was done; do it again",
                place=self.shown,
                why=why,
            )
        )

    def row(self, sql: str, values: Sequence[SqlValue] | None = None) -> tuple[Any, ...]:
        """Return the one row of PostgreSQL's own SQL; raises LookupError where there is none."""
        row = self.run(sql, values).fetchone()
        if row is None:
            raise LookupError(f"no row: {sql}")
        return row

    def _sqlite_error(self, failure: psycopg.Error) -> Exception:
        """Return an error as sqlite3 would name it."""
        message = _line(failure)
        if self._db.closed:
            return Lost(
                Sentence(
                    "the connection to {place} was lost ({why}): what a board shows as sent is"
                    " there, the boards keep the rest; start plusthree serve again",
                    place=self.shown,
                    why=message,
                )
            )
        if isinstance(failure, psycopg.IntegrityError):
            return sqlite3.IntegrityError(message)
        if isinstance(failure, errors.ReadOnlySqlTransaction):
            return Failure(message, "SQLITE_READONLY")
        if isinstance(failure, errors.DiskFull):
            return Failure(message, "SQLITE_FULL")
        if isinstance(failure, psycopg.OperationalError):
            return Failure(message, "SQLITE_IOERR")
        return sqlite3.DatabaseError(message)

    def close(self) -> None:
        """Close it for good; the server undoes an open transaction."""
        self.come_back = None
        self.cut()

    def cut(self) -> None:
        """End the session."""
        self._db.close()


def _advice(message: str) -> Sentence:
    """Return the advice on a connection that was refused with this message."""
    return next((advice for word, advice in _ADVICE if word in message), _SEE)


def _line(failure: psycopg.Error) -> str:
    """Return the first line of a server's or a driver's message."""
    return next(iter(str(failure).strip().splitlines()), type(failure).__name__)
