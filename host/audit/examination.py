"""A complete audit of an archive, of a copy or of an open one."""

import contextlib
import pathlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator

from host.archive import places
from host.archive.sqlite_backend import require_regular_files
from host.archive.store import Archive
from host.archive.table_shapes import odd_rows, upgrade
from host.audit import roll_check
from host.audit.inspection import Report, inspect
from host.base.errors import UserError
from host.event.archive_view import ArchiveView
from host.keys.keyring import Keyring

_TAKEN_UP = (
    "the audit log began over records: somebody took out an earlier one, or a plusthree that had"
    " none kept them; if you know that, add --older"
)
_UNSEALED = "nothing says that this is all: the event was not closed, or its end is cut off"


def examine(
    archive: Archive,
    keyring: Keyring,
    rolls: bool = True,
    final: bool = False,
    older: bool = False,
) -> Report:
    """Return the Report on an open Archive; the options are those of ``plusthree audit``."""
    odd = odd_rows(archive)
    if odd:
        return Report(faults=odd)
    report = inspect(archive, keyring, older)
    if rolls and archive.roster.event:
        checked = roll_check.check(archive, keyring.nonces)
        report.rolls = checked.recomputed
        report.faults += checked.faults
        report.remarks += checked.remarks
    if final and not report.sealed:
        report.faults.append(_UNSEALED)
    if final and report.taken_up and not older:
        report.faults.append(_TAKEN_UP)
    return report


@contextlib.contextmanager
def temporary_copy(original: places.Place) -> Iterator[Archive]:
    """Yield the Archive of a copy of ``original``.

    Raises UserError if it is not an archive, SchemaMismatch if its tables differ.
    """
    shown = places.display_name(original)
    if not places.is_address(original) and not pathlib.Path(original).is_file():
        raise UserError(f"there is no archive {shown}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "copy.db"
        try:
            _copy(original, path)
            upgrade(path, shown)
        except (sqlite3.DatabaseError, UnicodeError, OSError) as failure:
            raise UserError(f"{shown} cannot be read as an archive: {failure}") from None
        try:
            archive = Archive(path, odd=True)
        except UserError as mistake:
            raise UserError(str(mistake).replace(str(path), shown)) from None
        with archive:
            yield archive


def _copy(original: places.Place, path: pathlib.Path) -> None:
    """Copy an archive that may be in use, or on a read-only medium."""
    if places.is_address(original):
        with ArchiveView(original) as source:
            source.copy_to(path)
        return
    require_regular_files(pathlib.Path(original))
    place = f"{pathlib.Path(original).resolve().as_uri()}?mode=ro"
    try:
        with (
            contextlib.closing(sqlite3.connect(place, uri=True)) as source,
            contextlib.closing(sqlite3.connect(path)) as copy,
        ):
            source.backup(copy)
    except sqlite3.OperationalError:
        # with the journals: opening the copy then rolls back what ``serve`` would roll back
        for part in ("", "-wal", "-journal"):
            file = pathlib.Path(f"{original}{part}")
            if not part or file.is_file():
                shutil.copyfile(file, f"{path}{part}")
