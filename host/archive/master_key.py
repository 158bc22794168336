"""The master key: a secret file beside the archive, made once, readable by its owner alone."""

import os
import pathlib
import secrets

from host.base.errors import UserError

SIZE = 32


def beside(archive_path):
    """Return where the master key of an archive lies."""
    return pathlib.Path(f"{archive_path}.key")


def load(path):
    """Return the 32-byte master key kept at ``path``.

    Raises UserError when it is absent, damaged, or readable by others.
    """
    path = pathlib.Path(path)
    try:
        text = path.read_text(encoding="ascii")
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


def load_or_make(path, draw=secrets.token_bytes):
    """Return the master key at ``path``, made from ``draw(n)`` bytes when there is none yet."""
    path = pathlib.Path(path)
    if path.exists():
        return load(path)
    return keep(path, draw(SIZE))


def keep(path, key):
    """Write a master key to a new file that its owner alone can read; return it."""
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(key.hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        os.unlink(path)  # half a key would be taken for a damaged one
        raise
    return key
