"""The receipt of a closed event: a digest over its audit log, as twelve words.

It is SHA-256 over the rows of the audit log up to the event's close, cut to 128 bits and written in
the words of BIP 39, whose last one holds a checksum. The master key's holder can write another
archive whose audit log fits, but not one whose receipt has the words that people took home. People
see it by the typed act (``host/desk/acts/board_acts.py``), on the page of packing up
(``host/web/reads_desk.py``) and below printed standings (``host/reports/paper/lists.py``).
"""

import contextlib
import hashlib
import itertools
from collections.abc import Sequence
from typing import NamedTuple

from mnemonic import Mnemonic

from host.archive.audit_log import CLOSED, NOTICE, AuditRow, NoticeRow, unpack_notice
from host.archive.store import Archive
from host.base.errors import UserError


class Close(NamedTuple):
    """An event's close: by whom, and the Unix time in ms."""

    author: str
    unix_ms: int


LANGUAGE = "english"  # of the words, for everybody: they are compared, not read
_SIZE = 16


def receipt(archive: Archive) -> str | None:
    """Return the words of the newest close of the archive's event; None if it was never closed."""
    if not archive.audit_log.event_closed:
        return None
    rows = archive.audit_log.rows
    closes = closes_of(archive, rows)
    return words_of(rows, closes[-1]) if closes else None


def closes_of(archive: Archive, rows: Sequence[AuditRow]) -> list[int]:
    """Return after how many rows the archive's event was closed, each time."""
    event = archive.roster.event
    notices = ((number, notice_of(row)) for number, row in enumerate(rows, 1))
    return [
        number
        for number, notice in notices
        if event and notice and (notice.what, notice.event) == (CLOSED, event.number)
    ]


def newest_close(archive: Archive) -> Close | None:
    """Return when and by whom the archive's event was closed last, None before that."""
    closes = [notice for notice in archive.notices.all if notice["what"] == CLOSED]
    return Close(str(closes[-1]["author"]), int(closes[-1]["unix_ms"])) if closes else None


def notice_of(row: AuditRow) -> NoticeRow | None:
    """Return the notice that a row holds, None for one that holds none."""
    with contextlib.suppress(ValueError):
        return unpack_notice(row.body) if row.what == NOTICE else None


def words_of(rows: Sequence[AuditRow], close: int) -> str:
    """Return the words over the first ``close`` rows."""
    whole = hashlib.sha256()
    for what, body, _ in itertools.islice(rows, close):
        whole.update(b"%d %d " % (len(what), len(body)) + what.encode() + body)
    return Mnemonic(LANGUAGE).to_mnemonic(whole.digest()[:_SIZE])


def read(text: str) -> str:
    """Return a receipt's words from typed text. Raises UserError for text that is no receipt."""
    words = " ".join(text.casefold().split())
    if not Mnemonic(LANGUAGE).check(words):
        raise UserError(
            "these are not the words of a receipt: it has twelve, and one of these is mistyped or"
            " missing"
        )
    return words
