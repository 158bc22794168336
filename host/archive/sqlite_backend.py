"""The archive in one SQLite file, which neither loses nor duplicates rows when power fails.

WAL with synchronous=FULL: when a transaction has ended, its rows are on the disk. There is one
writer; a second one is refused before it opens the file (docs/architecture.md, Acknowledge).
"""

import contextlib
import errno
import os
import pathlib
import sqlite3
from collections.abc import Callable
from typing import TypeAlias

from host.archive import audited_tables, schema, schema_check
from host.archive.backend import Backend, Condition, SqlRow
from host.base import errors
from host.base.errors import UserError
from host.base.hold import Hold

_UNWRITABLE = errno.EROFS, errno.EACCES, errno.EPERM
_PARTS = ("", "-wal", "-shm", "-journal", ".lock", ".lock.by")
Connect: TypeAlias = Callable[[pathlib.Path], sqlite3.Connection]


class SqliteBackend(Backend):
    """An open file in autocommit mode (``isolation_level=None``), with the lock that guards it."""

    def __init__(
        self, connection: sqlite3.Connection, lock: Hold | None = None, upgraded: bool = False
    ):
        self.connection = self._db = connection
        self._lock, self.upgraded = lock, upgraded

    @property
    def version(self) -> int:
        """A number that changes when another connection or program has written to the file."""
        return self._db.execute("PRAGMA data_version").fetchone()[0]

    @property
    def changes(self) -> int:
        """A number that rises with every change made through this connection."""
        return self._db.total_changes

    def begin(self) -> None:
        """Begin a transaction that may write."""
        self._db.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """End the transaction; when this returns, its rows are on the disk."""
        self._db.execute("COMMIT")

    @property
    def schema_fault(self) -> str | None:
        """How the schema differs from what this program makes, or None."""
        return schema_check.difference(self._db, schema.VERSION)

    def begin_reading(self) -> None:
        """Begin a transaction in which all reads see one snapshot."""
        self._db.execute("BEGIN")

    def take_changes(self) -> list[SqlRow]:
        """Return the set-up rows that were changed, and forget them."""
        rows = self._db.execute("SELECT * FROM touched").fetchall()
        if rows:
            self._db.execute("DELETE FROM touched")
        return rows

    def try_disk_space(self) -> None:
        """Write something large and remove it."""
        self._db.execute("CREATE TABLE room (bytes BLOB)")
        self._db.execute("INSERT INTO room VALUES (zeroblob(65536))")
        self._db.execute("DROP TABLE room")

    def copy_to(self, path: str | os.PathLike[str]) -> None:
        """Fill the empty file at ``path`` with a complete copy of the archive."""
        with contextlib.closing(sqlite3.connect(path)) as copy:
            self._db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")

    @property
    def condition(self) -> Condition:
        """The state of the file, and the size of its pages."""
        version, pages, size, sound = (
            self._db.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("user_version", "page_count", "page_size", "quick_check")
        )
        return Condition(version, pages * size, sound == "ok")

    def close(self) -> None:
        """Close the file and release the lock."""
        try:
            self._db.close()
        finally:
            if self._lock:
                self._lock.release()


def open_archive(path: pathlib.Path, connect: Connect | None = None) -> SqliteBackend:
    """Open (or make) the archive at ``path``, and hold it until it is closed.

    ``connect(path)`` makes the connection; the default is sqlite3's own. Raises UserError if
    another program has it open, or the file is damaged or not an archive of ours.
    """
    require_regular_files(path)
    lock = _lock(path)
    try:
        connection, upgraded = _checked_connection(path, connect or _connect)
    except BaseException:
        lock.release()
        raise
    return SqliteBackend(connection, lock, upgraded)


def require_regular_files(path: pathlib.Path) -> None:
    """Raise UserError if an archive, or a file read beside it, is a pipe or a device, which would
    block.
    """
    for part in _PARTS:
        file = pathlib.Path(f"{path}{part}")
        if file.exists() and not file.is_file() and not file.is_dir():
            raise UserError(f"{file} is no file: take it away, and see how it came there")


def _lock(path: pathlib.Path) -> Hold:
    """Take the archive's lock; raise UserError if another program has it."""
    if not path.parent.is_dir():
        raise UserError(f"there is no folder {path.parent} for the archive")
    lock = Hold(f"{path}.lock")
    try:
        holder = lock.take()
    except OSError as failure:
        refusal = f"{path} cannot be locked: {failure.strerror or failure}"
        if failure.errno in _UNWRITABLE:
            refusal += "; copy it, and what lies beside it, to a folder that can be written"
        raise UserError(refusal) from None
    if holder:
        raise UserError(
            f"{path} is in use by {holder}; close that one first (one writer at a time)"
        )
    return lock


def _connect(path: pathlib.Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=True)


def _checked_connection(path: pathlib.Path, connect: Connect) -> tuple[sqlite3.Connection, bool]:
    """Return a connection to a checked archive, and whether it was of an older version."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    try:
        with contextlib.ExitStack() as undone:
            db = undone.enter_context(contextlib.closing(connect(path)))
            version = _version(db, path)
            _check(db, path)
            _prepare(db, version)
            undone.pop_all()
    except sqlite3.DatabaseError as failure:
        raise UserError(
            f"{path} cannot be used as an archive: {errors.disk_sentence(failure) or failure}"
        ) from None
    return db, 0 < version < schema.VERSION


def _check(db: sqlite3.Connection, path: pathlib.Path) -> None:
    """Raise UserError for a damaged file, which must not be written to."""
    report = [row[0] for row in db.execute("PRAGMA integrity_check(3)").fetchall()]
    if report != ["ok"]:
        raise UserError(
            f"{path} is damaged ({report[0]}); keep it, and bring the newest copy back with: "
            "plusthree restore"
        )


def _version(db: sqlite3.Connection, path: pathlib.Path) -> int:
    """Return an archive's version, 0 for an empty file.

    Raises UserError for a file that is none of ours, or has more or less in its schema.
    """
    version = db.execute("PRAGMA user_version").fetchone()[0]
    empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if version == 0 and empty:
        return 0
    if version != schema.VERSION and not schema.upgrade(version):
        raise UserError(f"{path} is not an archive of this plusthree (it says version {version})")
    wrong = schema_check.difference(db, version)
    if wrong:
        raise UserError(
            f"{path} was changed by another program: {wrong}; keep it, and bring the newest copy "
            "back with: plusthree restore"
        )
    return version


def _prepare(db: sqlite3.Connection, version: int) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA recursive_triggers = ON")  # so that REPLACE cannot bypass the triggers
    if version == 0:
        db.executescript(schema.statements())
    elif version != schema.VERSION:
        db.executescript(schema.upgrade(version) or "")
    db.executescript(audited_tables.change_triggers())
