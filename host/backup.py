"""Copies of an archive in a second place, such as a stick: whole files, the keys beside them sealed.

A copy is complete or not there: it gets its name after it is on the disk. The newest few are kept.
"""

import contextlib
import os
import pathlib

from host import vault
from host.errors import Mistake

KEEP = 12
EVERY_MS = 300_000
_ENDING = ".backup"


def keys_of(folder, archive_path):
    """Return where the sealed keys of an archive lie in ``folder``."""
    return pathlib.Path(folder) / f"{pathlib.Path(archive_path).stem}.keys"


def copies(folder, stem):
    """Return the copies of the archive called ``stem`` in ``folder``, oldest first."""
    found = pathlib.Path(folder).glob(f"{stem}.*{_ENDING}")
    numbered = [(path.name[len(stem) + 1 : -len(_ENDING)], path) for path in found]
    return [path for number, path in sorted((int(n), p) for n, p in numbered if n.isdigit())]


def write(archive, folder):
    """Write a copy into ``folder`` and drop the oldest ones; return its path. Raises Mistake."""
    folder, stem = pathlib.Path(folder), archive.path.stem
    try:
        before = copies(folder, stem)
        number = int(before[-1].name[len(stem) + 1 : -len(_ENDING)]) + 1 if before else 1
        path = folder / f"{stem}.{number}{_ENDING}"
        part = folder / f"{stem}.part"
        part.unlink(missing_ok=True)
        archive.copy_to(part)
        os.replace(part, path)
        _settle(folder)
        for old in copies(folder, stem)[:-KEEP]:
            old.unlink()
        return path
    except Exception as failure:  # the stick was pulled, is full, is read-only: many kinds
        raise Mistake(f"no backup in {folder}: {failure}") from None


def _settle(folder):
    """Put the folder's own entries on the disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def seal_keys(master, archive_path, folder, passphrase, **cost):
    """Put the sealed keys beside the copies, in the place of those of before."""
    path = keys_of(folder, archive_path)
    text = vault.seal(master, passphrase, **cost)
    try:
        part = path.with_suffix(".keys-part")
        part.write_text(text, encoding="ascii")
        with open(part, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(part, path)
        _settle(path.parent)
    except OSError as failure:
        raise Mistake(f"the keys cannot be kept in {folder}: {failure.strerror or failure}") from None


def sealed_text(path):
    """Return the text of a file of sealed keys; raises Mistake when it cannot be read."""
    try:
        return path.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError) as failure:
        raise Mistake(f"{path} cannot be read: {failure}") from None


def keys_there(master, archive_path, folder):
    """Whether the sealed keys in ``folder`` are those of ``master``."""
    try:
        return vault.mark_of(sealed_text(keys_of(folder, archive_path))) == vault.mark(master)
    except Mistake:
        return False


class Keeper:
    """Copies an archive when a round has changed, and every five minutes while anything does."""

    def __init__(self, archive, folder):
        self._archive, self._folder = archive, folder
        self._seen = self._at_ms = None
        self._copied = None

    def step(self, rounds, now_ms):
        """Copy if it is time: ``rounds`` is anything that differs when a round begins or ends.

        Returns lines to show, none when nothing was done.
        """
        due = self._at_ms is None or now_ms - self._at_ms >= EVERY_MS
        if rounds == self._seen and not due:
            return []
        self._seen, self._at_ms = rounds, now_ms
        stamp = self._archive.changes
        if stamp == self._copied:
            return []
        try:
            path = write(self._archive, self._folder)
        except Mistake as mistake:
            return [f"BACKUP FAILED: {mistake}"]
        self._copied = stamp
        return [f"backup: {path}"]
