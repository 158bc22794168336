"""The archive: it neither loses nor duplicates records when power fails.

When ``commit`` returns, the records are on the disk. There is one writer; a second one is refused
(docs/architecture.md, Acknowledge). It is one SQLite file (``sqlite_backend``), or a database on a
server for a hall of several PCs (``places.Server``, docs/hall.md).
"""

import contextlib
import os
import pathlib
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import Self

from firmware.core import frames
from host.archive import places, sqlite_backend, table_shapes
from host.archive.audit_log import QUARANTINED, RECORDS, AuditLog
from host.archive.backend import Backend
from host.archive.database import Database
from host.archive.notices import Notices
from host.archive.orders import Orders
from host.archive.records import COLUMNS, ArchivedRecord, BoardKey, Position, RecordId, stored
from host.archive.roster import Roster
from host.archive.sqlite_backend import Connect
from host.base.errors import UserError
from host.base.sentences import Sentence

ADDED, KNOWN, CONFLICT = "added", "known", "conflict"
_RESERVE = 64
_RESERVED = (
    "INSERT INTO reserved VALUES (?, ?, ?, ?) ON CONFLICT (device, generation, epoch)"
    " DO UPDATE SET below = excluded.below"
)
_LATEST = (
    "SELECT coalesce(max(ms), 0) FROM (SELECT max(received_ms) AS ms FROM records WHERE event = ?"
    " UNION ALL SELECT max(asked_ms) FROM commands WHERE event = ?) AS known"
)
_RECORDS, _QUARANTINE = f"records ({COLUMNS})", f"quarantine ({COLUMNS})"
MOST_QUARANTINED = 64  # records of a board under one key: a thief of it must not fill the disk


class Archive(Database):
    """Open (or make) the archive at ``place`` and hold it until ``close``.

    ``roster``: boards, events, rounds, pairings. ``orders``: the desk's orders. ``notices``: facts
    about a whole event. ``audit_log``: the log of everything stored. ``path``: files beside
    the archive are named after it. ``shown``: its name for a sentence. ``connect(path)``
    makes an SQLite connection; the default is sqlite3's own. ``odd``: open one with rows that this
    program never writes, too. ``after``: the epoch of a writer that a standby takes over from
    (``host.hall``). Raises UserError if another program has the archive open, or it is damaged
    or not an archive of ours.
    """

    def __init__(
        self,
        place: places.Place,
        connect: Connect | None = None,
        odd: bool = False,
        after: int | None = None,
    ):
        backend = open_backend(place, connect, after)
        try:
            self._open(place, backend)
            if not odd:
                table_shapes.refuse_odd(self, places.display_name(place))
            self.audit_log.begin_upgraded()
        except BaseException:
            backend.close()
            raise

    def _open(self, place: places.Place, backend: Backend) -> None:
        Database.__init__(self, backend)
        self.path, self.shown = places.local(place), places.display_name(place)
        self.roster = Roster(self)
        self.audit_log = AuditLog(self, self.path, self.roster, backend.upgraded)
        self.orders = Orders(self, self.roster)
        self.notices = Notices(self, self.roster, self.audit_log)
        backend.on_outage(self._check_again)

    def close(self) -> None:
        """Close the archive for another program; keep the end of the audit log beside the key."""
        try:
            with contextlib.suppress(sqlite3.Error, UserError):  # another host took over
                self.audit_log.keep_head()
        finally:
            self.backend.close()

    def shut_down(self) -> None:
        """Note that a person ends this writer, so that no standby takes over, and close."""
        try:
            self.backend.shut_down()
        finally:
            self.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def _check_again(self, sentence: Sentence, over: bool) -> None:
        if over:
            self.audit_log.check_again()

    def require_own(self) -> None:
        """Raise Foreign where another program has made changes that the audit log does not name."""
        self.audit_log.require_own()

    def before_commit(self) -> None:
        """Write the changed set-up rows to the audit log."""
        self.audit_log.add_set_up()

    def after_commit(self) -> None:
        """Keep the end of the audit log beside the key, now and then."""
        self.audit_log.on_commit()

    def commit(self, records: Sequence[ArchivedRecord]) -> list[str]:
        """Store records and settle the orders they answer; return each one's result, in order.

        Results are ``ADDED``, ``KNOWN`` (the same bytes are stored already) or ``CONFLICT``:
        another record has that id, so this one is quarantined, if it is one of its board's first
        ``MOST_QUARANTINED``, and must never be acknowledged.
        """
        return self.retry_once(lambda: self._commit(records)) if records else []

    def _commit(self, records: Sequence[ArchivedRecord]) -> list[str]:
        with self.transaction():
            self.audit_log.prepare()
            quarantined: list[ArchivedRecord] = []
            results = self._store_all(records, quarantined)
            added = [
                record for record, result in zip(records, results, strict=True) if result == ADDED
            ]
            self.audit_log.add_records(RECORDS, added)
            self.audit_log.add_records(QUARANTINED, quarantined)
            self.orders.settle(added)
        return results

    def _store_all(
        self, records: Sequence[ArchivedRecord], quarantined: list[ArchivedRecord]
    ) -> list[str]:
        """Store records at once; those that go into quarantine are added to ``quarantined``."""
        new = {*self.insert_new(_RECORDS, records, ", ".join(RecordId._fields))}
        if len(new) == len(records):
            return [ADDED] * len(records)
        results: list[str] = []
        for record in records:
            if record.id in new:
                new.remove(record.id)  # a repeated id is not new
                results.append(ADDED)
            else:
                results.append(self._result_of_known(record, quarantined))
        return results

    def _result_of_known(self, record: ArchivedRecord, quarantined: list[ArchivedRecord]) -> str:
        """Return KNOWN or CONFLICT for a record whose id is stored already; quarantine it then."""
        where = "device = ? AND generation = ? AND epoch = ? AND counter = ?"
        held = self.query(f"SELECT frame FROM records WHERE {where}", *record.id)[0][0]
        if held == record.frame:
            return KNOWN
        count = "SELECT count(*) FROM quarantine WHERE device = ? AND generation = ?"
        if self.number(count, *record.board) < MOST_QUARANTINED:
            if self.insert_new(_QUARANTINE, [record], "id"):
                quarantined.append(record)
        return CONFLICT

    def records(
        self, event: int | None = None, kinds: Collection[int] = ()
    ) -> list[ArchivedRecord]:
        """Return records, of one event or of some kinds if given, by board, epoch and counter."""
        where = "TRUE" if event is None else f"event = {int(event)}"
        if kinds:  # few of a day's records are needed: make no objects of the others
            where += f" AND {_of_kinds(kinds)}"
        candidates = stored(self, f"{where} ORDER BY device, generation, epoch, counter")
        return [record for record in candidates if not kinds or record.kind in kinds]

    def records_between(
        self, board: BoardKey, start: Position, end: Position | None, kinds: Collection[int]
    ) -> list[ArchivedRecord]:
        """Return a board's records of some kinds from ``start`` to before ``end`` (None: to the
        last), in the order of its journal.
        """
        where = "device = ? AND generation = ? AND (epoch, counter) >= (?, ?)"
        if end is not None:
            where += " AND (epoch, counter) < (?, ?)"
        where += f" AND {_of_kinds(kinds)} ORDER BY epoch, counter"
        candidates = stored(self, where, *board, *start, *(end or ()))
        return [record for record in candidates if record.kind in kinds]

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
        return self.retry_once(lambda: self._reserve(device, generation, epoch))

    def _reserve(self, *boot: int) -> tuple[int, int]:
        where = "device = ? AND generation = ? AND epoch = ?"
        with self.transaction():
            used = self.select(int, f"SELECT below FROM reserved WHERE {where}", *boot)
            first = max(used[0] if used else 1, self.floor)
            below = min(first + _RESERVE, 65536)
            self.write(_RESERVED, *boot, below)
        return first, below

    def reserved(self, device: int, generation: int) -> dict[int, int]:
        """Return how many down counters of a board are used up, by the epoch of its boot."""
        sql = "SELECT epoch, below FROM reserved WHERE device = ? AND generation = ?"
        return dict(self.select(lambda *row: row, sql, device, generation))

    def pass_over(self, device: int, generation: int, used: Mapping[int, int]) -> None:
        """Reserve a board's down counters that another archive has ``used`` (its ``reserved``):
        the board rejects a counter the second time.
        """
        known = self.reserved(device, generation)
        with self.transaction():
            for epoch, below in used.items():
                if below > known.get(epoch, 0):
                    self.write(_RESERVED, device, generation, epoch, below)

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
        self.backend.copy_to(path)

    @property
    def latest_ms(self) -> int:
        """The latest event time in ms at which a host of this event is known to have run."""
        event = self.roster.event
        if event is None:
            return 0
        return self.number(_LATEST, event.number, event.number)


def _of_kinds(kinds: Collection[int]) -> str:
    """Return the SQL condition that holds of every record of these kinds, and of few others."""
    heads = ", ".join(sorted({f"X'{frames.first_byte(kind):02X}'" for kind in kinds}))
    return f"substr(frame, 1, 1) IN ({heads})"


def open_backend(
    place: places.Place, connect: Connect | None = None, after: int | None = None
) -> Backend:
    """Open an archive's database for writing. Raises UserError as ``Archive`` does."""
    if not places.is_address(place):
        return sqlite_backend.open_archive(pathlib.Path(place), connect)
    return places.server(place).open_backend(after)
