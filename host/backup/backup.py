"""Copies of an archive in a second place, such as a stick, with the encrypted master key.

A copy gets its name only when it is on the disk, so it is never partial. It is sealed under the
archive's key (``copy_seal``). Only the newest few stay.
"""

import contextlib
import errno
import glob
import os
import pathlib
import re
import sqlite3
from collections.abc import Hashable
from typing import TypeAlias

from host.archive.database import SqlRow
from host.archive.store import Archive
from host.backup import copy_seal
from host.base import private_files
from host.base.errors import UserError
from host.keys import key_encryption

Path: TypeAlias = str | os.PathLike[str]

KEEP = 12
EVERY_MS = 300_000
AGAIN_MS = 30_000  # after a failure: the stick may be back
_ENDING = ".backup"
_LAST = 999_999_999
_LONGEST_KEYS = 1 << 16
_SPARED = 2  # copies that are never deleted to make space
_NO_SPACE = errno.ENOSPC, errno.EDQUOT
# the desk's decisions, which no board can report after a restore; notices that the host stores by
# itself, such as a match's nonce, need no copy at once
_DESK_STATE = (
    "SELECT (SELECT max(id) FROM moves), (SELECT count(*) FROM boards), (SELECT max(id) FROM"
    " entries), (SELECT max(id) FROM links), (SELECT count(*) FROM revoked_links), (SELECT max(id)"
    " FROM notices WHERE author <> 'host')"
)


def keys_path(folder: Path, archive_path: Path) -> pathlib.Path:
    """Return the path of an archive's encrypted key in ``folder``."""
    return pathlib.Path(folder) / f"{pathlib.Path(archive_path).stem}.keys"


def copies(folder: Path, stem: str) -> list[pathlib.Path]:
    """Return the copies of the archive ``stem`` in ``folder``, oldest first."""
    name = re.compile(re.escape(stem) + r"\.[1-9][0-9]{0,8}" + re.escape(_ENDING), re.ASCII)
    paths = (path for path in pathlib.Path(folder).iterdir() if name.fullmatch(path.name))
    return sorted(paths, key=number_of)


def number_of(copy: pathlib.Path) -> int:
    """Return a copy's number, which is in its name."""
    return int(copy.name[: -len(_ENDING)].rpartition(".")[2])


def write(archive: Archive, folder: Path, key_text: str | None = None) -> pathlib.Path:
    """Write a copy into ``folder`` and remove the oldest ones; return its path. Raises UserError.

    ``key_text`` is the archive's encrypted key, written beside the copy if missing. On a full stick
    the oldest copies are deleted, but never the last two.
    """
    folder, stem = pathlib.Path(folder), archive.path.stem
    try:
        if key_text:
            _write_missing_key(keys_path(folder, archive.path), key_text)
        while True:
            try:
                return _write_copy(archive, folder)
            except (OSError, sqlite3.Error) as failure:
                made_room = _full(failure) and _drop_oldest(copies(folder, stem), _SPARED)
                if not made_room:
                    raise
    except UserError:
        raise
    except Exception as failure:  # the stick was pulled, is full, or read-only: many types
        raise UserError(f"no backup in {folder}: {failure}; {_advice(failure)}") from None


def _write_copy(archive: Archive, folder: pathlib.Path) -> pathlib.Path:
    stem = archive.path.stem
    before = copies(folder, stem)
    number = number_of(before[-1]) + 1 if before else 1
    if number > _LAST:
        raise UserError(f"{before[-1]} is no copy of this program: take it away")
    path = folder / f"{stem}.{number}{_ENDING}"
    for partial in folder.glob(f".{glob.escape(stem)}.*{_ENDING}.*.part*"):  # left by a power cut
        partial.unlink(missing_ok=True)
    with private_files.part_of(path) as part:
        archive.copy_to(part)
        copy_seal.append(part, archive.audit_log.copies_key, number)
    _sync_folder(folder)
    while _drop_oldest(copies(folder, stem), KEEP):
        pass
    return path


def _drop_oldest(paths: list[pathlib.Path], kept: int) -> bool:
    """Remove the oldest of the copies if there are more than ``kept``; return whether it did."""
    paths = [path for path in paths if path.is_file()]
    if len(paths) > kept:
        paths[0].unlink()
    return len(paths) > kept


def _full(failure: Exception) -> bool:
    return (
        getattr(failure, "errno", None) in _NO_SPACE
        or getattr(failure, "sqlite_errorname", "") == "SQLITE_FULL"
    )


def _advice(failure: Exception) -> str:
    """Return what to do about a copy that failed."""
    if _full(failure):
        return "it is full: take files off it, or plug another stick in at its place"
    return "plug it in again, or another one at its place"


def _write_missing_key(path: pathlib.Path, key_text: str) -> None:
    """Write an encrypted key if there is none; raise UserError if there is another archive's."""
    if not path.exists():
        _write_key(path, key_text)
        return
    theirs = key_encryption.fingerprint_of(read_key(path))
    if theirs != key_encryption.fingerprint_of(key_text):
        raise _foreign(path)


def _foreign(path: pathlib.Path) -> UserError:
    return UserError(
        f"{path.parent} holds the copies of another archive called {path.stem}: "
        "make a folder of its own for this one, and name that"
    )


def _sync_folder(folder: pathlib.Path) -> None:
    """Sync the folder's own entries to the disk, if the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_key(
    master: bytes,
    archive_path: Path,
    folder: Path,
    passphrase: str,
    cost: int | None = None,
) -> None:
    """Write the encrypted key beside the copies, replacing any; see ``has_key``.

    ``cost`` is scrypt's. Raises UserError.
    """
    path = keys_path(folder, archive_path)
    if cost is None:
        text = key_encryption.encrypt(master, passphrase)
    else:
        text = key_encryption.encrypt(master, passphrase, cost=cost)
    try:
        _write_key(path, text)
    except OSError as failure:
        raise UserError(
            f"the keys cannot be kept in {folder}: {failure.strerror or failure}; name a folder"
            " that can be written"
        ) from None


def _write_key(path: pathlib.Path, text: str) -> None:
    private_files.write_whole(path, text, "ascii", secret=True)
    _sync_folder(path.parent)


def read_key(path: pathlib.Path) -> str:
    """Return the text of an encrypted key; raises UserError if it cannot be read."""
    try:
        return private_files.read_small(path, _LONGEST_KEYS).decode("ascii")
    except (OSError, UnicodeDecodeError) as failure:
        raise UserError(f"{path} cannot be read: {failure}") from None


def has_key(master: bytes, archive_path: Path, folder: Path, passphrase: str | None) -> bool:
    """Whether ``folder`` holds the encrypted ``master``, under ``passphrase`` if one is given.

    Raises UserError if it holds another archive's key, or the passphrase differs.
    """
    path = keys_path(folder, archive_path)
    try:
        text = read_key(path)
        fingerprint = key_encryption.fingerprint_of(text)
    except UserError:  # missing or damaged: it restores nothing
        return False
    if fingerprint != key_encryption.fingerprint(master):
        raise _foreign(path)
    if passphrase is not None:
        _require_passphrase(path, text, passphrase)
    return True


def _require_passphrase(path: pathlib.Path, text: str, passphrase: str) -> None:
    try:
        key_encryption.decrypt(text, passphrase)
    except UserError:
        raise UserError(
            f"the keys in {path} are sealed under another passphrase than this: give that one, "
            "or take that file away to seal them anew under this one"
        ) from None


class BackupSchedule:
    """Copies an archive after each round and each decision of the desk, and at least every five
    minutes.
    """

    def __init__(self, archive: Archive, folder: Path):
        self._archive, self._folder = archive, folder
        # at the last try: the rounds, and the desk's decisions
        self._last_state: tuple[Hashable, list[SqlRow]] | None = None
        self._tried_ms: int | None = None
        self._copied_changes: int | None = None  # the archive's ``changes`` at the last copy
        self.failure: UserError | None = None  # why the last try made no copy
        self._key_text: str | None = None  # kept for a stick that takes the place of this one
        with contextlib.suppress(UserError):  # this one has none yet
            self._key_text = read_key(keys_path(folder, archive.path))

    def step(self, rounds: Hashable, now_ms: int) -> list[str]:
        """Copy if it is time; return lines to show, none if nothing was done.

        ``rounds`` is any value that differs after a round has begun or ended; ``now_ms`` is event
        time.
        """
        every_ms = AGAIN_MS if self.failure else EVERY_MS
        due = self._tried_ms is None or now_ms - self._tried_ms >= every_ms
        state = rounds, self._archive.query(_DESK_STATE)
        if state == self._last_state and not due:
            return []
        self._last_state, self._tried_ms = state, now_ms
        return self.finish()

    def finish(self) -> list[str]:
        """Copy if anything has changed since the last copy; return lines to show."""
        changes = self._archive.changes
        if changes == self._copied_changes:
            return []
        try:
            path = write(self._archive, self._folder, self._key_text)
        except UserError as mistake:
            is_known = str(self.failure) == str(mistake)
            self.failure = mistake
            return [] if is_known else [f"BACKUP FAILED: {mistake}"]
        self._copied_changes, self.failure = changes, None
        return [f"backup: {path}"]
