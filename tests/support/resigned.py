"""What whoever has the master key does after a change of an archive: sign everything anew."""

import json

from tabletop import MASTER
from unguarded import unguarded

from host.archive import audit_log, audited_tables, chain_head
from host.archive.audit_log import AuditRow, NoticeRow
from host.archive.chain_head import ChainHead
from host.archive.database import Database
from host.archive.records import stored
from host.archive.sqlite_backend import SqliteBackend
from host.audit import log_check
from host.backup import copy_seal

KEY = audit_log.key_of(MASTER)
_ORDER = "TRUE ORDER BY device, generation, epoch, counter"
_NOTICES = "SELECT event, what, value, author, unix_ms FROM notices ORDER BY id"
_ROWS = "SELECT what, body, mark FROM counterfoils ORDER BY id"


def resign(path):
    """Have the audit log of an archive, and the head beside it, fit what it holds.

    Where it can be done by adding rows, the log goes on; else it is written anew.
    """
    with unguarded(path) as db:
        archive = Database(SqliteBackend(db))
        rows = archive.select(AuditRow, _ROWS)
        more = _additions(archive, rows)
        told = [(row.what, row.body) for row in rows] + more if more is not None else _anew(archive)
        if rows and rows[-1].what == audit_log.SEALED and (more is None or more):
            told.append((audit_log.SEALED, b""))
        db.execute("DELETE FROM counterfoils")
        mark = b""
        for number, (what, body) in enumerate(told, 1):
            mark = audit_log.mark(KEY, mark, what, body)
            db.execute("INSERT INTO counterfoils VALUES (?, ?, ?, ?)", (number, what, body, mark))
    chain_head.write(chain_head.path_of(path), KEY, ChainHead(len(told), mark))


def _additions(archive, rows):
    """Return the rows to add to a log, None where adding is not enough."""
    named, torn = log_check._contents(rows, KEY)
    records = stored(archive, _ORDER)
    aside = stored(archive, "TRUE ORDER BY id", table="quarantine")
    notices = archive.select(NoticeRow, _NOTICES)
    gone = (
        named.records.keys() - {one.id for one in records}
        or named.quarantined - {(one.id, audit_log.facts_of(one)) for one in aside}
        or named.notices - set(notices)
    )
    if not rows or torn or gone:
        return None
    found = [one for one in records if named.records.get(one.id) != audit_log.facts_of(one)]
    digests = audited_tables.row_digests(archive)
    wrong = {
        key: digests.get(key)
        for key in named.rows.keys() | digests.keys()
        if named.rows.get(key) != digests.get(key)
    }
    more = [(audit_log.RECORDS, audit_log.pack_records(found))] if found else []
    more += [(audit_log.NOTICE, _text(one)) for one in notices if one not in named.notices]
    return more + ([(audit_log.ROWS, audited_tables.pack(wrong))] if wrong else [])


def _anew(archive):
    """Return a whole log as of a host that stored just this."""
    told = [
        (audit_log.BEGUN, b""),
        (audit_log.RECORDS, audit_log.pack_records(stored(archive, _ORDER))),
    ]
    told += [(audit_log.NOTICE, _text(one)) for one in archive.select(NoticeRow, _NOTICES)]
    return [*told, (audit_log.ROWS, audited_tables.pack(audited_tables.row_digests(archive)))]


def _text(notice):
    return json.dumps(list(notice), ensure_ascii=True).encode()


def reseal(path, number):
    """Seal a copy without a seal as its archive's own program does."""
    resign(path)
    chain_head.path_of(path).unlink()
    copy_seal.append(path, audit_log.copies_key(MASTER), number)
