"""The only functions by which the host writes files: to a new file beside the path, then a rename;
and how it reads small files that others can replace.

So nothing is written through what others have put there. A link is replaced, not followed; a file
with a second name keeps its content under that name; a folder, a pipe or a device is refused. Only
their owner can read secrets. A file that another program holds open, as Excel does on Windows,
cannot be replaced. Each refusal is an OSError with the path.
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
_LOG = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)  # never wait at a pipe
# some of these flags only exist on Windows, others only on other systems
_ALWAYS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_SECRET, _OPEN = 0o600, 0o666  # the umask reduces the second
_NO_FILE = "a folder, a pipe or a device is in its place"


@contextlib.contextmanager
def replace_on_success(path: str | os.PathLike[str], text: str) -> Iterator[None]:
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
    """Replace a file and flush it to the disk. ``secret``: readable by its owner only;
    ``new_folder``: make its folder if that is missing. Raises OSError with the path.
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
    """Yield the path of an empty file beside ``path``; it is renamed to ``path`` if the block ends
    without an error, else removed.

    Its name is random, so nobody can have put a link there. Only the owner can read a ``secret``
    file, and leftovers of it from a power cut are removed. Raises OSError.
    """
    _need_place(path)
    if secret:
        for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.part"):
            leftover.unlink(missing_ok=True)
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    create(part, secret).close()
    try:
        yield part
        os.replace(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def create(path: str | os.PathLike[str], secret: bool = True) -> BinaryIO:
    """Return a new file, open for writing. Raises FileExistsError if anything has its name, and
    OSError.
    """
    return os.fdopen(os.open(path, _NEW | _ALWAYS, _SECRET if secret else _OPEN), "wb")


def text_before(path: pathlib.Path) -> str:
    """Return the text of a file that will be replaced, without a byte order mark; "" if there is
    none.

    Links and files with a second name are not read, as they may be another user's file, which
    would be copied. Raises OSError and UnicodeDecodeError.
    """
    return path.read_text(encoding="utf-8-sig") if is_one_file(path) else ""


def log_at(path: pathlib.Path) -> TextIOWrapper:
    """Return a log file, open for appending; a link, or a file with a second name, is replaced by
    a new log. Raises OSError.
    """
    if not is_one_file(path):
        write_whole(path, "", secret=True)
    file = os.fdopen(os.open(path, _LOG | _ALWAYS, _SECRET), "a", encoding="utf-8")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()  # something else was put there meanwhile
    raise _no_file(path)


def is_one_file(path: pathlib.Path) -> bool:
    """Whether a file without a second name is at ``path``; a link is not a file."""
    try:
        found = path.lstat()
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_nlink <= 1  # some file systems report 0


def _need_place(path):
    """Raise OSError if something other than a file is at ``path``, also by a link."""
    if path.exists() and not path.is_file():
        raise _no_file(path)


def _no_file(path):
    return OSError(errno.EINVAL, _NO_FILE, str(path))


def _write(path, data):
    """Write a file and flush it to the disk."""
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())  # the board may be unplugged next


def read_small(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the content of the file at ``path``.

    Raises OSError, also for more than ``most`` bytes and for anything but a file: reading a pipe
    could wait forever.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no file", str(path))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, "it is too long", str(path))
    return content
