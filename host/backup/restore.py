"""Restores an archive from its copies on another laptop; the boards continue unchanged.

The last acts of the lost laptop after the copy are unknown. So down counters begin above any that
it can have used, and a table's pending orders are held until its board has reported which of them
it carried out.
"""

import contextlib
import pathlib
import sqlite3
from dataclasses import dataclass
from typing import NamedTuple

from firmware.core import frames
from host.archive import audit_log, chain_head, master_key, places, schema, schema_check
from host.archive.store import Archive
from host.backup import backup, copy_seal
from host.base.errors import UserError
from host.keys import key_encryption, signatures

LEAP = 4096  # more down counters than a host can have used since a copy
_HIGHEST = 60_000
_CHECKED_RECORDS = 64  # records of a copy whose tags are checked


@dataclass(frozen=True)
class Restored:
    """The restored copy, when it was made, and ``(path, why)`` of each newer copy that was
    skipped.
    """

    copy: pathlib.Path
    unix_s: float
    passed: tuple[tuple[pathlib.Path, str], ...]


def restore(
    folder: backup.Path,
    path: backup.Path,
    passphrase: str,
    unix_ms: int,
    stem: str | None = None,
    number: int | None = None,
    older: bool = False,
) -> Restored:
    """Restore the newest whole copy in ``folder``, or copy ``number``, to ``path``, with its key.

    ``stem`` names the archive if the folder holds several. ``older``: accept a copy without a seal.
    Raises UserError, also for a changed copy.
    """
    if places.is_address(path):
        raise UserError(
            "plusthree restore makes a file: name one at the end of the line, and serve that here"
            " (docs/hall.md)"
        )
    path = pathlib.Path(path)
    if any(made.exists() for made in _files(path)):
        raise UserError(f"{path} or its key is there already; name another at the end of the line")
    key = _key_file(folder, stem)
    master = key_encryption.decrypt(backup.read_key(key), passphrase)
    chosen = _newest(_choices(folder, key.stem, number), master, older)
    _create(chosen, path, master, unix_ms)
    return Restored(chosen.copy, chosen.copy.stat().st_mtime, chosen.passed)


def _create(chosen: "_Chosen", path: pathlib.Path, master: bytes, unix_ms: int) -> None:
    """Create the archive from a chosen copy, or leave nothing of it."""
    try:
        copy_seal.extract(chosen.copy, path, chosen.sealed)
        master_key.keep(master_key.path_of(path), master)
        with Archive(path) as archive:
            leap_counters(archive, unix_ms)
    except BaseException as failure:
        _undo(path)
        if isinstance(failure, (OSError, sqlite3.Error, copy_seal.Broken)):
            raise UserError(f"{chosen.copy} cannot be brought to {path}: {failure}") from None
        raise


def _files(path: pathlib.Path) -> list[pathlib.Path]:
    """Return the paths of all files of an archive."""
    parts = (pathlib.Path(f"{path}-{part}") for part in ("wal", "shm", "journal"))
    return [path, master_key.path_of(path), chain_head.path_of(path), *parts]


def _undo(path: pathlib.Path) -> None:
    """Remove all files of an archive that could not be restored completely."""
    for made in _files(path):
        with contextlib.suppress(OSError):
            made.unlink(missing_ok=True)


def _key_file(folder: backup.Path, stem: str | None) -> pathlib.Path:
    """Return the path of the one encrypted key in a folder. Raises UserError."""
    if not pathlib.Path(folder).is_dir():
        raise UserError(f"there is no folder {folder}")
    if stem:
        paths = [backup.keys_path(folder, stem)]
    else:
        paths = sorted(pathlib.Path(folder).glob("*.keys"))
    paths = [path for path in paths if path.exists()]
    if not paths:
        below = sorted({str(path.parent) for path in pathlib.Path(folder).glob("*/*.keys")})
        hint = f"; {' and '.join(below)} has them: name that folder" if below else ""
        raise UserError(f"{folder} holds no sealed keys of an archive{hint}")
    if len(paths) > 1:
        names = ", ".join(path.stem for path in paths)
        raise UserError(f"{folder} holds several archives: give --name, one of {names}")
    return paths[0]


class _Chosen(NamedTuple):
    """A whole copy, the content of its seal, and ``(path, reason)`` of each one passed over."""

    copy: pathlib.Path
    sealed: copy_seal.Sealed
    passed: tuple[tuple[pathlib.Path, str], ...]


def _choices(folder: backup.Path, stem: str, number: int | None) -> list[pathlib.Path]:
    """Return the copies to choose from, newest first. Raises UserError for an unknown number."""
    newest_first = backup.copies(folder, stem)[::-1]
    if not newest_first:
        raise UserError(f"{folder} holds no copy of {stem}")
    if number is None:
        return newest_first
    for copy in newest_first:
        if backup.number_of(copy) == number:
            return [copy]
    raise UserError(f"{folder} holds no copy {number} of {stem}")


def _newest(newest_first: list[pathlib.Path], master: bytes, older: bool) -> _Chosen:
    """Return the first whole copy, with ``(path, reason)`` of each damaged one before it. Raises
    UserError for a whole copy whose seal does not fit: somebody may have changed it.
    """
    passed: list[tuple[pathlib.Path, str]] = []
    for at, copy in enumerate(newest_first):
        try:
            sealed = _content_or_fault(copy, master, older)
        except OSError as failure:
            passed.append((copy, f"it cannot be read ({failure})"))
            continue
        fault = _fault(copy, master)
        if fault is not None:  # damaged: passed over, whatever its seal says
            passed.append((copy, fault))
        elif isinstance(sealed, copy_seal.Broken):
            raise UserError(_refusal(copy, sealed, newest_first[at + 1 :], master))
        else:
            return _Chosen(copy, sealed, tuple(passed))
    reasons = "".join(f"; {copy.name}: {fault}" for copy, fault in passed)
    raise UserError(
        f"{newest_first[0].parent if newest_first else 'that'} holds no whole copy{reasons}"
    )


def _content_or_fault(
    copy: pathlib.Path, master: bytes, older: bool
) -> copy_seal.Sealed | copy_seal.Broken:
    """Return the content of a copy's seal, or what is wrong with that. Raises OSError."""
    try:
        return _content(copy, master, older)
    except copy_seal.Broken as fault:
        return fault


def _content(copy: pathlib.Path, master: bytes, older: bool) -> copy_seal.Sealed:
    """Return the content of a copy's seal; without a seal the whole copy, if ``older``."""
    if not copy.is_file():
        raise OSError("it is no file")
    try:
        return copy_seal.check(copy, audit_log.copies_key(master), backup.number_of(copy))
    except copy_seal.Unsealed:
        if not older:
            raise
        return copy_seal.compute(copy)


def _refusal(
    copy: pathlib.Path, broken: copy_seal.Broken, rest: list[pathlib.Path], master: bytes
) -> str:
    """Return the sentence on a changed copy, with the newest whole one."""
    advice = ""
    if isinstance(broken, copy_seal.Unsealed):
        advice = (
            "; a plusthree that made none yet may have kept it: if nobody else had these copies, "
            "give --older"
        )
    try:
        whole = _newest(rest, master, older=False).copy
    except UserError:
        return f"{copy}: {broken}, so somebody may have changed it{advice}"
    return (
        f"{copy}: {broken}, so somebody may have changed it; {whole} is whole: restore that one "
        f"with --copy {backup.number_of(whole)}{advice}"
    )


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
    """Return why an intact file is not an archive of this program under this key, or None."""
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
        f"SELECT device, generation, event, epoch, frame FROM records LIMIT {_CHECKED_RECORDS}"
    ).fetchall()
    if rows and not any(_ours(master, *row) for row in rows):
        return "its records are not of these keys: it is a copy of another archive"
    return None


def _ours(
    master: bytes, device: int, generation: int, event: int, epoch: int, frame: bytes
) -> bool:
    key = frames.stream_key(frames.board_key(master, device, generation), event, frames.UP, epoch)
    return signatures.verify(key, frame)


def leap_counters(archive: Archive, unix_ms: int) -> None:
    """Store in a restored archive that its down counters jump and its pending orders are uncertain.

    Raises UserError after too many restores.
    """
    highest = archive.number("SELECT coalesce(max(below), 1) FROM reserved")
    floor = max(highest, archive.floor) + LEAP
    if floor > _HIGHEST:
        raise UserError(
            "this archive was restored too often: give every board a new key"
            " (plusthree board provision)"
        )
    last = archive.number("SELECT coalesce(max(id), 0) FROM commands")
    with archive.transaction():
        sql = "INSERT INTO restores (floor, last_order, unix_ms) VALUES (?, ?, ?)"
        archive.write(sql, floor, last, unix_ms)
