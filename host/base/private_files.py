"""Writes files that hold a secret: readable only by their owner, replaced atomically."""

import contextlib
import os
import pathlib
import tempfile
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
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        _write(part, text)
        yield
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise


@contextlib.contextmanager
def part_of(path: pathlib.Path) -> Iterator[pathlib.Path]:
    """Yield an empty file beside ``path`` to write and rename; it is removed where it is left.

    Nobody can have put a link at its name, which is random. Raises OSError.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    part = pathlib.Path(name)
    try:
        yield part
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _write(path, text):
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())  # the board may be unplugged next
