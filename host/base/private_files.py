"""The one door by which the host writes files: new ones, beside their place, which they then take;
and how it reads small ones that others can replace.

What others planted there is never written through. A link is replaced, not followed; a file with a
second name keeps its content under that one; a folder, a pipe or a device is refused. Secrets are
their owner's alone. What another program holds open, as Excel does on Windows, cannot be replaced
either. Each refusal is an OSError that names the place.
"""

import contextlib
import errno
import glob
import os
import pathlib
import secrets
import stat
from collections.abc import Iterator
from io import TextIOWrapper
from typing import BinaryIO

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
_LOG = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)  # a pipe is no wait
# Windows has no links to follow here, and other systems no text mode
_ALWAYS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_SECRET, _OPEN = 0o600, 0o666  # of the second the umask takes away
_NO_FILE = "a folder, a pipe or a device is in its place"


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], text: str) -> Iterator[None]:
    """Write a secret ``text`` to a temporary file; rename it to ``path`` if the block ends without
    an error. Raises OSError.
    """
    with part_of(pathlib.Path(path)) as part:
        _write(part, text.encode())
        yield


def write_whole(
    path: str | os.PathLike[str],
    data: str | bytes,
    encoding: str = "utf-8",
    *,
    secret: bool = False,
    new_folder: bool = False,
) -> None:
    """Replace a file and flush it to the disk; a ``new_folder`` is made if it is missing.

    Raises OSError, which names ``path``.
    """
    path = pathlib.Path(path)
    try:
        if new_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with part_of(path, secret) as part:
            _write(part, data.encode(encoding) if isinstance(data, str) else data)
    except OSError as failure:
        raise OSError(failure.errno, failure.strerror, str(path)) from None


@contextlib.contextmanager
def part_of(path: pathlib.Path, secret: bool = True) -> Iterator[pathlib.Path]:
    """Yield an empty file beside ``path`` to write, which takes its place if the block ends without
    an error, and is removed otherwise.

    Nobody can have put a link at its name, which is random. A ``secret`` one is its owner's alone,
    and what a power cut left of the one before is removed. Raises OSError.
    """
    _need_place(path)
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part") if secret else ():
        left.unlink(missing_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    created(part, secret).close()
    try:
        yield part
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def created(path: str | os.PathLike[str], secret: bool = True) -> BinaryIO:
    """Return a new file, open to be written. Raises FileExistsError where anything has its name,
    and OSError.
    """
    return os.fdopen(os.open(path, _NEW | _ALWAYS, _SECRET if secret else _OPEN), "wb")


def text_before(path: pathlib.Path) -> str:
    """Return the text of the file whose place is to be taken, "" where there is none.

    Neither a link nor a file with a second name is read: what is another's is not to be copied.
    Raises OSError, and UnicodeDecodeError.
    """
    return path.read_text(encoding="utf-8") if is_one_file(path) else ""


def log_at(path: pathlib.Path) -> TextIOWrapper:
    """Return a log, open to be written on at its end; a new one begins where a link, or a file with
    a second name, has its place. Raises OSError.
    """
    if not is_one_file(path):
        write_whole(path, "", secret=True)
    file = os.fdopen(os.open(path, _LOG | _ALWAYS, _SECRET), "a", encoding="utf-8")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()  # put there a moment ago
    raise _no_file(path)


def is_one_file(path: pathlib.Path) -> bool:
    """Whether a file is at ``path`` that has no other name; a link is none."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_nlink <= 1  # some file systems count none


def _need_place(path):
    """Raise OSError where what stands at ``path``, or what a link there leads to, is no file."""
    if path.exists() and not path.is_file():
        raise _no_file(path)


def _no_file(path):
    return OSError(errno.EINVAL, _NO_FILE, str(path))


def _write(path, data):
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())  # the board may be unplugged next


def read_small(path: str | os.PathLike[str], most: int) -> bytes:
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
