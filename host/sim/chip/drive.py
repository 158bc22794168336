"""A laid folder as the FAT drive of a board: where its files lie in the flash, and what a file does
there.

Only the journals are written while a program runs, so they lie at blocks of their own, one after
the other and not at a sector's start (docs/board.md, Flash). All else is read from the folder.
``close`` and ``flush`` of a file that was written bring the directory's sector out (``ff.c``
f_sync).
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import TextIO

from host.boards.deploy.drive import JOURNALS
from host.sim.chip.flash import BLOCK, External, Internal

SIZE = 2 * 1024 * 1024
DIRECTORY = 3  # a block of the sector that boot record, FAT and root directory share
FIRST = 901  # of the first journal: not at the start of a sector of eight blocks
_READABLE, _WRITABLE = frozenset("rwxa+bt"), frozenset("wxa+")


class Drive:
    """The files of ``folder``; ``writable`` says whether Python may write (``filesystem.c``)."""

    def __init__(self, folder: Path, flash: External | Internal):
        self.folder, self.flash, self.spend = folder, flash, flash.spend
        self.usb_writable, self.flushed = True, 0
        self._places = {}
        at = FIRST
        flash.lay(DIRECTORY, b"\x01" * BLOCK)
        for name in JOURNALS:
            path = folder / name
            if path.is_file():
                at = self._lay(path, at)

    def _lay(self, path, at):
        data = path.read_bytes()
        self._places[path.name] = (at, len(data))
        for start in range(0, len(data) - BLOCK + 1, BLOCK):
            if data[start : start + BLOCK].strip(b"\xff"):
                self.flash.lay(at + start // BLOCK, data[start : start + BLOCK])
        return at + -(-len(data) // BLOCK)

    @property
    def readonly(self) -> bool:
        """Whether it is closed to Python because a PC may write
        (``filesystem_is_writable_by_python``).
        """
        return self.usb_writable

    def path(self, name: str) -> Path:
        """Return where ``name`` lies in the folder."""
        return self.folder / name.lstrip("/")

    def open(self, name: str, mode: str = "r") -> Journal | Reading | TextIO:
        """Open a file as ``fat_vfs_open`` does; ValueError for a bad mode, OSError with
        its number.
        """
        kinds = [sum(mode.count(one) for one in group) for group in ("rwxa", "+", "bt")]
        if kinds[0] != 1 or max(kinds) > 1 or set(mode) - _READABLE:
            raise ValueError("Invalid mode")
        if _WRITABLE & set(mode) and self.readonly:
            raise OSError(errno.EROFS, "Read-only filesystem")
        if not self.path(name).is_file():
            raise OSError(errno.ENOENT, name)
        place = self._places.get(name.lstrip("/"))
        self.spend("fat_open_us", 1)
        if place and "b" in mode:
            return Journal(self, *place)
        if _WRITABLE & set(mode):
            raise AssertionError(f"{name}: a running program writes its journals alone")
        if "b" in mode:
            return Reading(open(self.path(name), "rb"), self.spend)
        self.spend("flash_read_us", _blocks(self.path(name).stat().st_size))
        return open(self.path(name), encoding="utf-8")

    def load(self, path: Path) -> bytes:
        """Return the bytes of the program's file at ``path``, found and read whole."""
        data = path.read_bytes()
        self.spend("fat_open_us", 1)
        self.spend("flash_read_us", _blocks(len(data)))
        return data

    def sync(self) -> None:
        """Bring the flash's cache out, and no file's directory entry (``os.sync``)."""
        self.flash.flush()

    def touch_directory(self) -> None:
        """Rewrite the sector of boot record, FAT and directory, as a flush or close does."""
        self.flushed += 1
        self.flash.write(DIRECTORY, self.flash.read(DIRECTORY))
        self.flash.flush()


def _blocks(size: int) -> int:
    return -(-size // BLOCK)


class Reading:
    """An open file that is only read: each block that it comes to is read off the flash (``ff.c``
    f_read).
    """

    def __init__(self, file: BufferedReader, spend: Callable[[str, int], None]):
        self._file, self._spend, self._block = file, spend, None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place and return it; walking the FAT's chain costs time (``ff.c`` f_lseek)."""
        self._spend("fat_seek_us", 1)
        return self._file.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        """Return so many bytes, or the rest."""
        return self._paid(self._file.read, size)

    def readinto(self, buffer: bytearray) -> int:
        """Read into a buffer; return how many bytes."""
        return self._paid(self._file.readinto, buffer)

    def _paid(self, read, asked):
        first = self._file.tell() // BLOCK
        found, last = read(asked), max(0, self._file.tell() - 1) // BLOCK
        self._spend("flash_read_us", last - first + (first != self._block))
        self._block = last
        return found

    def close(self) -> None:
        """Be no more."""
        self._file.close()


class Journal:
    """An open journal: whole blocks in their places go straight to the flash."""

    def __init__(self, drive: Drive, first: int, size: int):
        self._drive, self._first, self._size = drive, first, size
        self._at, self._written = 0, False

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place and return it; walking the FAT's chain costs time (``ff.c`` f_lseek)."""
        self._drive.spend("fat_seek_us", 1)
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def read(self, size: int) -> bytes:
        """Return whole blocks."""
        parts = [
            self._drive.flash.read(self._block(at))
            for at in range(self._at, self._at + size, BLOCK)
        ]
        self._at += size
        return b"".join(parts)

    def readinto(self, buffer: bytearray) -> int:
        """Read whole blocks into a buffer; return how many bytes."""
        buffer[:] = self.read(len(buffer))
        return len(buffer)

    def write(self, data: bytes) -> int:
        """Write whole blocks and return how many bytes that were."""
        for at in range(0, len(data), BLOCK):
            self._drive.flash.write(self._block(self._at + at), data[at : at + BLOCK])
        self._at += len(data)
        self._written = True
        return len(data)

    def _block(self, offset):
        if offset % BLOCK or not 0 <= offset <= self._size - BLOCK:
            raise AssertionError(
                f"a program reads and writes whole blocks of its journals, not at {offset}"
            )
        return self._first + offset // BLOCK

    def flush(self) -> None:
        """Bring the directory out where something was written."""
        if self._written:
            self._drive.touch_directory()
            self._written = False

    def close(self) -> None:
        """Flush, and be no more."""
        self.flush()
