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
    events.SEED_TOLD, events.ROUND_CLEARED, events.ANSWERED, events.EVENT_JOINED,
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
    wanted, rows = receipt.read(text), archive.audit_log.rows
    for close in receipt.closes_of(archive, rows):
        if receipt.words_of(rows, close) == wanted:
            return list(_later(archive, rows[close:]))
    return ["this is not the event that the receipt was made of, or it was changed since"]


def played_since(archive: Archive) -> bool:
    """Return whether anything was played, or a result was typed, since the event's last close."""
    rows = archive.audit_log.rows
    closes = receipt.closes_of(archive, rows)
    later = rows[closes[-1] :] if closes else []
    notices = (receipt.notice_of(row) for row in later)
    others = [row for row in later if row.what != audit_log.NOTICE]
    return any(notice and notice.what in _RESULTS for notice in notices) or any(
        _later(archive, others)
    )


def later_sheets(archive: Archive, text: str) -> list[str]:
    """Return sentences on rows of the set-up that came after a receipt and change nothing that was
    played, such as orders of the host and links made while packing up.

    Raises UserError for words that are not a receipt.
    """
    wanted, rows = receipt.read(text), archive.audit_log.rows
    for close in receipt.closes_of(archive, rows):
        if receipt.words_of(rows, close) == wanted:
            named = map(_set_up_rows, rows[close:])
            keys = {
                key
                for rows_named in named
                for key in rows_named
                if key.sheet not in _NAMED_ELSEWHERE
            }
            count = Counter(key.sheet for key in keys)
            count["notices"] = sum(_is_quiet(row) for row in rows[close:])
            return [
                f"{sheet}: {number} rows {_LATER}" for sheet, number in sorted((+count).items())
            ]
    return []


def _later(archive: Archive, rows: Sequence[AuditRow]) -> Iterator[str]:
    """Yield a sentence for everything after the receipt that could change what was played."""
    held = {entry.id: entry for entry in archive.records()}
    matches = log_check.Matches(held.values())
    for row in rows:
        for place in _records(row):
            if place in held and held[place].board_event.kind not in _QUIET_KINDS:
                yield f"{log_check.name(place)}, {matches.of(place)}: {_LATER}"
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
    """Return the records in a row, none if it cannot be read."""
    with contextlib.suppress(ValueError):
        named = audit_log.unpack_records(row.body) if row.what == audit_log.RECORDS else ()
        return [place for place, _ in named]
    return []


def _set_up_rows(row: AuditRow) -> Digests:
    """Return the set-up rows in a row, none if it cannot be read (``log_check`` reports that)."""
    with contextlib.suppress(ValueError):
        return audited_tables.unpack(row.body) if row.what == ROWS else {}
    return {}
