"""Reads small files that others can replace: one that is too long, or a pipe, ends nothing."""

import errno
import os
import stat


def read(path: str | os.PathLike[str], most: int) -> bytes:
    """Return what the file at ``path`` holds, ``most`` bytes at the longest.

    Raises OSError, also for a longer one and for what is no file: a pipe would be waited for.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(path))
        held = file.read(most + 1)
    if len(held) > most:
        raise OSError(errno.EFBIG, "it is too long", str(path))
    return held
