"""The archive: one SQLite file that loses nothing and doubles nothing, whoever pulls the plug.

WAL with synchronous=FULL: when ``commit`` returns, the records are on the disk. There is one
writer: a second one is refused before it opens the file (docs/architecture.md, Acknowledge).
"""

import contextlib
import os
import pathlib
import sqlite3
from dataclasses import dataclass

import filelock

from firmware.core import frames
from host.archive import audit_log, audited_tables, schema
from host.archive.notices import Notices
from host.archive.orders import Orders
from host.archive.roster import Roster
from host.base import disk_errors
from host.base.errors import UserError

ADDED, KNOWN, CONFLICT = "added", "known", "conflict"
_RESERVE = 64
_RECORD = "device, generation, epoch, counter, event, received_ms, frame"


@dataclass(frozen=True, slots=True)
class Entry:
    """One journal record as it was verified: whose, under which event's key, and when."""

    device: int
    generation: int
    epoch: int
    counter: int
    event: int
    received_ms: int
    frame: bytes

    @classmethod
    def of(cls, verified, now_ms):
        """Return the Entry of a Verified record that came at ``now_ms``."""
        place = verified.device, verified.generation, verified.epoch, verified.counter
        return cls(*place, verified.event, now_ms, verified.frame)

    @property
    def place(self):
        """``(device, generation, epoch, counter)``: what a record can be only once."""
        return self.device, self.generation, self.epoch, self.counter


class Archive:
    """Open (or make) the archive at ``path`` and hold it until ``close``.

    ``roster``: boards, events, rounds, pairings. ``orders``: what the desk has asked.
    ``notices``: what holds for a whole event. ``audit_log``: what was stored. Raises
    UserError when another program holds it, or the file is damaged or not an archive of ours.
    ``connect(path)`` makes the connection, sqlite3's own when left out.
    """

    def __init__(self, path, connect=None):
        self.path = pathlib.Path(path)
        self._rollback_listeners = []
        self._lock = _locked(self.path)
        try:
            self._db = _opened(self.path, connect or _connect)
        except BaseException:
            self._lock.release()
            raise
        self.roster = Roster(self)
        self.orders = Orders(self)
        self.notices = Notices(self)
        self.audit_log = audit_log.AuditLog(self)

    def close(self):
        """Let go of the file and of the lock."""
        self._db.close()
        self._lock.release()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.close()

    def on_rollback(self, listener):
        """Call ``listener()`` after each transaction that is rolled back.

        Who remembers what was added in it must read again.
        """
        self._rollback_listeners.append(listener)

    @contextlib.contextmanager
    def transaction(self):
        """All or nothing, on the disk when the block ends; nested blocks join the outer one."""
        if self._db.in_transaction:
            yield
            return
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.audit_log.set_up()
            self._db.execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:  # at a full disk SQLite has rolled back itself
                self._db.execute("ROLLBACK")
            for listener in self._rollback_listeners:
                listener()
            raise

    def query(self, sql, *values):
        """Return all rows of a SELECT."""
        return self._db.execute(sql, values).fetchall()

    def write(self, sql, *values):
        """Run one changing statement; return ``(rows changed, last row id)``."""
        done = self._db.execute(sql, values)
        return done.rowcount, done.lastrowid

    def commit(self, entries):
        """Store records and settle the commands they answer; return each one's fate, in order.

        ``ADDED``, ``KNOWN`` (the same bytes are there already), or ``CONFLICT``: another record
        holds that place, so this one goes to quarantine and must never be acknowledged.
        """
        if not entries:
            return []
        with self.transaction():
            self.audit_log.prepare()
            before = self.query("SELECT coalesce(max(id), 0) FROM quarantine")[0][0]
            fates = [self._add(entry) for entry in entries]
            added = [entry for entry, fate in zip(entries, fates, strict=True) if fate == ADDED]
            self.audit_log.records(audit_log.RECORDS, added)
            self.audit_log.records(audit_log.QUARANTINED, self._aside(before))
            self.orders.settle(added)
        return fates

    def _add(self, entry):
        values = (*entry.place, entry.event, entry.received_ms, entry.frame)
        sql = f"({_RECORD}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
        if self.write("INSERT INTO records " + sql, *values)[0]:
            return ADDED
        where = "device = ? AND generation = ? AND epoch = ? AND counter = ?"
        held = self.query(f"SELECT frame FROM records WHERE {where}", *entry.place)[0][0]
        if held == entry.frame:
            return KNOWN
        self.write("INSERT INTO quarantine " + sql, *values)
        return CONFLICT

    def records(self, event=None, kinds=()):
        """Return every Entry, or those of one event, or of some kinds of events, by board, epoch and counter."""
        where = "WHERE TRUE" if event is None else f"WHERE event = {int(event)}"
        if (
            kinds
        ):  # of a long day's records few are of interest: the others are not made into objects
            heads = ", ".join(f"X'{frames.VERSION << 6 | kind:02X}'" for kind in sorted(kinds))
            where += f" AND substr(frame, 1, 1) IN ({heads})"
        order = "ORDER BY device, generation, epoch, counter"
        return [Entry(*row) for row in self.query(f"SELECT {_RECORD} FROM records {where} {order}")]

    def records_of(self, device, generation):
        """Return every Entry of one board, by epoch and counter."""
        where = "WHERE device = ? AND generation = ? ORDER BY epoch, counter"
        return [
            Entry(*row)
            for row in self.query(f"SELECT {_RECORD} FROM records {where}", device, generation)
        ]

    @property
    def quarantined(self):
        """The records that contradict an archived one, oldest first."""
        return self._aside(0)

    def _aside(self, after):
        sql = f"SELECT {_RECORD} FROM quarantine WHERE id > ? ORDER BY id"
        return [Entry(*row) for row in self.query(sql, after)]

    def reserve(self, device, generation, epoch):
        """Return ``(first, below)``: down counters nobody has used or will be given again."""
        place = (device, generation, epoch)
        where = "device = ? AND generation = ? AND epoch = ?"
        with self.transaction():
            row = self.query(f"SELECT below FROM reserved WHERE {where}", *place)
            first = max(row[0][0] if row else 1, self.floor)
            below = min(first + _RESERVE, 65536)
            self.write("INSERT OR REPLACE INTO reserved VALUES (?, ?, ?, ?)", *place, below)
        return first, below

    @property
    def floor(self):
        """The lowest down counter that no lost host can have used: see ``restore``."""
        return self.query("SELECT coalesce(max(floor), 1) FROM restores")[0][0]

    @property
    def uncertain_order(self):
        """The newest order of which a lost host may know more than this archive does, or 0."""
        return self.query("SELECT coalesce(max(last_order), 0) FROM restores")[0][0]

    @property
    def changes(self):
        """A number that rises with every change made through this Archive."""
        return self._db.total_changes

    def copy_to(self, path):
        """Write the archive as it is now to ``path``, one whole file on the disk, while at work."""
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))  # names are in it
        with contextlib.closing(sqlite3.connect(path)) as copy:
            self._db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
        with open(path, "rb+") as file:
            os.fsync(file.fileno())

    @property
    def latest_ms(self):
        """The latest event time at which this event's host is known to have been at work."""
        event = self.roster.event
        if event is None:
            return 0
        sql = (
            "SELECT max(coalesce((SELECT max(received_ms) FROM records WHERE event = ?1), 0),"
            " coalesce((SELECT max(asked_ms) FROM commands WHERE event = ?1), 0))"
        )
        return self.query(sql, event.number)[0][0]


def _locked(path):
    """Take the archive's lock or say who must be closed."""
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


def _connect(path):
    return sqlite3.connect(path, isolation_level=None, check_same_thread=True)


def _opened(path, connect):
    """Return a connection to a checked archive of the current version."""
    fresh = not path.exists() or path.stat().st_size == 0
    if fresh:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    db = connect(path)
    try:
        _check(db, path)
        _prepare(db, path, fresh)
    except BaseException as failure:
        db.close()
        if isinstance(failure, sqlite3.DatabaseError):
            raise UserError(
                f"{path} cannot be used as an archive: {disk_errors.sentence(failure) or failure}"
            ) from None
        raise
    return db


def _check(db, path):
    """An archive that a disk has damaged is not written to."""
    found = [row[0] for row in db.execute("PRAGMA integrity_check(3)").fetchall()]
    if found != ["ok"]:
        raise UserError(
            f"{path} is damaged ({found[0]}); keep it, and bring the newest copy back with: "
            "plusthree restore"
        )


def _prepare(db, path, fresh):
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA fullfsync = ON")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA recursive_triggers = ON")  # so that REPLACE cannot slip past the guards
    version = db.execute("PRAGMA user_version").fetchone()[0]
    empty = not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if version == 0 and (fresh or empty):
        db.executescript(schema.statements())
    elif schema.upgrade(version):
        db.executescript(schema.upgrade(version))
    elif version != schema.VERSION:
        raise UserError(f"{path} is not an archive of this plusthree (it says version {version})")
    db.executescript(audited_tables.watch())
