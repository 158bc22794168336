"""The master key: a secret file beside the archive, made once, readable only by its owner."""

import os
import pathlib
import secrets
from collections.abc import Callable

from host.archive import places
from host.base import private_files
from host.base.errors import UserError

SIZE = 32
_LONGEST = 1000


def path_of(archive_path: places.Place) -> pathlib.Path:
    """Return the path of an archive's master key."""
    return places.sibling(archive_path, ".key")


def load(path: str | os.PathLike[str]) -> bytes:
    """Return the 32-byte master key at ``path``.

    Raises UserError when it is missing, damaged, or readable by others.
    """
    path = pathlib.Path(path)
    try:
        text = private_files.read_small(path, _LONGEST).decode("ascii")
    except FileNotFoundError:
        raise UserError(
            f"there is no master key at {path}; provision a board first, or bring the key file "
            "back from the backup"
        ) from None
    except (OSError, UnicodeDecodeError) as failure:
        raise UserError(f"the master key {path} cannot be read: {failure}") from None
    if os.name == "posix" and path.stat().st_mode & 0o077:
        raise UserError(f"the master key {path} is readable by others; run: chmod 600 {path}")
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != SIZE:
        raise UserError(f"the master key {path} is damaged: it must be {2 * SIZE} hex digits")
    return key


def load_or_make(
    path: str | os.PathLike[str], draw: Callable[[int], bytes] = secrets.token_bytes
) -> bytes:
    """Return the master key at ``path``; make it from ``draw(n)`` (n random bytes) if missing."""
    path = pathlib.Path(path)
    if path.exists():
        return load(path)
    return keep(path, draw(SIZE))


def keep(path: str | os.PathLike[str], key: bytes) -> bytes:
    """Write a master key to a new file that only its owner can read; return it. Raises OSError."""
    file = private_files.create(path)
    try:
        with file:
            file.write(f"{key.hex()}\n".encode())
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        os.unlink(path)  # a partial key would be reported as damaged
        raise
    return key
