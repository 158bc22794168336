"""Everything that an archive's audit looks at, over a copy of it or over an open one."""

import contextlib
import pathlib
import shutil
import sqlite3
import tempfile

from host.archive.store import Archive
from host.archive.table_shapes import oddities, recognize
from host.audit import roll_check
from host.audit.inspection import Report, inspect
from host.base.errors import UserError

_UNSEALED = "nothing says that this is all: the event was not closed, or its end is cut off"


def examined(archive, keyring, rolls=True, final=False, older=False):
    """Return the Report on an open Archive, with what the options of that name ask for."""
    odd = oddities(archive)
    if odd:
        return Report(faults=odd)
    report = inspect(archive, keyring, older)
    if rolls and archive.roster.event:
        faults, remarks, report.rolls = roll_check.check(archive)
        report.faults += faults
        report.remarks += remarks
    if final and not report.sealed:
        report.faults.append(_UNSEALED)
    return report


@contextlib.contextmanager
def copied(original):
    """Yield the Archive of a copy of ``original``. Raises UserError where that is none, Unfit where its tables are others."""
    if not original.is_file():
        raise UserError(f"there is no archive {original}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "copy.db"
        try:
            _copy(original, path)
            recognize(path, original)
        except (sqlite3.DatabaseError, UnicodeError, OSError) as failure:
            raise UserError(f"{original} cannot be read as an archive: {failure}") from None
        try:
            archive = Archive(path)
        except UserError as mistake:
            raise UserError(str(mistake).replace(str(path), str(original))) from None
        with archive:
            yield archive


def _copy(original, path):
    """Copy an archive that may be in use, or lie where nothing can be written, not even SQLite's own files."""
    place = f"{original.resolve().as_uri()}?mode=ro"
    try:
        with (
            contextlib.closing(sqlite3.connect(place, uri=True)) as there,
            contextlib.closing(sqlite3.connect(path)) as copy,
        ):
            there.backup(copy)
    except sqlite3.OperationalError:
        for part in ("", "-wal"):
            source = pathlib.Path(f"{original}{part}")
            if not part or source.is_file():
                shutil.copyfile(source, f"{path}{part}")
