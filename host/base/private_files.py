"""Writes whole files: what stands there is replaced at once, or stays. Secrets are their owner's.

What another program holds open, as Excel does on Windows, is no file that can be replaced: OSError.
"""

import contextlib
import glob
import os
import pathlib
import secrets
from collections.abc import Iterator


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], text: str) -> Iterator[None]:
    """Write ``text`` to a temporary file; rename it to ``path`` if the block ends without an error.

    An existing file is replaced, never written to, because others may be able to read it. Raises
    OSError.
    """
    path = pathlib.Path(path).resolve()  # so that a symbolic link is kept
    if path.exists() and not path.is_file():  # /dev/stdout, a pipe
        yield
        path.write_text(text, encoding="utf-8")
        return
    for left in path.parent.glob(f".{glob.escape(path.name)}.*.part"):  # of a power cut: a secret
        left.unlink(missing_ok=True)
    with part_of(path) as part:
        _write(part, text.encode())
        yield
        os.replace(part, path)


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
            os.replace(part, path)
    except OSError as failure:
        raise OSError(failure.errno, failure.strerror or str(failure), str(path)) from None


@contextlib.contextmanager
def part_of(path: pathlib.Path, secret: bool = True) -> Iterator[pathlib.Path]:
    """Yield an empty file beside ``path`` to write and rename; it is removed where it is left.

    Nobody can have put a link at its name, which is random. A ``secret`` one is its owner's alone.
    Raises OSError.
    """
    part = _beside(path, secret)
    try:
        yield part
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _beside(path, secret):
    part = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    mode = 0o600 if secret else 0o666  # what the umask leaves of it
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    return part


def _write(path, data):
    with open(path, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())  # the board may be unplugged next
