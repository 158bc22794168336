"""The audit log: a chain of signed rows, under a key of its own, of everything that was stored.

A row names the stored facts; its mark is an HMAC over the previous mark and the row. Changing,
dropping, adding or swapping stored records without the master key therefore contradicts the chain,
even for somebody who has a board's key. Cutting off the chain's end also removes its last row,
``SEALED``. See ``docs/luck.md``.
"""

import contextlib
import hmac
import json
import pathlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from firmware.core import digest
from host.archive import audited_tables, chain_head, master_key, table_shapes
from host.archive.audited_tables import Digests, RowKey
from host.archive.backend import Foreign
from host.archive.chain_head import ChainHead
from host.archive.database import Database
from host.archive.decoded_frames import VerifiedFrame, head_of, status_of
from host.archive.records import ArchivedRecord, BootId, RecordId, stored
from host.archive.roster import Roster
from host.base.errors import UserError
from host.base.json_values import parse
from host.base.sentences import Sentence

BEGUN, RECORDS, QUARANTINED, NOTICE, HEAD, SEALED = (
    "begun",
    "records",
    "quarantined",
    "notice",
    "head",
    "sealed",
)
ROWS = "rows"  # of the set-up: ``audited_tables``
KINDS = frozenset((BEGUN, RECORDS, QUARANTINED, NOTICE, HEAD, SEALED, ROWS))
CLOSED = "closed"  # the notice that an event is over
# device, generation, epoch, counter, event, received_ms, the digest's first 16 bytes
_ROW = struct.Struct("<HHHHHq16s")
RECORD_SIZE = _ROW.size  # bytes of each record in a row's body
_HEAD = struct.Struct("<HHH24s")  # device, generation, event, status frame
_SIZE = 16
_KEEP_EVERY = 256  # rows between two times that the head is kept, beside each close
_MOST = 4  # rows that are named in a sentence
# the table is called counterfoils in every stored archive, and the key's label too: neither may
# change
_NEWEST = "SELECT what FROM counterfoils ORDER BY id DESC LIMIT 1"


_ENDS = Sentence("its audit log does not end where this program left it")


class AuditRow(NamedTuple):
    """One row of the chain: the kind of what was stored, the packed facts, the 16-byte mark."""

    what: str
    body: bytes
    mark: bytes


class RecordFacts(NamedTuple):
    """The facts of a record that a row stores: event number, time of arrival (event ms), 16 bytes
    of SHA-256.
    """

    event: int
    received_ms: int
    digest: bytes


class NoticeRow(NamedTuple):
    """A notice as it is stored; ``event`` is the event's number."""

    event: int
    what: str
    value: str
    author: str
    unix_ms: int


def key_of(master: bytes) -> bytes:
    """Return the key under which marks are made."""
    return digest.hmac(master, b"counterfoils")


def copies_key(master: bytes) -> bytes:
    """Return the key under which copies of the archive are sealed (``host/backup``)."""
    return _copies_key(key_of(master))


def _copies_key(key: bytes) -> bytes:
    return digest.hmac(key, b"copies")


def mark(key: bytes, before: bytes, what: str, body: bytes) -> bytes:
    """Return a row's 16-byte mark; ``before`` is the previous row's mark, empty for the first
    row.
    """
    return hmac.digest(key, before + what.encode() + b"\0" + body, "sha256")[:_SIZE]


def mismatched_rows(rows: Sequence[AuditRow], key: bytes) -> list[int]:
    """Return the numbers of the rows, from 1, that this program did not write where they stand.

    A kind of another program's would let one mark cover several rows: it ends with a NUL.
    """
    before, mismatched = b"", list[int]()
    for number, (what, body, stored_mark) in enumerate(rows, 1):
        if what not in KINDS or mark(key, before, what, body) != stored_mark:
            mismatched.append(number)
        before = stored_mark
    return mismatched


def pack_records(records: Iterable[ArchivedRecord]) -> bytes:
    """Return the body of a row that names archived records."""
    pack, new = _ROW.pack, digest.new_sha256  # for each record that a hall sends
    return b"".join(
        [
            pack(device, generation, epoch, counter, event, received_ms, new(frame).digest())
            for device, generation, epoch, counter, event, received_ms, frame in records
        ]
    )


def unpack_records(body: bytes) -> Iterator[tuple[RecordId, RecordFacts]]:
    """Yield each record that a row names, with its facts. Raises ValueError."""
    if len(body) % RECORD_SIZE:
        raise ValueError("not a list of records")
    for row in _ROW.iter_unpack(body):
        yield RecordId(*row[:4]), RecordFacts(*row[4:])


def facts_of(record: ArchivedRecord) -> RecordFacts:
    """Return what a row stores of an archived record."""
    return RecordFacts(record.event, record.received_ms, digest.sha256(record.frame)[:_SIZE])


def unpack_head(body: bytes) -> tuple[BootId, int]:
    """Return a HEAD row's boot, and the news head in its status frame.

    Raises ValueError for a body that holds no status frame.
    """
    if len(body) != _HEAD.size:
        raise ValueError("not a board's head")
    device, generation, _, frame = _HEAD.unpack(body)
    head = head_of(frame)
    if head is None:
        raise ValueError("not a status frame")
    return BootId(device, generation, head.epoch), status_of(frame).news_head


def unpack_notice(body: bytes) -> NoticeRow:
    """Return the notice that a row names. Raises ValueError."""
    match parse(body):
        case [int(event), str(what), str(value), str(author), int(unix_ms)]:
            return NoticeRow(event, what, value, author, unix_ms)
    raise ValueError("not a notice")


class AuditLog:
    """An archive's audit log. Rows join the caller's transaction.

    No row is written before ``begin`` has the key; a command that changes anything without it
    reads the key from its file beside the archive.
    """

    def __init__(
        self, archive: Database, path: pathlib.Path, roster: Roster, upgraded: bool = False
    ):
        self._archive, self._path, self._roster = archive, path, roster
        self._upgraded = upgraded  # from a version that may have kept no audit log
        self._key: bytes | None = None
        self._rows_since_head = 0  # rows written since the head was kept
        self._named_sheets: set[str] = set()  # of the set-up that the chain names
        self._new_sheets: set[str] = set()  # those that the open transaction names
        self._has_begun = False  # whether the chain has rows on the disk, as far as is known
        # the last mark that this program wrote: in the open transaction, and on the disk
        self._pending_mark: bytes | None = None
        self._committed_mark: bytes | None = None
        self._compared_at: int | None = None  # the archive's activity at the last comparison
        self._foreign: Sentence | None = None  # the result of that comparison
        archive.on_rollback(self._forget_pending)

    def begin(self, key: bytes) -> None:
        """Write rows from now on.

        Raises UserError for a chain that was wiped, that has a row which is not this program's, or
        that does not contain the head kept beside the key: a chain begins on an archive without
        records, or on one of an older version. Also for a set-up row that is not as the chain has
        it: once it is written again, the chain would name another program's version of it.
        """
        activity = self._archive.backend.activity
        self._require_unchanged(key)
        self._key, self._compared_at, self._committed_mark = key, activity, self._last_mark

    def check_again(self) -> None:
        """Raise UserError where a database that was away has come back without rows of the chain,
        or with another set-up.
        """
        if self._key is None:
            return
        sql = "SELECT 1 FROM counterfoils WHERE mark = ? LIMIT 1"
        if self._committed_mark is not None and not self._archive.query(sql, self._committed_mark):
            raise UserError(
                "{path} came back without what was stored there before: somebody brought an older"
                " copy back; end serve, and see what there is with: plusthree audit",
                path=str(self._path),
            )
        self._require_unchanged(self._key)

    @property
    def foreign(self) -> Sentence | None:
        """A sentence on changes that another program has made since ``begin`` without a row of the
        chain, or None; as of the archive's last ``look``.
        """
        activity = self._archive.backend.activity
        if self._key is not None and activity != self._compared_at:
            self._compared_at = activity
            self._foreign = self._fault_beside_set_up(self._key) or self._set_up_fault()
        return self._foreign

    def require_own(self) -> None:
        """Raise Foreign where another program has made changes without a row of the chain; read
        the key first, if its file exists.
        """
        self._archive.backend.poll_writers()
        if self._load_key() and self.foreign:
            message = "{why}: nothing is done until somebody answers at the organiser's PC"
            raise Foreign(Sentence(message, why=self.foreign))

    @property
    def believable(self) -> bool:
        """Whether a person may take what is ``foreign`` as right: rows of the set-up, no more."""
        return self._key is not None and self._fault_beside_set_up(self._key) is None

    @contextlib.contextmanager
    def accept_foreign(self) -> Iterator[str]:
        """Accept the set-up as another program left it, on a person's word; yield the names of the
        changed rows. The block is a part of the transaction.

        The ``foreign`` changes must be ``believable``. Raises Foreign where it has changed again.
        """
        self._foreign = None
        try:
            with self._archive.transaction():
                rows = self._differing_rows()
                self._add(ROWS, audited_tables.pack(rows))
                yield _join(rows)
        except BaseException:
            self._compared_at = None  # it is compared again
            raise

    def _forget_pending(self) -> None:
        self._pending_mark = None

    def _require_unchanged(self, key: bytes) -> None:
        """Raise UserError as ``begin`` does."""
        path = chain_head.path_of(self._path)
        head = chain_head.read(path, chain_head.text_of(path), key)
        if head and self._last_mark is None:
            raise UserError(
                "{path} is new or was emptied: its audit log had {before} rows or more, and has 0;"
                " restore the newest copy with: plusthree restore, or take {head} away if a new"
                " event begins here",
                path=str(self._path), before=head.length, head=str(path),
            )  # fmt: skip
        wrong = (head and self.departs_from(head)) or self._chain_fault(key) or self._set_up_fault()
        if wrong:
            raise UserError(
                "{path}: {wrong}; restore the newest copy with: plusthree restore",
                path=str(self._path),
                wrong=wrong,
            )
        if self._last_mark is None and not self._upgraded and self._in_use:
            raise UserError(
                "{path} holds records and no audit log: somebody took it out; restore the newest"
                " copy with: plusthree restore",
                path=str(self._path),
            )

    def _fault_beside_set_up(self, key: bytes) -> Sentence | None:
        """Return a sentence on what other programs have changed besides rows of the set-up: the
        schema, the types of values, the chain itself.
        """
        wrong = self._archive.backend.schema_fault
        if not wrong:  # else the rows cannot be looked at
            wrong = next(iter(table_shapes.odd_rows(self._archive)), None)
        if wrong:
            return Sentence("the archive was changed by another program ({what})", what=wrong)
        if self._last_mark != (self._pending_mark or self._committed_mark):
            return _ENDS
        return self._chain_fault(key)

    def _chain_fault(self, key: bytes) -> Sentence | None:
        """Return a sentence on the first row of the chain that is not this program's, or None."""
        mismatched = mismatched_rows(self.rows, key)
        message = "row {row} of its audit log does not fit what stands before it"
        return Sentence(message, row=mismatched[0]) if mismatched else None

    def _set_up_fault(self) -> Sentence | None:
        """Return a sentence on set-up rows that are not as the chain has them, or None.

        Every row of the chain must be known to be this program's.
        """
        rows = [*self._differing_rows()]
        if not rows:
            return None
        first = audited_tables.row_name(rows[0])
        if len(rows) == 1:
            return Sentence("{row}: changed by another program", row=first)
        return Sentence(
            "{row}: changed by another program, as well as {more}", row=first,
            more=_join(rows[1:]),
        )  # fmt: skip

    def _differing_rows(self) -> Digests:
        """Return the digests of the set-up rows that are not as the chain has them."""
        logged: Digests = {}
        sql = "SELECT body FROM counterfoils WHERE what = ? ORDER BY id"
        for body in self._archive.select(bytes, sql, ROWS):
            with contextlib.suppress(ValueError):  # signed, and unreadable: see the audit
                logged.update(audited_tables.unpack(body))
        self._named_sheets = {row.sheet for row in logged}
        if not logged:  # the chain says nothing of the set-up: see the audit
            return {}
        stored = audited_tables.row_digests(self._archive)
        rows = sorted(audited_tables.differing(logged, stored), key=str)
        return {row: stored.get(row) for row in rows}

    def begin_upgraded(self) -> None:
        """Begin the chain of an archive that was upgraded just now, if its key is there."""
        if self._upgraded and self._last_mark is None and self._load_key():
            with self._archive.transaction():
                self.prepare()

    def departs_from(self, head: ChainHead) -> Sentence | None:
        """Return how the chain contradicts a head that was kept, or None if it contains the
        head.
        """
        sql = "SELECT mark FROM counterfoils ORDER BY id LIMIT 1 OFFSET ?"
        marks = self._archive.select(bytes, sql, head.length - 1)
        if not marks:
            return Sentence(
                "its audit log had {before} rows or more, and has {now}",
                before=head.length,
                now=self.length,
            )
        if marks[0] != head.mark:
            return Sentence(
                "its audit log is not the one that this program wrote up to row {row}",
                row=head.length,
            )
        return None

    def keep_head(self) -> None:
        """Keep the chain's length and last mark beside the key, if rows were written since."""
        last = self._last_mark
        if (
            self._key is not None
            and self._rows_since_head
            and last is not None
            and last == self._committed_mark
        ):
            head = ChainHead(self.length, last)
            with contextlib.suppress(OSError):  # a full disk: the last one still holds
                chain_head.write(chain_head.path_of(self._path), self._key, head)
                self._rows_since_head = 0

    def on_commit(self) -> None:
        """Keep the head now and then, while the program runs."""
        self._named_sheets |= self._new_sheets
        if self._pending_mark is not None:
            self._committed_mark, self._pending_mark = self._pending_mark, None
        self._has_begun = self._has_begun or self._last_mark is not None
        if self._rows_since_head >= _KEEP_EVERY:
            self.keep_head()

    @property
    def _in_use(self) -> bool:
        """Whether the archive has rows that only a host with an audit log stores."""
        tables = ("records", "quarantine", "sends", "commands")
        conditions = (f"EXISTS (SELECT 1 FROM {table})" for table in tables)
        return bool(self._archive.number(f"SELECT {' OR '.join(conditions)}"))

    @property
    def length(self) -> int:
        """How many rows the chain has."""
        return self._archive.number("SELECT count(*) FROM counterfoils")

    @property
    def copies_key(self) -> bytes:
        """The key under which copies of the archive are sealed; raises UserError without a key."""
        if self._key is None:
            self.begin(key_of(master_key.load(master_key.path_of(self._path))))
        assert self._key is not None
        return _copies_key(self._key)

    @property
    def rows(self) -> list[AuditRow]:
        """Every row, oldest first."""
        return self._archive.select(
            AuditRow, "SELECT what, body, mark FROM counterfoils ORDER BY id"
        )

    def prepare(self) -> None:
        """Begin the chain unless it has begun; call this before anything is stored."""
        if self._key is not None and not self._has_begun and self._last_mark is None:
            every_record = "TRUE ORDER BY device, generation, epoch, counter"
            self._write(BEGUN, pack_records(stored(self._archive, every_record)))
            notices = "SELECT event, what, value, author, unix_ms FROM notices ORDER BY id"
            for row in self._archive.select(NoticeRow, notices):
                self._write(NOTICE, _text(row))

    def add_records(self, what: str, records: list[ArchivedRecord]) -> None:
        """Write one row for stored records; ``what`` is RECORDS or QUARANTINED."""
        if records:
            self._add(what, pack_records(records))

    def add_notice(self, row: NoticeRow) -> None:
        """Write one row for a notice."""
        self._add(NOTICE, _text(row))

    def add_head(self, verified: VerifiedFrame) -> None:
        """Write a row with the status frame of a board that has more records than the archive."""
        source = verified.device, verified.generation, verified.event
        self._add(HEAD, _HEAD.pack(*source, verified.frame))

    def add_set_up(self) -> None:
        """Write one row for the set-up rows that the transaction changed; the first time for
        all, and for all of a sheet that an older program did not name.
        """
        self._new_sheets = set()
        touched = audited_tables.take_changes(self._archive)
        if self._key is None:
            return
        if not touched and self._named_sheets:
            return  # as when only records are stored
        digests = {row: audited_tables.row_digest(self._archive, *row) for row in touched}
        digests |= audited_tables.row_digests(self._archive, self._sheets_to_name(touched))
        self._new_sheets = {row.sheet for row in digests}
        if not digests:
            return
        sealed = self._last_kind == SEALED and self.event_closed
        self._add(ROWS, audited_tables.pack(digests))
        if sealed:  # as when a link is revoked after the event
            self._write(SEALED, b"")

    def _sheets_to_name(self, touched: Iterable[RowKey]) -> list[str] | None:
        """Return the sheets of which all rows go into the log, as it has none of them yet; None:
        every sheet.
        """
        if not self._named_sheets:
            return None
        sheets = {row.sheet for row in touched} & {*audited_tables.LATER}
        return sorted(sheets - self._named_sheets)

    def close_event(self) -> None:
        """Write SEALED if the event was closed and rows were written since the last SEALED."""
        if self._last_kind != SEALED and self.event_closed:
            with self._archive.transaction():
                self._add(SEALED, b"")

    def _load_key(self) -> bool:
        """Read the key if its file exists, or must as there are rows; return if it is known."""
        path = master_key.path_of(self._path)
        if self._key is None and (path.exists() or self._names_set_up):
            self.begin(key_of(master_key.load(path)))
        return self._key is not None

    @property
    def event_closed(self) -> bool:
        """Whether the archive's event was closed once."""
        event = self._roster.event
        sql = "SELECT 1 FROM notices WHERE event = ? AND what = ? LIMIT 1"
        return bool(event and self._archive.query(sql, event.number, CLOSED))

    @property
    def _names_set_up(self) -> bool:
        return bool(self._archive.query("SELECT 1 FROM counterfoils WHERE what = ? LIMIT 1", ROWS))

    @property
    def _last_kind(self) -> str | None:
        return next(iter(self._archive.select(str, _NEWEST)), None)

    @property
    def _last_mark(self) -> bytes | None:
        sql = "SELECT mark FROM counterfoils ORDER BY id DESC LIMIT 1"
        return next(iter(self._archive.select(bytes, sql)), None)

    def _add(self, what: str, body: bytes) -> None:
        if self._key is not None:
            self.prepare()
            self._write(what, body)

    def _write(self, what: str, body: bytes) -> None:
        assert self._key is not None
        before = self._last_mark
        if before != (self._pending_mark or self._committed_mark):
            raise Foreign(_ENDS)
        row = AuditRow(what, body, mark(self._key, before or b"", what, body))
        self._rows_since_head, self._pending_mark = self._rows_since_head + 1, row.mark
        self._archive.write("INSERT INTO counterfoils (what, body, mark) VALUES (?, ?, ?)", *row)


def _join(rows: Iterable[RowKey]) -> str:
    names = [audited_tables.row_name(row) for row in rows]
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return "; ".join(names[:_MOST]) + more


def _text(row: NoticeRow) -> bytes:
    return json.dumps(list(row), ensure_ascii=True).encode()
