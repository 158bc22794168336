"""Where an archive is: the path of an SQLite file, or the address of a PostgreSQL database.

Keys never go into a database. Beside a file lie ``NAME.key``, ``NAME.head`` and ``NAME.log``; for a
database they lie in the current folder and are called after it.
"""

import os
import pathlib
import re
import urllib.parse
from typing import TypeAlias

from host.base.errors import UserError

Place: TypeAlias = str | os.PathLike[str]
_SCHEMES = "postgresql://", "postgres://"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}", re.ASCII)


def parsed(text: str) -> Place:
    """Return the place that a person typed: a path, or an address as it is."""
    return text if is_address(text) else pathlib.Path(text)


def is_address(place: Place) -> bool:
    """Whether ``place`` is the address of a database server."""
    return str(place).startswith(_SCHEMES)


def local(place: Place) -> pathlib.Path:
    """Return the path that an archive's key, head and log are called after: a file's own path.

    Raises UserError for an address that names no database.
    """
    if not is_address(place):
        return pathlib.Path(place)
    name = urllib.parse.unquote(urllib.parse.urlsplit(str(place)).path.strip("/"))
    if not _NAME.fullmatch(name):
        raise UserError(
            f"{shown(place)} names no database of plain letters: postgresql://USER@HOST/NAME"
        )
    return pathlib.Path(name)


def exists(place: Place) -> bool:
    """Whether there is an archive; a database counts as one, opening it shows what it holds."""
    return is_address(place) or pathlib.Path(place).exists()


def shown(place: Place) -> str:
    """Return what to call an archive in a sentence: an address without its password."""
    if not is_address(place):
        return str(place)
    parts = urllib.parse.urlsplit(str(place))
    user, _, host = parts.netloc.rpartition("@")
    who = user.partition(":")[0] + "@" if user else ""
    return f"{parts.scheme}://{who}{host}{parts.path}"
