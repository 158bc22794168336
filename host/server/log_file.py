"""The program's log: a rotating file beside the archive, without names of people and without keys.

Our own lines contain only words of the code and numbers. Of other programs' lines and of errors
only their origin is written, because their messages may quote anything. If several archives are
served, each one's file has its own lines and those of the whole program.
"""

import contextlib
import logging
import pathlib
import traceback
from collections.abc import Iterator
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler

from host.archive import places
from host.base import private_files
from host.base.errors import UserError

OURS = "host"
BYTES, OLDER = 500_000, 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"


def path_of(archive_path: places.Place) -> pathlib.Path:
    """Return the path of an archive's log."""
    return places.sibling(archive_path, ".log")


def files(archive_path: places.Place) -> list[pathlib.Path]:
    """Return an archive's log files that exist, the newest first."""
    newest = path_of(archive_path)
    older = [newest.with_name(f"{newest.name}.{number}") for number in range(1, OLDER + 1)]
    return [path for path in (newest, *older) if private_files.is_one_file(path)]


class _Rotating(RotatingFileHandler):
    """Keeps writing to a file that another program holds open, and rotates once it can."""

    def _open(self) -> TextIOWrapper:
        return private_files.log_at(pathlib.Path(self.baseFilename))

    def doRollover(self) -> None:
        with contextlib.suppress(OSError):
            super().doRollover()


class NamelessFormatter(logging.Formatter):
    """Formats a line without typed text and without error messages."""

    def __init__(self) -> None:
        super().__init__(_FORMAT)

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of ``record``, followed by the origin of its error, if any."""
        is_ours = record.name.split(".")[0] == OURS
        message = record.getMessage() if is_ours else "(not kept)"
        nameless = {"msg": message, "args": None, "exc_info": None}
        shown = logging.makeLogRecord({**vars(record), **nameless})
        shown.exc_text, shown.stack_info = None, None
        lines = [super().format(shown)]
        failure = record.exc_info[1] if record.exc_info else None
        if failure is not None:
            lines += origin(failure)
        return "\n".join(lines)


def origin(failure: BaseException) -> list[str]:
    """Return an error's traceback, one place per line, and its type, but not its message."""
    frames = traceback.extract_tb(failure.__traceback__)
    places = [
        f"  {pathlib.Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames
    ]
    return [*places, f"  {type(failure).__name__}"]


@contextlib.contextmanager
def logging_to_file(archive_path: places.Place) -> Iterator[None]:
    """Log beside an archive while the block runs; a full disk is ignored.

    Raises UserError if a folder, a pipe or a device is in its place.
    """
    path = path_of(archive_path)
    if path.exists() and not path.is_file():
        raise UserError(f"{path} is no file: take it away, and see how it came there")
    handler = _Rotating(path, maxBytes=BYTES, backupCount=OLDER, encoding="utf-8", delay=True)
    handler.setFormatter(NamelessFormatter())
    handler.addFilter(
        lambda line: places.archive_of_line(line) in (None, places.local(archive_path))
    )
    handler.handleError = lambda record: None  # a full disk
    root = logging.getLogger()
    ours = logging.getLogger(OURS)
    root.addHandler(handler)
    ours.setLevel(logging.INFO)
    try:
        yield
    finally:
        root.removeHandler(handler)
        other_archives = any(isinstance(each, _Rotating) for each in root.handlers)
        if not other_archives:
            ours.setLevel(logging.NOTSET)
        handler.close()
