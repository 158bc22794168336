"""In which order an archive stored things: by its audit log, whatever the PC's clock said."""

import contextlib
from collections.abc import Iterable

from host.archive import audited_tables
from host.archive.audit_log import ROWS
from host.archive.audited_tables import RowKey
from host.archive.store import Archive


def positions(archive: Archive, sheets: Iterable[str]) -> dict[RowKey, int]:
    """Return the place of each row of ``sheets`` (``audited_tables``) in the audit log, from 1.

    Rows that an older plusthree stored without an audit log have none, or share the first.
    """
    wanted, found = {*sheets}, dict[RowKey, int]()
    for number, row in enumerate(archive.audit_log.rows, 1):
        if row.what == ROWS:
            with contextlib.suppress(ValueError, TypeError):  # no row of this program's: see audit
                for key in audited_tables.unpacked(row.body):
                    if key.sheet in wanted:
                        found.setdefault(key, number)
    return found
