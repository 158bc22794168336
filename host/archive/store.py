"""The archive: one SQLite file that neither loses nor duplicates records when power fails.

WAL with synchronous=FULL: when ``commit`` returns, the records are on the disk. There is one
writer; a second one is refused before it opens the file (docs/architecture.md, Acknowledge).
"""

import contextlib
import os
import pathlib
import sqlite3
from collections.abc import Callable, Collection, Sequence
from typing import Protocol, Self, TypeAlias

import filelock

from firmware.core import frames
from host.archive import audited_tables, chain_head, schema, schema_check, table_shapes
from host.archive.audit_log import QUARANTINED, RECORDS, AuditLog
from host.archive.database import Database
from host.archive.notices import Notices
from host.archive.orders import Orders
from host.archive.records import COLUMNS, ArchivedRecord, BoardKey, Position, stored
from host.archive.roster import Roster
from host.base import disk_errors
from host.base.errors import UserError

ADDED, KNOWN, CONFLICT = "added", "known", "conflict"
_RESERVE = 64
_RECORDS, _QUARANTINE = f"records ({COLUMNS})", f"quarantine ({COLUMNS})"
MOST_QUARANTINED = 64  # records of a board under one key; whoever has it must not fill the disk
Connect: TypeAlias = Callable[[pathlib.Path], sqlite3.Connection]


class _Lock(Protocol):
    def release(self) -> None: ...


class Archive(Database):
    """Open (or make) the archive at ``path`` and hold it until ``close``.

    ``roster``: boards, events, rounds, pairings. ``orders``: the desk's orders. ``notices``: what
    holds for a whole event. ``audit_log``: the log of everything stored. ``connect(path)`` makes
    the connection; the default is sqlite3's own. ``odd``: open one with rows that this program
    never writes, too. Raises UserError if another program has the
    archive open, or the file is damaged or not an archive of ours.
    """

    def __init__(
        self, path: str | os.PathLike[str], connect: Connect | None = None, odd: bool = False
    ):
        path = pathlib.Path(path)
        lock = _locked(path)
        try:
            self._open(path, lock, *_opened(path, connect or _connect))
            if not odd:
                self._refuse_odd()
            self.audit_log.take_up()
        except BaseException:
            lock.release()
            raise

    def _open(
        self,
        path: pathlib.Path,
        lock: _Lock,
        connection: sqlite3.Connection,
        upgraded: bool = False,
    ) -> None:
        Database.__init__(self, connection)
        self.path, self._lock = path, lock
        self.roster = Roster(self)
        self.audit_log = AuditLog(self, path, self.roster, upgraded)
        self.orders = Orders(self, self.roster)
        self.notices = Notices(self, self.roster, self.audit_log)

    def _refuse_odd(self) -> None:
        """Raise UserError for rows that this program never writes; nothing else reads them."""
        try:
            table_shapes.refuse_odd(self, self.path)
        except BaseException:
            self._db.close()
            raise

    def close(self) -> None:
        """Close the file and release the lock; keep the end of the audit log beside the key."""
        try:
            with contextlib.suppress(sqlite3.Error):
                self.audit_log.keep_head()
        finally:
            self._db.close()
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def before_commit(self) -> None:
        """Write the changed set-up rows to the audit log."""
        self.audit_log.set_up()

    def after_commit(self) -> None:
        """Keep the end of the audit log beside the key, now and then."""
        self.audit_log.committed()

    def commit(self, records: Sequence[ArchivedRecord]) -> list[str]:
        """Store records and settle the orders they answer; return each one's result, in order.

        Results are ``ADDED``, ``KNOWN`` (the same bytes are stored already) or ``CONFLICT``:
        another record has that id, so this one is quarantined, if it is one of its board's first
        ``MOST_QUARANTINED``, and must never be acknowledged.
        """
        if not records:
            return []
        with self.transaction():
            self.audit_log.prepare()
            quarantined: list[ArchivedRecord] = []
            fates = self._add_all(records, quarantined)
            added = [one for one, fate in zip(records, fates, strict=True) if fate == ADDED]
            self.audit_log.records(RECORDS, added)
            self.audit_log.records(QUARANTINED, quarantined)
            self.orders.settle(added)
        return fates

    def _add_all(
        self, records: Sequence[ArchivedRecord], quarantined: list[ArchivedRecord]
    ) -> list[str]:
        """Store records at once, as they are new but for a few; else one by one.

        Those that go into quarantine are added to ``quarantined``.
        """
        several = len(records) > 1  # seldom
        if several:
            self.write("SAVEPOINT together")
        if self.insert_new(_RECORDS, [one.row for one in records]) == len(records):
            fates = [ADDED] * len(records)
        else:
            if several:
                self.write("ROLLBACK TO together")
            fates = [self._add(record, quarantined) for record in records]
        if several:
            self.write("RELEASE together")
        return fates

    def _add(self, record: ArchivedRecord, quarantined: list[ArchivedRecord]) -> str:
        if self.insert_new(_RECORDS, [record.row]):
            return ADDED
        where = "device = ? AND generation = ? AND epoch = ? AND counter = ?"
        held = self.query(f"SELECT frame FROM records WHERE {where}", *record.id)[0][0]
        if held == record.frame:
            return KNOWN
        sql_held = "SELECT count(*) FROM quarantine WHERE device = ? AND generation = ?"
        if self.select(int, sql_held, *record.board)[0] < MOST_QUARANTINED:
            if self.insert_new(_QUARANTINE, [record.row]):
                quarantined.append(record)
        return CONFLICT

    def records(
        self, event: int | None = None, kinds: Collection[int] = ()
    ) -> list[ArchivedRecord]:
        """Return records, of one event or of some kinds if given, by board, epoch and counter."""
        where = "TRUE" if event is None else f"event = {int(event)}"
        if kinds:  # few of a day's records are needed: make no objects of the others
            where += f" AND {_of_kinds(kinds)}"
        return stored(self, f"{where} ORDER BY device, generation, epoch, counter")

    def records_between(
        self, board: BoardKey, start: Position, end: Position | None, kinds: Collection[int]
    ) -> list[ArchivedRecord]:
        """Return a board's records of some kinds from ``start`` to before ``end`` (None: to the
        last), in the order of its journal.
        """
        where = "device = ? AND generation = ? AND (epoch, counter) >= (?, ?)"
        if end is not None:
            where += " AND (epoch, counter) < (?, ?)"
        order = "ORDER BY epoch, counter"
        where += f" AND {_of_kinds(kinds)} {order}"
        return stored(self, where, *board, *start, *(end or ()))

    def records_of(self, device: int, generation: int) -> list[ArchivedRecord]:
        """Return every record of one board, by epoch and counter."""
        where = "device = ? AND generation = ? ORDER BY epoch, counter"
        return stored(self, where, device, generation)

    @property
    def quarantined(self) -> list[ArchivedRecord]:
        """The records that contradict an archived one, oldest first."""
        return stored(self, "TRUE ORDER BY id", table="quarantine")

    def reserve(self, device: int, generation: int, epoch: int) -> tuple[int, int]:
        """Reserve down counters; return ``(first, below)``, a range never used and never returned
        again.
        """
        place = (device, generation, epoch)
        where = "device = ? AND generation = ? AND epoch = ?"
        with self.transaction():
            used = self.select(int, f"SELECT below FROM reserved WHERE {where}", *place)
            first = max(used[0] if used else 1, self.floor)
            below = min(first + _RESERVE, 65536)
            self.write("INSERT OR REPLACE INTO reserved VALUES (?, ?, ?, ?)", *place, below)
        return first, below

    @property
    def floor(self) -> int:
        """The lowest down counter that no lost host can have used: see ``restore``."""
        return self.number("SELECT coalesce(max(floor), 1) FROM restores")

    @property
    def uncertain_order(self) -> int:
        """The id of the newest order that a lost host may have sent or settled, or 0."""
        return self.number("SELECT coalesce(max(last_order), 0) FROM restores")

    def copy_to(self, path: str | os.PathLike[str]) -> None:
        """Write a complete copy of the archive to one file, while this one stays in use."""
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))  # names are in it
        with contextlib.closing(sqlite3.connect(path)) as copy:
            self._db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")

    @property
    def latest_ms(self) -> int:
        """The latest event time in ms at which a host of this event is known to have run."""
        event = self.roster.event
        if event is None:
            return 0
        sql = (
            "SELECT max(coalesce((SELECT max(received_ms) FROM records WHERE event = ?1), 0),"
            " coalesce((SELECT max(asked_ms) FROM commands WHERE event = ?1), 0))"
        )
        return self.number(sql, event.number)


def _of_kinds(kinds: Collection[int]) -> str:
    """Return the SQL condition on a record's kind."""
    heads = ", ".join(f"X'{frames.VERSION << 6 | kind:02X}'" for kind in sorted(kinds))
    return f"substr(frame, 1, 1) IN ({heads})"


def _locked(path: pathlib.Path) -> filelock.BaseFileLock:
    """Take the archive's lock; raise UserError if another program has it."""
    if not path.parent.is_dir():
        raise UserError(f"there is no folder {path.parent} for the archive")
    lock = filelock.FileLock(f"{path}.lock")
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout:
        raise UserError(
            f"{path} is in use by another plusthree; close that one first (one writer at a time)"
        ) from None
    except OSError as failure:
        raise UserError(f"{path} cannot be locked: {failure.strerror or failure}") from None
    return lock


def _connect(path: pathlib.Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, check_same_thread=True)


def _opened(path: pathlib.Path, connect: Connect) -> tuple[sqlite3.Connection, bool]:
    """Return a connection to a checked archive, and whether it was of an older version."""
    fresh = not path.exists() or path.stat().st_size == 0
    if fresh:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        chain_head.forget(chain_head.beside(path))
    try:
        with contextlib.ExitStack() as undone:
            db = undone.enter_context(contextlib.closing(connect(path)))
            version = _version(db, path)
            _check(db, path)
            _prepare(db, version)
            undone.pop_all()
    except sqlite3.DatabaseError as failure:
        raise UserError(
            f"{path} cannot be used as an archive: {disk_errors.sentence(failure) or failure}"
        ) from None
    return db, 0 < version < schema.VERSION


def _check(db: sqlite3.Connection, path: pathlib.Path) -> None:
    """Raise UserError for a damaged file, which must not be written to."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check(3)").fetchall()]
    if found != ["ok"]:
        raise UserError(
            f"{path} is damaged ({found[0]}); keep it, and bring the newest copy back with: "
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
