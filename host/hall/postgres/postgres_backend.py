"""The archive in a PostgreSQL database: one schema, one writer, fenced (``fence``).

``synchronous_commit`` is on: when a transaction has ended, its rows are on the server's disk.
"""

import contextlib
import os
import platform
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator

from host.archive import places, schema
from host.archive.backend import Backend, Condition, Lost, SqlRow, Undone
from host.archive.schema_check import Element
from host.base import plain_text
from host.base.errors import UserError
from host.base.sentences import Sentence
from host.hall.postgres import dialect, fence, rights, shape
from host.hall.postgres.activity import Activity
from host.hall.postgres.connection import SESSION, PostgresConnection
from host.hall.postgres.fence import Sight
from host.hall.postgres.reconnection import Reconnection

_KEYS = 4  # columns of a key, as many as the longest has


class PostgresBackend(Backend):
    """An open database. ``expected``: the schema that it must have, ``before``: a snapshot from
    before the schema was checked. ``epoch`` is the writer's, 0 for one that only reads.
    """

    typed = True

    def __init__(
        self,
        connection: PostgresConnection,
        expected: Counter[Element],
        before: str,
        epoch: int = 0,
    ):
        self.connection = self._db = connection
        self.epoch = epoch
        self._expected, self._others = expected, Activity(before)
        self._transaction, self._seen = "", 0
        self.reconnection = Reconnection(connection, self._resume)
        connection.run("LISTEN plusthree")
        if epoch:
            connection.come_back = self.reconnection.run

    def _resume(self):
        """Make a new session the writer's. Raises what ``open_archive`` does, and Fenced."""
        db = self._db
        _set_up(db)
        db.look_in(db.quoted)
        fence.resume(db, self.epoch)  # at once: a standby looks for it
        db.look_in()
        db.run("BEGIN")
        self._others = Activity(_snapshot(db))
        self._expected = shape.expected_schema(db)
        db.look_in(db.quoted)
        db.run(dialect.SESSION)
        db.run("COMMIT")
        db.run("LISTEN plusthree")
        db.notified += 1  # somebody may have written meanwhile

    def on_outage(self, listener: Callable[[Sentence, bool], None]) -> None:
        """Call ``listener(what has happened, whether it is over)`` when the server goes away and
        when it is back.
        """
        self.reconnection.listeners.append(listener)

    @property
    def version(self) -> int:
        """A number that changes when another connection or program has written."""
        self._db.read_notifications()
        return self._db.notified

    @property
    def activity(self) -> int:
        """A number that changes when another one may have written, as far as was looked."""
        return self._seen + self.version

    def poll_writers(self) -> None:
        """Check whether others may have written; in a transaction its beginning has done that."""
        if not self._db.in_transaction:
            self._note_activity(_snapshot(self._db))

    def _note_activity(self, snapshot: str):
        """Note whether others have ended transactions that were not all undone."""
        others = self._others.others(snapshot)
        if others:
            statuses = ", ".join(
                f"pg_catalog.pg_xact_status('{transaction}')" for transaction in others
            )
            all_undone = {*self._db.row(f"SELECT {statuses}")} == {"aborted"}
            self._seen += not all_undone

    @property
    def changes(self) -> int:
        """A number that rises with every change made through this connection."""
        return self._db.changes

    def begin(self) -> None:
        """Begin a transaction that may write. Raises Fenced for a writer whose time is over."""
        if not self.epoch:
            raise sqlite3.OperationalError("this program only reads the archive")
        self._transaction, before = fence.begin(self._db, self.epoch)
        self._others.own(self._transaction)
        try:
            self._note_activity(before)
        except BaseException:
            self._db.run("ROLLBACK")
            raise

    def commit(self) -> None:
        """End the transaction; when this returns, its rows are on the disk. Raises Undone.

        If the answer is lost, the server is asked whether it was committed; Lost if it cannot say.
        """
        try:
            self._db.run("COMMIT")
        except Undone:
            self._db.mend()
            committed = fence.was_committed(self._db, self._transaction)
            if committed is None:
                raise Lost(
                    Sentence(
                        "{place} went away and cannot say whether the last act was stored: start"
                        " plusthree serve again, which reads what is there",
                        place=self._db.shown,
                    )
                ) from None
            if not committed:
                raise

    @property
    def schema_fault(self) -> str | None:
        """How the schema or somebody's rights differ from what they were made, or None."""
        return shape.fault(self._db, self._expected) or rights.fault(self._db)

    def begin_reading(self) -> None:
        """Begin a transaction in which all reads see one snapshot."""
        self._db.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    def take_changes(self) -> list[SqlRow]:
        """Return the set-up rows that were changed, and forget them."""
        rows = self._db.run(dialect.TAKEN).fetchall()
        if rows:
            self._db.run(dialect.FORGOTTEN)
        changed: list[SqlRow] = []
        for sheet, key in rows:
            unused = [None] * (_KEYS - len(key))
            changed.append((sheet, *key, *unused))
        return changed

    def try_disk_space(self) -> None:
        """Write something large and remove it."""
        # rows, as the server would compress a long value
        self._db.run("CREATE TABLE room AS SELECT generate_series(1, 2048)")
        self._db.run("DROP TABLE room")

    def copy_to(self, path: str | os.PathLike[str]) -> None:
        """Fill the empty file at ``path`` with an SQLite archive of the same rows."""
        self.begin_reading()
        try:
            with contextlib.closing(sqlite3.connect(path)) as copy:
                copy.executescript(schema.statements())
                for table, columns in shape.tables(copy).items():
                    names = ", ".join(columns)
                    marks = ", ".join("?" * len(columns))
                    rows = self._db.run(f"SELECT {names} FROM {table}").fetchall()
                    copy.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)
                copy.commit()
        finally:
            self._db.run("ROLLBACK")

    @property
    def condition(self) -> Condition:
        """The state of the database, which the server looks after."""
        sql = "SELECT version, pg_database_size(current_database()), true FROM writer"
        return Condition(*self._db.row(sql))

    def beat(self) -> None:
        """Say that this writer lives. Raises Fenced where another one has taken over."""
        self._in_transaction(fence.beat)

    def shut_down(self) -> None:
        """Note that this writer ends because a person ended it: nobody need take over."""
        self._in_transaction(fence.end)

    def _in_transaction(self, act):
        """Run ``act``, which may run twice, in a transaction of its own; again if that was torn."""
        for is_last_try in (False, True):
            try:
                self.begin()
                act(self._db)
                return self.commit()
            except Undone:
                self._db.mend()
                if is_last_try:
                    raise

    def close(self) -> None:
        """Close the connection, and with it let go of the archive."""
        self._db.close()


def open_archive(address: str, after: int | None) -> PostgresBackend:
    """Open (or make) the archive at ``address`` and become its writer; ``after`` is ``claim``'s.

    Raises UserError if another program writes, or the database is not an archive of ours.
    """
    db = _connect(address)
    with _closing_on_error(db):
        db.run("BEGIN; SELECT pg_advisory_xact_lock(hashtext('plusthree opens'))")
        before = _snapshot(db)
        shape.make(db)
        expected = shape.expected_schema(db)
        db.look_in(db.quoted)
        epoch = fence.claim(db, plain_text.visible(platform.node())[:64] or "?", after)
        db.run(dialect.SESSION)
        db.run("COMMIT")
        return PostgresBackend(db, expected, before, epoch)


def open_view(address: str) -> PostgresBackend:
    """Open an archive for reading alone, beside its writer. Raises UserError if there is none."""
    db = _connect(address)
    with _closing_on_error(db):
        db.run("BEGIN")
        before = _snapshot(db)
        expected = shape.expected_schema(db)  # makes one to compare with, which is undone
        db.run("ROLLBACK")
        db.run("SET default_transaction_read_only = on")
        db.look_in(db.quoted)
        return PostgresBackend(db, expected, before)


class Watch:
    """A standby's look at the writer of the archive at ``address``. Raises UserError without it."""

    def __init__(self, address: str):
        self._db = _connect(address)
        self._db.look_in(self._db.quoted)

    def seen(self) -> Sight | None:
        """Return the state of the writer as others see it, None before there was one."""
        return fence.writer(self._db)

    def close(self) -> None:
        """End the look."""
        self._db.close()


def _connect(address: str) -> PostgresConnection:
    """Return a connection to a server that keeps what it has promised. Raises UserError."""
    places.local(address)  # it names a database
    db = PostgresConnection(address, places.display_name(address))
    with _closing_on_error(db):
        _set_up(db)
        shape.find(db)
    return db


def _snapshot(db: PostgresConnection) -> str:
    return db.row("SELECT pg_catalog.pg_current_snapshot()::text")[0]


@contextlib.contextmanager
def _closing_on_error(db: PostgresConnection) -> Iterator[None]:
    """Close ``db`` if the block fails; an error of the server becomes a UserError."""
    try:
        yield
    except BaseException as failure:
        db.close()
        if isinstance(failure, sqlite3.Error) and not isinstance(failure, UserError):
            raise UserError(
                "{db} cannot be used as an archive ({why}): its role must own the database"
                " (docs/hall.md)",
                db=db.shown,
                why=str(failure),
            ) from None
        raise


def _set_up(db: PostgresConnection) -> None:
    """Set up a session, on a server that keeps what it has promised. Raises UserError."""
    db.run(SESSION)
    for setting, value in (("fsync", "on"), ("server_encoding", "UTF8")):
        actual = db.row(f"SHOW {setting}")[0]
        if actual != value:
            raise UserError(
                "{db} has {setting} = {found}: an archive wants {value}", db=db.shown,
                setting=setting, found=actual, value=value,
            )  # fmt: skip
