"""Writing an image on a mounted drive: journals first, then changed files, each read back.

Every step may be cut short by a pulled cable: running it again finishes the work.
"""

import math
import os
import pathlib
import shutil
from collections.abc import Iterable, Mapping

from host.base.errors import UserError

JOURNALS = ("journal0.bin", "journal1.bin")
JOURNAL_BYTES = 256 * 1024
CLUSTER_BYTES = 4096
SPARE_BYTES = 16 * 1024  # folders, boot_out.txt
_CHUNK = 16 * 1024


def _content(path):
    """Return a file's bytes, or None where there is no such file."""
    return path.read_bytes() if path.is_file() else None


def changed_paths(drive: pathlib.Path, image: Mapping[str, bytes]) -> list[str]:
    """Return the paths of ``image`` whose content differs on the drive, in order."""
    return [name for name, data in image.items() if _content(drive / name) != data]


def _size(path):
    return path.stat().st_size if path.is_file() else 0


def _whole_clusters(size):
    return math.ceil(size / CLUSTER_BYTES) * CLUSTER_BYTES


def missing_bytes(drive: pathlib.Path, image: Mapping[str, bytes], names: Iterable[str]) -> int:
    """Return how many bytes the drive lacks for writing ``names`` and the journals; 0: it fits."""
    needed = SPARE_BYTES
    for name in names:
        needed += _whole_clusters(len(image[name])) - _whole_clusters(_size(drive / name))
    for name in JOURNALS:
        needed += max(0, JOURNAL_BYTES - _size(drive / name))
    return max(0, needed - shutil.disk_usage(drive).free)


def journal_is_whole(path: pathlib.Path) -> bool:
    """Whether a journal has its full size, not if missing or cut short; UserError: it is none."""
    data = _content(path) or b""
    if len(data) == JOURNAL_BYTES:
        return True
    if len(data) < JOURNAL_BYTES and not data.strip(b"\xff"):
        return False
    raise UserError(
        f"{path} is no journal of {JOURNAL_BYTES} bytes but is not empty: move it away first"
    )


def _settle(file):
    file.flush()
    os.fsync(file.fileno())


def allocate(path: pathlib.Path) -> bool:
    """Make a journal of 0xFF, or finish one begun; one that is whole is never touched."""
    if journal_is_whole(path):
        return False
    with open(path, "ab") as file:
        for at in range(file.tell(), JOURNAL_BYTES, _CHUNK):
            file.write(b"\xff" * min(_CHUNK, JOURNAL_BYTES - at))
        _settle(file)
    return True


def write(path: pathlib.Path, data: bytes) -> None:
    """Write a file and prove it by reading it back; OSError when it does not read the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
        _settle(file)
        if hasattr(os, "posix_fadvise"):  # so that it is read from the drive, not from memory
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    if _content(path) != data:
        raise OSError(f"{path} does not read back as written")


def replace(path: pathlib.Path, data: bytes) -> None:
    """Write a file as ``write`` does, in one step: until then ``path`` is as it was."""
    beside = path.with_suffix(".new")
    write(beside, data)
    os.replace(beside, path)


def stale(drive: pathlib.Path, image: Mapping[str, bytes]) -> list[pathlib.Path]:
    """Return the files on the drive that would be in the way of the image's.

    All below firmware/ and tests/ that it does not hold; of lib/, which others may use too, the
    sources beside its bytecode: a board looks for a ``.py`` first (``py/builtinimport.c``).
    """
    present = [path for name in ("firmware", "tests") for path in sorted((drive / name).rglob("*"))]
    extra = [path for path in present if path.relative_to(drive).as_posix() not in image]
    compiled = [name for name in image if name.startswith("lib/") and name.endswith(".mpy")]
    sources = [drive / name.replace(".mpy", ".py") for name in compiled]
    return [path for path in extra + sources if path.is_file()]


def remove(folder: pathlib.Path) -> int:
    """Remove a folder, files and all, if it is there; return how many files."""
    count = sum(path.is_file() for path in folder.rglob("*"))
    if folder.is_dir():
        shutil.rmtree(folder)
    return count
