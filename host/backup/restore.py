"""An archive brought back from its copies on another laptop, so that the boards go on as they are.

What the lost laptop said after the copy was made is not known, so two things are set right: down
counters begin above any that it can have used, and orders that were waiting are held at each table
until its board has told what became of them.
"""

import contextlib
import os
import pathlib
import shutil
import sqlite3
from dataclasses import dataclass

from firmware.core import frames
from host.archive import master_key, schema
from host.archive.store import Archive
from host.backup import backup
from host.base.errors import UserError
from host.keys import key_encryption

LEAP = 4096  # down counters that a host may have used up since a copy, and many more
_HIGHEST = 60_000
_LOOKED_AT = 64  # records of a copy whose tags are tried


@dataclass(frozen=True)
class Restored:
    """The copy that was gone on from, when it was made, and ``(path, why)`` of each newer one that was not."""

    copy: pathlib.Path
    unix_s: float
    passed: tuple


def restore(folder, path, passphrase, unix_ms, stem=None):
    """Bring the newest whole copy in ``folder`` to ``path`` with its key; return what was Restored."""
    path = pathlib.Path(path)
    if path.exists() or master_key.beside(path).exists():
        raise UserError(f"{path} or its key is there already; give another --archive")
    sealed = _sealed(folder, stem)
    master = key_encryption.decrypt(backup.sealed_text(sealed), passphrase)
    copy, passed = _newest(folder, sealed.stem, master)
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


def _undo(path):
    """Leave nothing of an archive that could not be brought back whole."""
    for made in (
        path,
        master_key.beside(path),
        *(pathlib.Path(f"{path}-{part}") for part in ("wal", "shm")),
    ):
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)


def _sealed(folder, stem):
    found = [backup.keys_of(folder, stem)] if stem else sorted(pathlib.Path(folder).glob("*.keys"))
    found = [path for path in found if path.exists()]
    if len(found) != 1:
        names = ", ".join(path.stem for path in found)
        raise UserError(f"{folder} holds several archives: give --name, one of {names}" if found
                      else f"{folder} holds no sealed keys of an archive")  # fmt: skip
    return found[0]


def _newest(folder, stem, master):
    """Return the newest copy that is whole, and ``(path, why)`` of each newer one."""
    passed = []
    for copy in reversed(backup.copies(folder, stem)):
        fault = _fault(copy, master)
        if fault is None:
            return copy, tuple(passed)
        passed.append((copy, fault))
    why = "".join(f"; {copy.name}: {fault}" for copy, fault in passed)
    raise UserError(f"{folder} holds no whole copy of {stem}{why}")


def _fault(copy, master):
    """Return why nothing can go on from a copy, or None. SQLite alone calls an empty file a sound one."""
    try:
        if not copy.stat().st_size:
            return "it is empty"
        with contextlib.closing(
            sqlite3.connect(f"{copy.resolve().as_uri()}?immutable=1", uri=True)
        ) as db:
            if db.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                return "it is damaged"
            return _strange(db, master)
    except (sqlite3.DatabaseError, OSError) as failure:
        return f"it cannot be read ({failure})"


def _strange(db, master):
    """Return why a sound file is no archive of ours under this key, or None."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != schema.VERSION and not schema.upgrade(version):
        return f"it is no archive of this plusthree (it says version {version})"
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


def _ours(master, device, generation, event, epoch, frame):
    key = frames.stream_key(frames.board_key(master, device, generation), event, frames.UP, epoch)
    return frames.verify(key, frame)


def leap(archive, unix_ms):
    """Set an archive right that goes on from a copy, at ``unix_ms``; raises UserError at one too many."""
    highest = archive.query("SELECT coalesce(max(below), 1) FROM reserved")[0][0]
    floor = max(highest, archive.floor) + LEAP
    if floor > _HIGHEST:
        raise UserError(
            "this archive was restored too often: give every board a new key (plusthree provision)"
        )
    last = archive.query("SELECT coalesce(max(id), 0) FROM commands")[0][0]
    with archive.transaction():
        sql = "INSERT INTO restores (floor, last_order, unix_ms) VALUES (?, ?, ?)"
        archive.write(sql, floor, last, unix_ms)
