"""Restores an archive from its copies on another laptop; the boards continue unchanged.

What the lost laptop sent after the copy is unknown. So down counters begin above any that it can
have used, and a table's pending orders are held until its board has reported which of them it
carried out.
"""

import contextlib
import os
import pathlib
import shutil
import sqlite3
from dataclasses import dataclass

from firmware.core import frames
from host.archive import master_key, schema, schema_check
from host.archive.store import Archive
from host.backup import backup
from host.base.errors import UserError
from host.keys import key_encryption

LEAP = 4096  # down counters that a host may have used up since a copy, and many more
_HIGHEST = 60_000
_LOOKED_AT = 64  # records of a copy whose tags are checked


@dataclass(frozen=True)
class Restored:
    """The restored copy, when it was made, and ``(path, why)`` of each newer copy that was
    skipped.
    """

    copy: pathlib.Path
    unix_s: float
    passed: tuple[tuple[pathlib.Path, str], ...]


def restore(
    folder: backup.Path, path: backup.Path, passphrase: str, unix_ms: int, stem: str | None = None
) -> Restored:
    """Restore the newest whole copy in ``folder`` to ``path``, with its key.

    ``stem`` names the archive where the folder holds several. Raises UserError.
    """
    path = pathlib.Path(path)
    if path.exists() or master_key.beside(path).exists():
        raise UserError(f"{path} or its key is there already; give another --archive")
    key = _key_file(folder, stem)
    master = key_encryption.decrypt(backup.read_key(key), passphrase)
    copy, passed = _newest(folder, key.stem, master)
    try:
        shutil.copyfile(copy, path)
        os.chmod(path, 0o600)
        master_key.keep(master_key.beside(path), master)
        with Archive(path) as archive:
            leap(archive, unix_ms)
    except BaseException as failure:
        _undo(path)
        if isinstance(failure, (OSError, sqlite3.Error)):
            raise UserError(f"{copy} cannot be brought to {path}: {failure}") from None
        raise
    return Restored(copy, copy.stat().st_mtime, passed)


def _undo(path: pathlib.Path) -> None:
    """Remove all files of an archive that could not be restored whole."""
    for made in (
        path,
        master_key.beside(path),
        *(pathlib.Path(f"{path}-{part}") for part in ("wal", "shm")),
    ):
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)


def _key_file(folder: backup.Path, stem: str | None) -> pathlib.Path:
    found = (
        [backup.keys_path(folder, stem)] if stem else sorted(pathlib.Path(folder).glob("*.keys"))
    )
    found = [path for path in found if path.exists()]
    if len(found) != 1:
        names = ", ".join(path.stem for path in found)
        raise UserError(f"{folder} holds several archives: give --name, one of {names}" if found
                      else f"{folder} holds no sealed keys of an archive")  # fmt: skip
    return found[0]


def _newest(
    folder: backup.Path, stem: str, master: bytes
) -> tuple[pathlib.Path, tuple[tuple[pathlib.Path, str], ...]]:
    """Return the newest copy that is whole, and ``(path, why)`` of each newer one."""
    passed = []
    for copy in reversed(backup.copies(folder, stem)):
        fault = _fault(copy, master)
        if fault is None:
            return copy, tuple(passed)
        passed.append((copy, fault))
    why = "".join(f"; {copy.name}: {fault}" for copy, fault in passed)
    raise UserError(f"{folder} holds no whole copy of {stem}{why}")


def _fault(copy: pathlib.Path, master: bytes) -> str | None:
    """Return why a copy cannot be restored, or None.

    SQLite alone would accept an empty file.
    """
    try:
        if not copy.stat().st_size:
            return "it is empty"
        with contextlib.closing(
            sqlite3.connect(f"{copy.resolve().as_uri()}?immutable=1", uri=True)
        ) as db:
            return _strange(db, master)
    except (sqlite3.DatabaseError, OSError) as failure:
        return f"it cannot be read ({failure})"


def _strange(db: sqlite3.Connection, master: bytes) -> str | None:
    """Return why an intact file is no archive of ours under this key, or None."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != schema.VERSION and not schema.upgrade(version):
        return f"it is no archive of this plusthree (it says version {version})"
    wrong = schema_check.difference(db, version)
    if wrong:
        return f"it was changed by another program: {wrong}"
    if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
        return "it is damaged"
    if not db.execute(
        "SELECT EXISTS (SELECT 1 FROM events) OR EXISTS (SELECT 1 FROM boards)"
    ).fetchone()[0]:
        return "it holds no event and no board"
    rows = db.execute(
        f"SELECT device, generation, event, epoch, frame FROM records LIMIT {_LOOKED_AT}"
    ).fetchall()
    if rows and not any(_ours(master, *row) for row in rows):
        return "its records are not of these keys: it is a copy of another archive"
    return None


def _ours(
    master: bytes, device: int, generation: int, event: int, epoch: int, frame: bytes
) -> bool:
    key = frames.stream_key(frames.board_key(master, device, generation), event, frames.UP, epoch)
    return frames.verify(key, frame)


def leap(archive: Archive, unix_ms: int) -> None:
    """Note in a restored archive that its down counters jump and its pending orders are uncertain.

    Raises UserError after too many restores.
    """
    highest = archive.number("SELECT coalesce(max(below), 1) FROM reserved")
    floor = max(highest, archive.floor) + LEAP
    if floor > _HIGHEST:
        raise UserError(
            "this archive was restored too often: give every board a new key (plusthree provision)"
        )
    last = archive.number("SELECT coalesce(max(id), 0) FROM commands")
    with archive.transaction():
        sql = "INSERT INTO restores (floor, last_order, unix_ms) VALUES (?, ?, ?)"
        archive.write(sql, floor, last, unix_ms)
