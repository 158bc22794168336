"""Locks that one process of this program takes on this PC: on an archive, on a radio.

The operating system's lock ends with its process, also after a crash. A note beside it names the
holder; the note alone, as a crash leaves it behind, locks nothing.
"""

import contextlib
import os
import pathlib
import sys
import tempfile
from typing import Self

from host.base import private_files
from host.base.private_files import write_whole
from host.base.sentences import Sentence

FOLDER = pathlib.Path(tempfile.gettempdir())  # of locks on a part of this PC
_SHARED = 0o666  # programs of other users must be able to lock it, too
_MOST = 80  # bytes read of the note, which another user may have written


class Hold:
    """A lock with the file ``path``; ``shared``: other users can take it, too."""

    def __init__(self, path: str | os.PathLike[str], shared: bool = False):
        import filelock  # with asyncio it takes longer than a command that only reads an archive

        self._lock = filelock.FileLock(path, mode=_SHARED) if shared else filelock.FileLock(path)
        self._timeout = filelock.Timeout
        self._note = pathlib.Path(f"{path}.by")

    @classmethod
    def of_pc(cls, name: str) -> Self:
        """Return the Hold on a part of this PC."""
        return cls(FOLDER / f"plusthree-{name}.lock", shared=True)

    @property
    def held(self) -> bool:
        """Whether this program holds the lock."""
        return self._lock.is_locked

    def take(self) -> Sentence | None:
        """Take the lock; return None, or a Sentence that names another holder. Raises OSError."""
        if self.held:
            return None
        try:
            self._lock.acquire(blocking=False)
        except self._timeout:
            return self._holder()
        with contextlib.suppress(OSError):  # the note is not needed for the lock
            write_whole(self._note, f"{_command()} {os.getpid()}")
        return None

    def release(self) -> None:
        """Release the lock, if it is held."""
        if self.held:
            with contextlib.suppress(OSError):
                self._note.unlink(missing_ok=True)
            self._lock.release()

    def _holder(self) -> Sentence:
        """Return the holder in words, from its note."""
        try:
            command, number = private_files.read_small(self._note, _MOST).decode("ascii").split()
        except (OSError, ValueError):
            command = number = ""
        if not (command.isalpha() and number.isdigit()):
            return Sentence("another plusthree")
        return Sentence(
            "another plusthree ({command}, process {number})", command=command, number=number
        )


def _command() -> str:
    """Return this process' command if it is a plain word, else the program's name."""
    word = "".join(sys.argv[1:2])
    return word if word.isascii() and word.isalpha() else "plusthree"
