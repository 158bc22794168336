"""What one program of ours holds on this PC, so that a second one leaves it: an archive, a radio.

The lock is the system's, so it ends with its program, however that ends. Who holds it is noted
beside it; a note that a crash left behind counts for nothing.
"""

import contextlib
import os
import pathlib
import sys
import tempfile
from typing import Self

import filelock

from host.base import private_files
from host.base.private_files import write_whole
from host.base.sentences import Sentence

FOLDER = pathlib.Path(tempfile.gettempdir())  # for what is this PC's and not a folder's
_SHARED = 0o666  # another person's program asks, too
_MOST = 80  # bytes of the note; another person may have written it


class Hold:
    """The right to use what ``path`` (the lock's file) stands for."""

    def __init__(self, path: str | os.PathLike[str], shared: bool = False):
        self._lock = filelock.FileLock(path, mode=_SHARED) if shared else filelock.FileLock(path)
        self._note = pathlib.Path(f"{path}.by")

    @classmethod
    def of_pc(cls, name: str) -> Self:
        """Return the Hold of a part of this PC."""
        return cls(FOLDER / f"plusthree-{name}.lock", shared=True)

    @property
    def held(self) -> bool:
        """Whether this program has it."""
        return self._lock.is_locked

    def take(self) -> Sentence | None:
        """Take it; return who has it where that is somebody else. Raises OSError."""
        if self.held:
            return None
        try:
            self._lock.acquire(blocking=False)
        except filelock.Timeout:
            return self._holder()
        with contextlib.suppress(OSError):  # only the note of who it is
            write_whole(self._note, f"{_command()} {os.getpid()}")
        return None

    def release(self) -> None:
        """Let go of it."""
        if self.held:
            with contextlib.suppress(OSError):
                self._note.unlink(missing_ok=True)
            self._lock.release()

    def _holder(self) -> Sentence:
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
    """Return the command that runs here, as far as it is a word of ours."""
    word = "".join(sys.argv[1:2])
    return word if word.isascii() and word.isalpha() else "plusthree"
