"""Files that hold a secret: for their owner alone, and whole or as they were before."""

import contextlib
import os
import pathlib


@contextlib.contextmanager
def replacing(path, text):
    """Put ``text`` on the disk beside ``path`` and let it take that place when the block ends well.

    A file that others could read is not written to but replaced. Raises OSError.
    """
    path = pathlib.Path(path).resolve()  # a link goes on to lead where it led
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


def _write(path, text):
    handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())  # a board's cable is pulled next
