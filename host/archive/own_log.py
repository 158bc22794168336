"""Log lines of one archive: where several are served, only its own log file holds them."""

import logging
import pathlib
from typing import TypeAlias

from host.archive import places

_ARCHIVE = "archive"
OwnLog: TypeAlias = "logging.LoggerAdapter[logging.Logger]"


def of(logger: logging.Logger, archive: places.Place) -> OwnLog:
    """Return ``logger`` for lines of an archive alone."""
    return logging.LoggerAdapter(logger, {_ARCHIVE: places.local(archive)})


def whose(line: logging.LogRecord) -> pathlib.Path | None:
    """Return the path of the archive that a line is of, None for one of the whole program."""
    return getattr(line, _ARCHIVE, None)
