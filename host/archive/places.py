"""Where an archive is: the path of an SQLite file, or the address of a PostgreSQL database.

Keys never go into a database. Beside a file lie its key, the head of its audit log, its log, the
time that has passed, TOM's file until the close, and the web desk's key and certificate; for a
database they lie in the current folder and are called after it. ``sibling`` alone says where.
"""

import logging
import os
import pathlib
import re
import urllib.parse
from typing import TypeAlias

from host.archive.backend import Backend
from host.base.errors import UserError

Place: TypeAlias = str | os.PathLike[str]
SCHEMES = "postgresql://", "postgres://"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}", re.ASCII)
# of another database, or written wrongly; one letter is a drive of Windows
_ADDRESS_LIKE = re.compile(r"[a-z][a-z0-9+.-]+:/|postgres(ql)?:", re.ASCII | re.IGNORECASE)
_ATTRIBUTE = "archive"
OwnLog: TypeAlias = "logging.LoggerAdapter[logging.Logger]"


class Server(str):
    """An address that can be opened: ``host.hall`` has what does that, for the command line."""

    def open_backend(self, after: int | None = None) -> Backend:
        """Open the archive for writing; ``after`` as in ``Archive``."""
        raise NotImplementedError

    def open_read_only(self) -> Backend:
        """Open the archive for reading alone."""
        raise NotImplementedError


def parse(text: str) -> Place:
    """Return the place that a person typed: a path, or what looks like an address as it is."""
    return text if _ADDRESS_LIKE.match(text) else pathlib.Path(text)


def is_address(place: Place) -> bool:
    """Whether ``place`` is the address of a database server.

    Raises UserError for the address of anything else.
    """
    text = str(place)
    if text.startswith(SCHEMES):
        return True
    if _ADDRESS_LIKE.match(text):
        raise UserError(
            f"{text.partition(':')[0]}:… is no archive's address: give a file, or"
            " postgresql://USER@HOST/NAME (docs/hall.md)"
        )
    return False


def server(place: Place) -> Server:
    """Return an address as what can be opened; whoever takes one from a person has made it that."""
    assert isinstance(place, Server), "an address is made a place by host.cli.options.place"
    return place


def local(place: Place) -> pathlib.Path:
    """Return the path whose name the files beside an archive share: a file's own path.

    Raises UserError for an address that names no database.
    """
    if not is_address(place):
        return pathlib.Path(place)
    try:
        name = urllib.parse.unquote(urllib.parse.urlsplit(str(place)).path.strip("/"))
    except ValueError:  # brackets that do not close
        name = ""
    if not _NAME.fullmatch(name):
        raise UserError(
            f"{display_name(place)} names no database of plain letters: postgresql://USER@HOST/NAME"
        )
    return pathlib.Path(name)


def sibling(place: Place, ending: str) -> pathlib.Path:
    """Return the path of what lies beside an archive: its ``.key``, its ``.log`` and so on.

    Raises UserError for an address that names no database.
    """
    return pathlib.Path(f"{local(place)}{ending}")


def exists(place: Place) -> bool:
    """Whether there is an archive; a database counts as one, opening it shows what it holds."""
    return is_address(place) or pathlib.Path(place).exists()


def display_name(place: Place) -> str:
    """Return what to call an archive in a sentence: an address without its password."""
    if not is_address(place):
        return str(place)
    try:
        parts = urllib.parse.urlsplit(str(place))
    except ValueError:
        return "the archive's address"
    user, _, host = parts.netloc.rpartition("@")
    who = user.partition(":")[0] + "@" if user else ""
    return f"{parts.scheme}://{who}{host}{parts.path}"


def own_log(logger: logging.Logger, archive: Place) -> OwnLog:
    """Return ``logger`` for lines of an archive alone: where several are served, only its own log
    file holds them.
    """
    return logging.LoggerAdapter(logger, {_ATTRIBUTE: local(archive)})


def archive_of_line(line: logging.LogRecord) -> pathlib.Path | None:
    """Return the path of the archive that a line is of, None for one of the whole program."""
    return getattr(line, _ATTRIBUTE, None)
