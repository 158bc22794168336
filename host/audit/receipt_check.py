"""Compares an archive with the receipt of its event (``host/archive/receipt.py``)."""

import contextlib
from collections import Counter
from collections.abc import Iterator, Sequence

from firmware.core import events
from host.archive import audit_log, audited_tables, receipt
from host.archive.audit_log import CLOSED, ROWS, AuditRow
from host.archive.audited_tables import Digests
from host.archive.records import RecordId
from host.archive.store import Archive
from host.audit import log_check
from host.base.words import amount
from host.event import (
    announced_results,
    event_log,
    imported_results,
    nonces,
    paper_results,
    typed_results,
)

_LATER = "came after the receipt"
# record kinds that may follow a close, as they change nothing that was played
_QUIET_KINDS = frozenset((
    events.BOOTED, events.EPOCH_CLOSED, events.SEALED, events.CLOCK, events.TIME_SET,
    events.SEED_STORED, events.ROUND_CLEARED, events.ANSWERED, events.EVENT_JOINED,
    events.JUDGE_CALLED, events.JUDGE_ARRIVED, events.CALL_ENDED, events.ORGANISER_SAID,
))  # fmt: skip
_QUIET_NOTICES = frozenset((
    *event_log.BEACON, event_log.CODES, nonces.GIVEN, "clock judged", "plan",
))  # fmt: skip
_RESULTS = (
    paper_results.NOTICE,
    typed_results.ENTERED,
    announced_results.NOTICE,
    imported_results.NOTICE,
)
_PLAYED_SHEETS = frozenset(("players", "pairings", "rounds", "entries", "events"))
# each notice has a row of its own, and one of them is the close itself
_NAMED_ELSEWHERE = _PLAYED_SHEETS | {"notices"}


def differences(archive: Archive, text: str) -> list[str]:
    """Return sentences on how an archive departs from a receipt; [] if it is the event's.

    The archive must fit its audit log (``log_check.gather``). Raises UserError for words that are
    not a receipt.
    """
    later = _rows_after(archive, text)
    if later is None:
        return ["this is not the event that the receipt was made of, or it was changed since"]
    return list(_later(archive, later))


def _rows_after(archive: Archive, text: str) -> list[AuditRow] | None:
    """Return the rows after the close of a receipt, None if no close has its words."""
    wanted, rows = receipt.read(text), archive.audit_log.rows
    for close in receipt.closes_of(archive, rows):
        if receipt.words_of(rows, close) == wanted:
            return rows[close:]
    return None


def played_since(archive: Archive) -> bool:
    """Return whether anything was played, or a result was typed, since the event's last close."""
    rows = archive.audit_log.rows
    closes = receipt.closes_of(archive, rows)
    later = rows[closes[-1] :] if closes else []
    notices = [notice for notice in map(receipt.notice_of, later) if notice]
    if any(notice.what in _RESULTS for notice in notices):
        return True
    return any(_later(archive, [row for row in later if row.what != audit_log.NOTICE]))


def later_sheets(archive: Archive, text: str) -> list[str]:
    """Return sentences on rows of the set-up that came after a receipt and change nothing that was
    played, such as orders of the host and links made while packing up.

    Raises UserError for words that are not a receipt.
    """
    later = _rows_after(archive, text) or []
    keys = {key for row in later for key in _set_up_rows(row)}
    counts = Counter(key.sheet for key in keys if key.sheet not in _NAMED_ELSEWHERE)
    counts["notices"] = sum(_is_quiet(row) for row in later)
    return [
        f"{sheet}: {amount(count, 'row')} {_LATER}"
        for sheet, count in sorted(counts.items())
        if count
    ]


def _later(archive: Archive, rows: Sequence[AuditRow]) -> Iterator[str]:
    """Yield a sentence for everything after the receipt that could change what was played."""
    held = {entry.id: entry for entry in archive.records()}
    matches = log_check.Matches(held.values())
    for row in rows:
        for record in _records(row):
            if record in held and held[record].board_event.kind not in _QUIET_KINDS:
                yield f"{log_check.name(record)}, {matches.of(record)}: {_LATER}"
        for key in _set_up_rows(row):
            if key.sheet in _PLAYED_SHEETS:
                yield f"{audited_tables.row_name(key)}: {_LATER}"
        notice = receipt.notice_of(row)
        if notice and notice.what != CLOSED and not _is_quiet(row):
            yield f"the notice {notice.what} {notice.value!r}: {_LATER}"


def _is_quiet(row: AuditRow) -> bool:
    """Return whether a row holds a notice that changes nothing that was played."""
    notice = receipt.notice_of(row)
    return notice is not None and notice.what in _QUIET_NOTICES


def _records(row: AuditRow) -> list[RecordId]:
    """Return the records that an audit row names, none if it cannot be read."""
    if row.what == audit_log.RECORDS:
        with contextlib.suppress(ValueError):
            return [record for record, _ in audit_log.unpack_records(row.body)]
    return []


def _set_up_rows(row: AuditRow) -> Digests:
    """Return the digests of set-up rows that an audit row names, none if it cannot be read
    (``log_check`` reports that).
    """
    if row.what == ROWS:
        with contextlib.suppress(ValueError):
            return audited_tables.unpack(row.body)
    return {}
