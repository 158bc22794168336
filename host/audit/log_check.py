"""Compares an archive with its audit log: what was removed, changed, or never stored."""

import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from firmware.core import events
from host.archive import audit_log, audited_tables
from host.archive.audit_log import BEGUN, AuditRow, NoticeRow, RecordFacts
from host.archive.audited_tables import Digests, RowKey
from host.archive.records import ArchivedRecord, BoardKey, BootId, Position, RecordId
from host.archive.store import Archive
from host.event import nonces

GONE = "stored here once, and gone"
OTHER = "not what was stored here"
STRANGE = "never stored by this host"
_BETWEEN = "between matches"
_MOST = 5


@dataclass
class Evidence:
    """The findings of the audit log on its archive.

    ``faults`` are sentences on contradictions; ``heads`` the highest news head that each boot has
    announced. ``sealed``: the chain ends with SEALED. ``covers``: it covers the set-up, too.
    ``taken_up``: how many records the chain began over and does not cover.
    """

    faults: list[str] = field(default_factory=list)
    heads: dict[BootId, int] = field(default_factory=dict)
    sealed: bool = False
    covers: bool = True
    taken_up: int = 0


@dataclass
class _NamedRows:
    """What the valid rows contain."""

    records: dict[RecordId, RecordFacts] = field(default_factory=dict)
    quarantined: set[tuple[RecordId, RecordFacts]] = field(default_factory=set)
    notices: set[NoticeRow] = field(default_factory=set)
    heads: dict[BootId, int] = field(default_factory=dict)
    rows: Digests = field(default_factory=dict)
    last: str = ""


def gather(archive: Archive, key: bytes, older: bool = False) -> Evidence:
    """Return the Evidence on an open Archive; ``key`` is the audit log's.

    ``older``: the archive may come from a plusthree without an audit log.
    """
    rows, entries = archive.audit_log.rows, archive.records()
    if not rows and (older or not entries):
        return Evidence()
    if not rows:
        return Evidence([
            "there is no audit log: somebody took it out, or it was kept by a plusthree "
                         "that had none yet; if you know that, add --older"])  # fmt: skip
    named, ignored = _contents(rows, key)
    faults = [
        f"row {number} of {len(rows)} of the audit log {reason}"
        for number, reason in ignored.items()
    ]
    faults += _records(named.records, entries)
    faults += _quarantined(named.quarantined, archive.quarantined)
    faults += _notices(named.notices, archive)
    if named.rows:
        faults += _rows(named.rows, audited_tables.row_digests(archive))
    begun_over = rows[0].body if rows[0].what == BEGUN else b""
    return Evidence(
        faults,
        named.heads,
        sealed=named.last == audit_log.SEALED,
        covers=bool(named.rows),
        taken_up=len(begun_over) // audit_log.RECORD_SIZE,
    )


def _contents(rows: Sequence[AuditRow], key: bytes) -> tuple[_NamedRows, dict[int, str]]:
    """Return the content of the rows, and ``{number: reason}`` of the rows that are ignored."""
    named = _NamedRows()
    ignored = dict.fromkeys(
        audit_log.mismatched_rows(rows, key), "does not fit what stands before it"
    )
    for number, (what, body, _) in enumerate(rows, 1):
        if number in ignored:
            continue
        named.last = what
        try:
            _READ[what](named, body)
        except ValueError:
            ignored[number] = "cannot be read: whoever has the master key signed it"
    return named, ignored


def _read_records(named: _NamedRows, body: bytes) -> None:
    named.records.update([*audit_log.unpack_records(body)])


def _read_quarantined(named: _NamedRows, body: bytes) -> None:
    named.quarantined.update([*audit_log.unpack_records(body)])


def _read_notice(named: _NamedRows, body: bytes) -> None:
    named.notices.add(audit_log.unpack_notice(body))


def _read_head(named: _NamedRows, body: bytes) -> None:
    boot, head = audit_log.unpack_head(body)
    named.heads[boot] = max(head, named.heads.get(boot, 0))


def _read_rows(named: _NamedRows, body: bytes) -> None:
    named.rows.update(audited_tables.unpack(body))


def _read_seal(named: _NamedRows, body: bytes) -> None:
    pass


_READ: dict[str, Callable[[_NamedRows, bytes], None]] = {
    BEGUN: _read_records,
    audit_log.RECORDS: _read_records,
    audit_log.QUARANTINED: _read_quarantined,
    audit_log.NOTICE: _read_notice,
    audit_log.HEAD: _read_head,
    audit_log.ROWS: _read_rows,
    audit_log.SEALED: _read_seal,
}


def _records(named: Mapping[RecordId, RecordFacts], entries: Sequence[ArchivedRecord]) -> list[str]:
    """Return the faults of the records, one sentence for each run of them."""
    held = {entry.id: audit_log.facts_of(entry) for entry in entries}
    wrong: dict[RecordId, str] = {}
    for record in sorted(named.keys() | held.keys()):
        if record not in held:
            wrong[record] = GONE
        elif record not in named:
            wrong[record] = STRANGE
        elif named[record] != held[record]:
            wrong[record] = OTHER
    return list(_runs(wrong, Matches(entries)))


class _Run(NamedTuple):
    """Records in succession that are wrong for the same reason, in one match."""

    first: RecordId
    last: RecordId
    why: str
    match: str

    def goes_on(self, record: RecordId, why: str, match: str) -> bool:
        """Return whether a wrong record is the next one of this run."""
        follows = record == self.last._replace(counter=self.last.counter + 1)
        return follows and (why, match) == (self.why, self.match)


def _runs(wrong: Mapping[RecordId, str], matches: "Matches") -> Iterator[str]:
    """Yield a sentence for each run of wrong records, given in order."""
    runs: list[_Run] = []
    for record, why in wrong.items():
        match = matches.of(record)
        if runs and runs[-1].goes_on(record, why, match):
            runs[-1] = runs[-1]._replace(last=record)
        else:
            runs.append(_Run(record, record, why, match))
    for first, last, why, match in runs:
        to = "" if first == last else f" to {last.epoch}/{last.counter}"
        yield f"{name(first)}{to}, {match}: {why}"


def name(record: RecordId) -> str:
    """Return the words for a record: its board, the board's key, its boot and counter."""
    board = f"board {record.device} (key {record.generation})"
    return f"{board}, record {record.epoch}/{record.counter}"


class Matches:
    """Which match each record of an archive belongs to."""

    def __init__(self, records: Iterable[ArchivedRecord]):
        self._begun: dict[BoardKey, list[tuple[Position, str]]] = {}  # in the order of the journal
        for record in records:
            event = record.board_event
            if isinstance(event, events.RoundSet):
                match = f"round {event.round}, table {event.table}"
            elif event.kind == events.ROUND_CLEARED:
                match = _BETWEEN
            else:
                continue
            self._begun.setdefault(record.board, []).append((record.position, match))

    def of(self, record: RecordId) -> str:
        """Return the name of the match that a record belongs to."""
        begun = self._begun.get(record.board, [])
        after = bisect.bisect_right(begun, record.position, key=lambda entry: entry[0])
        return begun[after - 1][1] if after else _BETWEEN


def missing_records(archive: Archive, other: Archive) -> list[str]:
    """Return sentences on records of the Archive ``other`` that ``archive`` lacks or has
    changed.
    """
    wanted, stored = other.records(), {entry.id: entry.frame for entry in archive.records()}
    differing = [entry.id for entry in wanted if stored.get(entry.id) != entry.frame]
    reasons = {record: OTHER if record in stored else GONE for record in differing}
    return list(_runs(reasons, Matches(wanted)))


def _quarantined(
    named: set[tuple[RecordId, RecordFacts]], entries: Iterable[ArchivedRecord]
) -> Iterator[str]:
    for record, _ in named - {(entry.id, audit_log.facts_of(entry)) for entry in entries}:
        yield (
            f"{name(record)}: another record once claimed this place, and is gone from the"
            " quarantine"
        )


def _notices(named: set[NoticeRow], archive: Archive) -> Iterator[str]:
    sql = "SELECT event, what, value, author, unix_ms FROM notices ORDER BY id"
    held = set(archive.select(NoticeRow, sql))
    for _, what, value, _, _ in sorted(named - held):
        yield f"the notice {what} {value!r} was stored here, and is missing or changed"
    for _, what, value, _, _ in sorted(held - named):
        if what == nonces.GIVEN:
            yield f"the nonce {value!r} was never given by this host"


def _rows(named: Digests, held: Digests) -> Iterator[str]:
    """Yield sentences on wrong set-up rows, only the first few of each table."""
    wrong: dict[str, list[tuple[RowKey, str]]] = {}
    for row, (logged, stored) in audited_tables.differing(named, held).items():
        reason = OTHER
        if stored is None:
            reason = GONE
        elif logged is None:
            reason = STRANGE
        wrong.setdefault(row.sheet, []).append((row, reason))
    for sheet, rows in sorted(wrong.items()):
        for row, reason in sorted(rows, key=lambda pair: str(pair[0].key))[:_MOST]:
            yield f"{audited_tables.row_name(row)}: {reason}"
        if len(rows) > _MOST:
            yield f"{sheet}: {len(rows) - _MOST} more rows do not fit"
