"""Copies of an archive in a second place, such as a stick: whole files, the keys beside them sealed.

A copy is complete or not there: it gets its name after it is on the disk. The newest few are kept.
"""

import contextlib
import errno
import os
import pathlib
import sqlite3

from host.base.errors import UserError
from host.keys import key_encryption

KEEP = 12
EVERY_MS = 300_000
_ENDING = ".backup"
_SPARED = 2  # copies that are never dropped to make room
_NO_SPACE = errno.ENOSPC, errno.EDQUOT
# what no board can tell after a restore; what the host notes by itself, as each match's nonce, has time
_SETTLED = (
    "SELECT (SELECT max(id) FROM moves), (SELECT count(*) FROM boards), (SELECT max(id) FROM entries),"
    " (SELECT max(id) FROM links), (SELECT count(*) FROM revoked_links),"
    " (SELECT max(id) FROM notices WHERE author <> 'host')"
)


def keys_of(folder, archive_path):
    """Return where the sealed keys of an archive lie in ``folder``."""
    return pathlib.Path(folder) / f"{pathlib.Path(archive_path).stem}.keys"


def copies(folder, stem):
    """Return the copies of the archive called ``stem`` in ``folder``, oldest first."""
    found = pathlib.Path(folder).glob(f"{stem}.*{_ENDING}")
    numbered = [(path.name[len(stem) + 1 : -len(_ENDING)], path) for path in found]
    return [path for number, path in sorted((int(n), p) for n, p in numbered if n.isdigit())]


def write(archive, folder, sealed=None):
    """Write a copy into ``folder`` and drop the oldest ones; return its path. Raises UserError.

    ``sealed`` is the text of the archive's sealed keys, laid beside the copy where they lack. On a full
    stick older copies make room, but for the last two.
    """
    folder, stem = pathlib.Path(folder), archive.path.stem
    part = folder / f"{stem}.part"
    try:
        if sealed:
            _lay(keys_of(folder, archive.path), sealed)
        while True:
            try:
                return _copied(archive, folder, part)
            except (OSError, sqlite3.Error) as failure:
                part.unlink(missing_ok=True)
                if not (_full(failure) and _dropped(copies(folder, stem), _SPARED)):
                    raise
    except UserError:
        raise
    except Exception as failure:  # the stick was pulled, is full, is read-only: many kinds
        raise UserError(f"no backup in {folder}: {failure}; {_way_out(failure)}") from None


def _copied(archive, folder, part):
    stem = archive.path.stem
    before = copies(folder, stem)
    number = int(before[-1].name[len(stem) + 1 : -len(_ENDING)]) + 1 if before else 1
    path = folder / f"{stem}.{number}{_ENDING}"
    part.unlink(missing_ok=True)
    archive.copy_to(part)
    os.replace(part, path)
    _settle(folder)
    while _dropped(copies(folder, stem), KEEP):
        pass
    return path


def _dropped(found, kept):
    """Remove the oldest of the copies ``found`` if there are more than ``kept``; say whether."""
    if len(found) > kept:
        found[0].unlink()
    return len(found) > kept


def _full(failure):
    return (
        getattr(failure, "errno", None) in _NO_SPACE
        or getattr(failure, "sqlite_errorname", "") == "SQLITE_FULL"
    )


def _way_out(failure):
    """Return what a person can do about a copy that failed."""
    if _full(failure):
        return "it is full: take files off it, or plug another stick in at its place"
    return "plug it in again, or another one at its place"


def _lay(path, sealed):
    """Put sealed keys where none are; raise UserError where another archive's are."""
    if not path.exists():
        _put(path, sealed)
    elif key_encryption.mark_of(sealed_text(path)) != key_encryption.mark_of(sealed):
        raise _foreign(path)


def _foreign(path):
    return UserError(
        f"{path.parent} holds the copies of another archive called {path.stem}: "
        "make a folder of its own for this one, and name that"
    )


def _settle(folder):
    """Put the folder's own entries on the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def seal_keys(master, archive_path, folder, passphrase, **cost):
    """Put the sealed keys beside the copies, in the place of what was there before: see ``keys_there``."""
    path = keys_of(folder, archive_path)
    text = key_encryption.encrypt(master, passphrase, **cost)
    try:
        _put(path, text)
    except OSError as failure:
        raise UserError(
            f"the keys cannot be kept in {folder}: {failure.strerror or failure}"
        ) from None


def _put(path, text):
    part = path.with_suffix(".keys-part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_CREAT | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)
    _settle(path.parent)


def sealed_text(path):
    """Return the text of a file of sealed keys; raises UserError when it cannot be read."""
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as failure:
        raise UserError(f"{path} cannot be read: {failure}") from None


def keys_there(master, archive_path, folder, passphrase=None):
    """Whether the sealed keys of ``master`` are in ``folder``, under ``passphrase`` if one is given.

    Raises UserError when those of another archive are, or the passphrase is not theirs.
    """
    path = keys_of(folder, archive_path)
    try:
        text = sealed_text(path)
        mark = key_encryption.mark_of(text)
    except UserError:  # none, or damaged ones, which bring nothing back
        return False
    if mark != key_encryption.mark(master):
        raise _foreign(path)
    if passphrase is not None:
        _opened(path, text, passphrase)
    return True


def _opened(path, text, passphrase):
    try:
        key_encryption.decrypt(text, passphrase)
    except UserError:
        raise UserError(
            f"the keys in {path} are sealed under another passphrase than this: give that one, "
            "or take that file away to seal them anew under this one"
        ) from None


class Keeper:
    """Copies an archive when a round or what the desk settled has changed, and every five minutes while
    anything does."""

    def __init__(self, archive, folder):
        self._archive, self._folder = archive, folder
        self._seen = self._at_ms = None
        self._copied, self._sealed = None, None
        with contextlib.suppress(
            UserError
        ):  # kept for another stick that takes the place of this one
            self._sealed = sealed_text(keys_of(folder, archive.path))

    def step(self, rounds, now_ms):
        """Copy if it is time: ``rounds`` is anything that differs when a round begins or ends.

        Returns lines to show, none when nothing was done.
        """
        due = self._at_ms is None or now_ms - self._at_ms >= EVERY_MS
        seen = rounds, self._archive.query(_SETTLED)
        if seen == self._seen and not due:
            return []
        self._seen, self._at_ms = seen, now_ms
        return self.finish()

    def finish(self):
        """Copy if anything has changed since the last copy; return lines to show."""
        stamp = self._archive.changes
        if stamp == self._copied:
            return []
        try:
            path = write(self._archive, self._folder, self._sealed)
        except UserError as mistake:
            return [f"BACKUP FAILED: {mistake}"]
        self._copied = stamp
        return [f"backup: {path}"]
