"""Reads an archive without locking it: for results, exports and paper beside ``serve``."""

import contextlib
import pathlib
import sqlite3
from collections.abc import Iterator

from host.archive import places, schema, schema_check, table_shapes
from host.archive.backend import Backend
from host.archive.sqlite_backend import SqliteBackend, require_regular_files
from host.archive.store import Archive
from host.base import errors, installation
from host.base.errors import UserError
from host.event.fold import Hall

EXAMPLE = "examples/winter-cup.csv"
_OLDEST = 3  # results and paper do not need later versions


class ArchiveView(Archive):
    """An Archive opened read-only: it takes no lock, and the database refuses each write.

    Raises UserError if there is no archive, it is another program's, or, with ``need_event``, it
    has no event yet.
    """

    writes = False

    def __init__(self, place: places.Place, need_event: bool = True):
        backend = _open(place)
        shown = places.display_name(place)
        try:
            self._open(place, backend)
            table_shapes.refuse_odd(self, shown)
            if need_event and self.roster.event is None:
                raise UserError(f"{shown} holds no event yet; {first_step(place)}")
        except BaseException:
            backend.close()
            raise

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """While this block is open, all reads see one snapshot, whatever a running host writes."""
        self.backend.begin_reading()
        try:
            yield
        finally:
            self._db.execute("ROLLBACK")

    def now_ms(self, unix_ms: int) -> int:
        """Return the event time in ms at a Unix time in ms, never before the newest archived
        record.
        """
        return max(unix_ms - self.roster.current_event.origin_unix_ms, self.latest_ms)


def first_step(place: places.Place, command: str = "import") -> str:
    """Return a clause that says how to begin an event with a ``command``."""
    example = installation.quote(installation.display_path(installation.file(EXAMPLE)))
    name = installation.quote(places.display_name(place))
    return f"try the example with: plusthree {command} {example} {name}"


def _open(place: places.Place) -> Backend:
    if places.is_address(place):
        return places.server(place).open_read_only()
    path = pathlib.Path(place)
    require_regular_files(path)
    if not path.is_file():
        step = first_step(path)
        raise UserError(f"there is no archive {path}; name the one that is meant, or {step}")
    return SqliteBackend(_connect(path))


def _connect(path: pathlib.Path) -> sqlite3.Connection:
    """Return a connection to a checked archive; raises UserError if it cannot be viewed.

    On a read-only medium SQLite cannot make the log that an archive without one would have. Nobody
    else can write there either, so it is read as it stands.
    """
    try:
        return _checked(path, "mode=ro")
    except sqlite3.DatabaseError as failure:
        name = getattr(failure, "sqlite_errorname", "")  # not of every failure
        if name != "SQLITE_CANTOPEN" or pathlib.Path(f"{path}-wal").exists():
            why = errors.disk_sentence(failure) or failure
            raise UserError(f"{path} cannot be used as an archive: {why}") from None
    return _checked(path, "immutable=1")


def _checked(path: pathlib.Path, mode: str) -> sqlite3.Connection:
    """Return a connection of a ``mode`` to an archive that can be viewed. Raises UserError, and
    DatabaseError.
    """
    db = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, isolation_level=None)
    try:
        fault = _fault(db)
    except BaseException:
        db.close()
        raise
    if fault:
        db.close()
        raise UserError(f"{path} {fault}")
    return db


def _fault(db: sqlite3.Connection) -> str | None:
    """Return why a database is no archive that can be viewed, None if it is one."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if not _OLDEST <= version <= schema.VERSION:
        return f"is not an archive of this plusthree (it says version {version})"
    difference = schema_check.difference(db, version)
    return f"was changed by another program: {difference}" if difference else None


@contextlib.contextmanager
def view(place: places.Place) -> Iterator[tuple[ArchiveView, Hall]]:
    """Yield ``(archive, hall)`` of one snapshot of an archive.

    Raises UserError as ArchiveView does.
    """
    with ArchiveView(place) as archive, archive.snapshot():
        yield archive, Hall(archive)
