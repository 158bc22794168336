"""Looking at an archive without holding it: what results, exports and paper need beside ``serve``."""

import contextlib
import pathlib
import sqlite3

from host.archive import schema
from host.archive.store import Archive
from host.base.errors import UserError
from host.event.fold import Hall

_OLDEST = 3  # what came later, results and paper do not need


class ArchiveView(Archive):
    """An Archive opened to be read: it takes no lock, and a write is refused by SQLite.

    Raises UserError when there is no archive, it is not ours, or it holds no event yet.
    """

    def __init__(self, path):
        path = pathlib.Path(path)
        if not path.is_file():
            raise UserError(f"there is no archive {path}; name it with --archive")
        self._open(path, _Free(), _connected(path))
        if self.roster.event is None:
            self.close()
            raise UserError(f"{path} holds no event yet; open one with: plusthree import EVENT.csv")

    @contextlib.contextmanager
    def moment(self):
        """While open, everything read is of one moment, whatever a running host writes."""
        self._db.execute("BEGIN")
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def now_ms(self, unix_ms):
        """Return the event time at a wall time, never before what is archived."""
        return max(unix_ms - self.roster.event.origin_unix_ms, self.latest_ms)

    @property
    def version(self):
        """A number that differs once a running host has written."""
        return self._db.execute("PRAGMA data_version").fetchone()[0]


class _Free:
    """What there is to release of a lock that was not taken."""

    def release(self):
        """Do nothing."""


def _connected(path):
    db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, isolation_level=None)
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.DatabaseError as failure:
        db.close()
        raise UserError(f"{path} cannot be used as an archive: {failure}") from None
    if not _OLDEST <= version <= schema.VERSION:
        db.close()
        raise UserError(f"{path} is not an archive of this plusthree (it says version {version})")
    return db


@contextlib.contextmanager
def viewed(path):
    """Yield ``(archive, hall)`` of an archive at one moment of it."""
    with ArchiveView(path) as archive, archive.moment():
        yield archive, Hall(archive)
