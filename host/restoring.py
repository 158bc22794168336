"""An archive brought back from its copies on another laptop, so that the boards go on as they are.

What the lost laptop said after the copy was made is not known, so two things are set right: down
counters begin above any that it can have used, and orders that were waiting are held at each table
until its board has told what became of them.
"""

import os
import pathlib
import shutil
import sqlite3

from host import backup, secret, vault
from host.archive import Archive
from host.errors import Mistake

LEAP = 4096  # down counters that a host may have used up since a copy, and many more
_HIGHEST = 60_000


def restore(folder, path, passphrase, unix_ms, stem=None):
    """Bring the newest whole copy in ``folder`` to ``path`` with its key; return the copy's path."""
    path = pathlib.Path(path)
    if path.exists() or secret.beside(path).exists():
        raise Mistake(f"{path} or its key is there already; give another --archive")
    sealed = _sealed(folder, stem)
    master = vault.unseal(sealed.read_text(encoding="ascii"), passphrase)
    copy = _newest(folder, sealed.stem)
    try:
        shutil.copyfile(copy, path)
        os.chmod(path, 0o600)
        secret.keep(secret.beside(path), master)
        with Archive(path) as archive:
            leap(archive, unix_ms)
    except BaseException:
        path.unlink(missing_ok=True)
        secret.beside(path).unlink(missing_ok=True)
        raise
    return copy


def _sealed(folder, stem):
    found = [backup.keys_of(folder, stem)] if stem else sorted(pathlib.Path(folder).glob("*.keys"))
    found = [path for path in found if path.exists()]
    if len(found) != 1:
        names = ", ".join(path.stem for path in found)
        raise Mistake(f"{folder} holds several archives: give --name, one of {names}" if found
                      else f"{folder} holds no sealed keys of an archive")  # fmt: skip
    return found[0]


def _newest(folder, stem):
    """Return the newest copy that is whole."""
    found = backup.copies(folder, stem)
    for copy in reversed(found):
        try:
            db = sqlite3.connect(f"{copy.resolve().as_uri()}?immutable=1", uri=True)
            whole = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            db.close()
        except sqlite3.DatabaseError:
            whole = False
        if whole:
            return copy
    raise Mistake(f"{folder} holds no whole copy of {stem}")


def leap(archive, unix_ms):
    """Set an archive right that goes on from a copy, at ``unix_ms``; raises Mistake at one too many."""
    highest = archive.query("SELECT coalesce(max(below), 1) FROM reserved")[0][0]
    floor = max(highest, archive.floor) + LEAP
    if floor > _HIGHEST:
        raise Mistake("this archive was restored too often: give every board a new key (plusthree provision)")
    last = archive.query("SELECT coalesce(max(id), 0) FROM commands")[0][0]
    with archive.transaction():
        sql = "INSERT INTO restores (floor, last_order, unix_ms) VALUES (?, ?, ?)"
        archive.write(sql, floor, last, unix_ms)
