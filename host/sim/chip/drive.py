"""A deployed folder as a board's FAT drive, with the effect of its file operations on the flash.

A running program writes only the journals. They alone have blocks in the simulated flash, one after
the other and not aligned to a sector (docs/board.md, Flash); all other files are read from the
folder. ``close`` and ``flush`` of a file that was written rewrite the directory's sector (``ff.c``
f_sync).
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from io import BufferedReader
from pathlib import Path
from typing import TextIO

from host.boards.deploy.drive import JOURNALS
from host.sim.chip.flash import BLOCK, Internal

SIZE = 2 * 1024 * 1024
DIRECTORY = 3  # a block of the sector that holds the boot record, the FAT and the root directory
FIRST = 901  # first block of the first journal: not at the start of a sector of eight blocks
_LETTERS, _WRITABLE = frozenset("rwxa+bt"), frozenset("wxa+")  # of a mode


class Drive:
    """The files of ``folder``; ``usb_writable``: a PC may write and Python not (filesystem.c)."""

    def __init__(self, folder: Path, flash: Internal):
        self.folder, self.flash, self.spend = folder, flash, flash.spend
        self.usb_writable, self.flushed = True, 0
        self.places: dict[str, tuple[int, int]] = {}  # of the journals: first block, bytes
        at = FIRST
        flash.lay(DIRECTORY, b"\x01" * BLOCK)
        for name in JOURNALS:
            path = folder / name
            if path.is_file():
                at = self._lay(path, at)

    def _lay(self, path, at):
        data = path.read_bytes()
        self.places[path.name] = (at, len(data))
        for start in range(0, len(data) - BLOCK + 1, BLOCK):
            if data[start : start + BLOCK].strip(b"\xff"):
                self.flash.lay(at + start // BLOCK, data[start : start + BLOCK])
        return at + -(-len(data) // BLOCK)

    @property
    def readonly(self) -> bool:
        """Whether Python may not write, since a PC may (``filesystem_is_writable_by_python``)."""
        return self.usb_writable

    def path(self, name: str) -> Path:
        """Return the path of ``name`` in the folder."""
        return self.folder / name.lstrip("/")

    def open(self, name: str, mode: str = "r") -> Journal | Reading | TextIO:
        """Open a file as ``fat_vfs_open`` does.

        ValueError for an invalid mode, OSError EROFS when Python may not write, OSError ENOENT when
        the file does not exist, AssertionError for writing anything but a journal.
        """
        letters, writes = set(mode), bool(_WRITABLE & set(mode))
        one_kind = sum(mode.count(letter) for letter in "rwxa") == 1
        repeated = mode.count("+") > 1 or mode.count("b") + mode.count("t") > 1
        if not one_kind or repeated or letters - _LETTERS:
            raise ValueError("Invalid mode")
        if writes and self.readonly:
            raise OSError(errno.EROFS, "Read-only filesystem")
        if not self.path(name).is_file():
            raise OSError(errno.ENOENT, name)
        place = self.places.get(name.lstrip("/"))
        self.spend("fat_open_us", 1)
        if place and "b" in mode:
            return Journal(self, *place)
        if writes:
            raise AssertionError(f"{name}: a running program writes its journals alone")
        if "b" in mode:
            return Reading(open(self.path(name), "rb"), self.spend)
        self.spend("flash_read_us", _blocks(self.path(name).stat().st_size))
        return open(self.path(name), encoding="utf-8")

    def load(self, path: Path) -> bytes:
        """Return the content of the program's file at ``path``, charging its open and reads."""
        data = path.read_bytes()
        self.spend("fat_open_us", 1)
        self.spend("flash_read_us", _blocks(len(data)))
        return data

    def journals(self) -> dict[str, bytes]:
        """Return ``{name: bytes}`` of the journals, as a PC finds them once it has the drive."""
        return {
            name: b"".join(self.flash.raw(first + at) for at in range(size // BLOCK))
            for name, (first, size) in self.places.items()
        }

    def touch_directory(self) -> None:
        """Rewrite the directory's sector, as the flush or close of a written file does."""
        self.flushed += 1
        self.flash.write(DIRECTORY, self.flash.read(DIRECTORY))


def _blocks(size: int) -> int:
    return -(-size // BLOCK)


class _File:
    """A file that closes at the end of its ``with``."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        """Close the file."""
        raise NotImplementedError


class Reading(_File):
    """A file open for reading: entering a block charges one flash read (``ff.c`` f_read)."""

    def __init__(self, file: BufferedReader, spend: Callable[[str, int], None]):
        self._file, self._spend, self._block = file, spend, None

    def seek(self, offset: int, whence: int = 0) -> int:
        """Set the position and return it; following the FAT chain costs time (``ff.c`` f_lseek)."""
        self._spend("fat_seek_us", 1)
        return self._file.seek(offset, whence)

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, all that remain for -1."""
        return self._paid(self._file.read, size)

    def readinto(self, buffer: bytearray) -> int:
        """Read into ``buffer``; return the number of bytes read."""
        return self._paid(self._file.readinto, buffer)

    def _paid(self, read, asked):
        """Return what ``read`` reads, charging the blocks that it enters."""
        first = self._file.tell() // BLOCK
        found = read(asked)
        last = max(0, self._file.tell() - 1) // BLOCK
        entered = last - first if first == self._block else last - first + 1
        self._spend("flash_read_us", entered)
        self._block = last
        return found

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Journal(_File):
    """An open journal: reads and writes are whole, aligned 512-byte blocks of the flash.

    AssertionError for any other position.
    """

    def __init__(self, drive: Drive, first: int, size: int):
        self._drive, self._first, self._size = drive, first, size
        self._at, self._written = 0, False

    def seek(self, offset: int, whence: int = 0) -> int:
        """Set the position and return it; following the FAT chain costs time (``ff.c`` f_lseek)."""
        self._drive.spend("fat_seek_us", 1)
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def read(self, size: int) -> bytes:
        """Return ``size`` bytes, whole blocks."""
        parts = [
            self._drive.flash.read(self._block(at))
            for at in range(self._at, self._at + size, BLOCK)
        ]
        self._at += size
        return b"".join(parts)

    def readinto(self, buffer: bytearray) -> int:
        """Fill ``buffer`` with whole blocks; return its length."""
        buffer[:] = self.read(len(buffer))
        return len(buffer)

    def write(self, data: bytes) -> int:
        """Write whole blocks and return the number of bytes."""
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
        """Rewrite the directory's sector if anything was written since the last flush."""
        if self._written:
            self._drive.touch_directory()
            self._written = False

    def close(self) -> None:
        """Flush the file; a journal needs no other closing."""
        self.flush()
