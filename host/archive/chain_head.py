"""The end of an archive's audit log, kept beside its key: a file ``NAME.head``.

Wiping or cutting off the audit log in the archive contradicts this file, which nobody without
the key can make. It holds one line: the number of rows, the last row's mark, and an HMAC over both.
"""

import hmac
import os
import pathlib
import struct
from typing import NamedTuple

from host.archive import places
from host.base import private_files
from host.base.errors import UserError

_LABEL, _TAG = b"head of the audit log", 16
_LONGEST = 200


class ChainHead(NamedTuple):
    """The number of rows of an audit log, and the 16-byte mark of the last one."""

    length: int
    mark: bytes


def path_of(archive_path: places.Place) -> pathlib.Path:
    """Return the path of an archive's head."""
    return places.sibling(archive_path, ".head")


def path_for_key(key_path: str | os.PathLike[str]) -> pathlib.Path:
    """Return the path of the head that lies beside a master key."""
    return path_of(str(key_path).removesuffix(".key"))


def text_of(path: pathlib.Path) -> bytes | None:
    """Return what the file at ``path`` holds, unchecked: None if there is none, b"" if it cannot be
    read.
    """
    try:
        return private_files.read_small(path, _LONGEST)
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def read(path: pathlib.Path, text: bytes | None, key: bytes) -> ChainHead | None:
    """Return the head in ``text_of(path)``, None where there is none; ``key`` is the audit log's.

    Raises UserError for a text that was not written under this key.
    """
    if text is None:
        return None
    try:
        length, mark, tag = text.decode("ascii").split()
        head = ChainHead(int(length), bytes.fromhex(mark))
        if 0 < head.length < 1 << 64 and hmac.compare_digest(_tag(key, head), bytes.fromhex(tag)):
            return head
    except ValueError:
        pass
    raise UserError(
        "{path} was not written under this key, so it cannot tell where the audit log ends; bring"
        " the right one back, or take it away if you know how it came there",
        path=str(path),
    )


def write(path: pathlib.Path, key: bytes, head: ChainHead) -> None:
    """Keep a head in place of the last one. Raises OSError."""
    text = f"{head.length} {head.mark.hex()} {_tag(key, head).hex()}\n"
    private_files.write_whole(path, text, secret=True)


def _tag(key: bytes, head: ChainHead) -> bytes:
    message = _LABEL + struct.pack("<Q", head.length) + head.mark
    return hmac.digest(key, message, "sha256")[:_TAG]
