"""Reads an archive without locking it: for results, exports and paper beside ``serve``."""

import contextlib
import os
import pathlib
import sqlite3
from collections.abc import Iterator

from host.archive import schema, schema_check
from host.archive.store import Archive
from host.base.errors import UserError
from host.event.fold import Hall

_OLDEST = 3  # results and paper do not need later versions


class ArchiveView(Archive):
    """An Archive opened read-only: it takes no lock, and SQLite refuses each write.

    Raises UserError if there is no archive, it is not ours, or it has no event yet.
    """

    def __init__(self, path: str | os.PathLike[str]):
        path = pathlib.Path(path)
        if not path.is_file():
            raise UserError(f"there is no archive {path}; name it with --archive")
        self._open(path, _Free(), _connected(path))
        self._refuse_odd()
        if self.roster.event is None:
            self.close()
            raise UserError(f"{path} holds no event yet; open one with: plusthree import EVENT.csv")

    @contextlib.contextmanager
    def moment(self) -> Iterator[None]:
        """While this block is open, all reads see one snapshot, whatever a running host writes."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def now_ms(self, unix_ms: int) -> int:
        """Return the event time in ms at a Unix time in ms, never before the newest archived
        record.
        """
        return max(unix_ms - self.roster.current_event.origin_unix_ms, self.latest_ms)


class _Free:
    """A null object in place of the lock."""

    def release(self) -> None:
        """Do nothing."""


def _connected(path: pathlib.Path) -> sqlite3.Connection:
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        wrong = _wrong(db)
    except sqlite3.DatabaseError as failure:
        wrong = f"cannot be used as an archive: {failure}"
    if wrong:
        db.close()
        raise UserError(f"{path} {wrong}")
    return db


def _wrong(db: sqlite3.Connection) -> str | None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if not _OLDEST <= version <= schema.VERSION:
        return f"is not an archive of this plusthree (it says version {version})"
    wrong = schema_check.difference(db, version)
    return f"was changed by another program: {wrong}" if wrong else None


@contextlib.contextmanager
def viewed(path: str | os.PathLike[str]) -> Iterator[tuple[ArchiveView, Hall]]:
    """Yield ``(archive, hall)`` of one snapshot of an archive.

    Raises UserError as ArchiveView does.
    """
    with ArchiveView(path) as archive, archive.moment():
        yield archive, Hall(archive)
