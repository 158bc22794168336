"""The keyed digest at the end of a copy: nobody who changes a copy on the stick can make it anew.

A copy is a SQLite file with a seal appended, which SQLite does not read: ``MAGIC``, the SHA-256 of
everything before it, and an HMAC-SHA256 over the copy's number, size and that digest. It contains
the number so that no older copy passes for the newest.
"""

import hashlib
import hmac
import os
import pathlib
import struct
from typing import BinaryIO, NamedTuple

from host.base import private_files

MAGIC = b"\nplusthree copy 1"
_DIGEST = hashlib.sha256().digest_size
SIZE = len(MAGIC) + 2 * _DIGEST
_BLOCK = 1 << 20


class Broken(Exception):
    """A copy whose seal is missing or does not fit; the text is for people."""


class Unsealed(Broken):
    """A copy without any seal."""


class Sealed(NamedTuple):
    """The content of a seal: the size in bytes of the part that it covers, and that part's
    SHA-256.
    """

    size: int
    digest: bytes


def append(path: pathlib.Path, key: bytes, number: int) -> None:
    """Seal the file at ``path``, which becomes copy ``number``, and sync it. Raises OSError."""
    with open(path, "rb+") as file:
        size = os.fstat(file.fileno()).st_size
        digest = _digest(file, size)
        file.seek(size)
        file.write(MAGIC + digest + _mark(key, number, Sealed(size, digest)))
        file.flush()
        os.fsync(file.fileno())


def check(path: pathlib.Path, key: bytes, number: int) -> Sealed:
    """Return the Sealed of copy ``number``. Raises Broken, and OSError."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size - SIZE
        file.seek(max(size, 0))
        seal = file.read(SIZE)
        if size < 0 or not seal.startswith(MAGIC):
            raise Unsealed("it carries no seal")
        sealed = Sealed(size, seal[len(MAGIC) : -_DIGEST])
        if not hmac.compare_digest(_mark(key, number, sealed), seal[-_DIGEST:]):
            raise Broken("its seal is not of this archive's key and this copy's number")
        file.seek(0)
        if _digest(file, size) != sealed.digest:
            raise Broken("it was changed after it was sealed")
        return sealed


def compute(path: pathlib.Path) -> Sealed:
    """Return the content that a seal over a whole file would have. Raises OSError."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        return Sealed(size, _digest(file, size))


def extract(source: pathlib.Path, target: pathlib.Path, sealed: Sealed) -> None:
    """Copy the sealed part to a new file, and check it again while copying.

    Raises Broken, and OSError. The target stays, for the caller to remove.
    """
    whole, left = hashlib.sha256(), sealed.size
    with private_files.create(target) as written, open(source, "rb") as file:
        while block := file.read(min(left, _BLOCK)):
            whole.update(block)
            written.write(block)
            left -= len(block)
        written.flush()
        os.fsync(written.fileno())
    if whole.digest() != sealed.digest:
        raise Broken("it changed while it was read")


def _mark(key: bytes, number: int, sealed: Sealed) -> bytes:
    content = MAGIC + struct.pack("<QQ", number, sealed.size) + sealed.digest
    return hmac.digest(key, content, "sha256")


def _digest(file: BinaryIO, size: int) -> bytes:
    """Return the SHA-256 of the next ``size`` bytes, or of all that are there."""
    whole = hashlib.sha256()
    while block := file.read(min(size, _BLOCK)):
        whole.update(block)
        size -= len(block)
    return whole.digest()
