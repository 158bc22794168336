"""Counts the pieces of a file on a FAT drive: off the drive itself, as a PC can and a board cannot.

``path`` is the drive as a device (``/dev/sdb1``, ``/dev/sdb``) or a copy of it. FAT12 and FAT16, as
CircuitPython makes them; files of the root directory.
"""

import struct
from collections.abc import Iterable

from host.base.errors import UserError

_SECTOR, _ENTRY = 512, 32
_FAT12_MOST = 4085  # clusters; more is FAT16


def pieces(path: str, names: Iterable[str]) -> dict[str, int]:
    """Return ``{name: pieces}``, 0 for no such file; UserError: it is no drive that can be read."""
    try:
        with open(path, "rb") as drive:
            return _count(drive, names)
    except PermissionError as error:
        raise UserError(f"{path}: permission denied; run the same as administrator") from error
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror or error}") from error
    except (struct.error, IndexError, ZeroDivisionError) as error:
        raise UserError(f"{path} is no drive of a board's") from error


def _count(drive, names):
    volume = _volume(drive)

    def read(sector, size):
        drive.seek((volume + sector) * _SECTOR)
        return drive.read(size)

    boot = read(0, _SECTOR)  # its sizes are in sectors
    fields = struct.unpack_from("<HBHBHHBH", boot, 11)
    _, per_cluster, fat_at, fats, entries, volume_size, _, fat_size = fields
    volume_size = volume_size or struct.unpack_from("<I", boot, 32)[0]  # of a large volume
    root_at, root_size = fat_at + fats * fat_size, entries * _ENTRY // _SECTOR
    clusters = (volume_size - root_at - root_size) // per_cluster
    followers = _followers(read(fat_at, fat_size * _SECTOR), clusters >= _FAT12_MOST)
    begins = _files(read(root_at, entries * _ENTRY))
    return {name: _runs(begins.get(name.upper(), 0), followers[: clusters + 2]) for name in names}


def _volume(drive):
    """Return the sector that the volume begins at: the first, or its partition's."""
    head = drive.read(_SECTOR)
    if head[510:512] != b"\x55\xaa":
        raise UserError("that is no drive: it has no boot sector")
    return 0 if head[11:13] == b"\x00\x02" else struct.unpack_from("<I", head, 446 + 8)[0]


def _files(directory):
    """Return ``{NAME.EXT: first cluster}``."""
    first_clusters = {}
    for at in range(0, len(directory), _ENTRY):
        entry = directory[at : at + _ENTRY]
        is_deleted, is_label = entry[0] == 0xE5, entry[11] & 0x08
        if entry[0] and not is_deleted and not is_label:
            name = entry[:11].decode("latin-1")
            whole = f"{name[:8].rstrip()}.{name[8:].rstrip()}".rstrip(".")
            first_clusters[whole] = int.from_bytes(entry[26:28], "little")
    return first_clusters


def _followers(fat, wide):
    """Return the successor of each cluster; in FAT12 two numbers share three bytes."""
    if wide:
        return struct.unpack(f"<{len(fat) // 2}H", fat)
    pairs = [int.from_bytes(fat[at : at + 3], "little") for at in range(0, len(fat) - 2, 3)]
    return [cluster for pair in pairs for cluster in (pair & 0xFFF, pair >> 12)]


def _runs(cluster, followers):
    """Return how many runs of neighbours a chain has; it ends with a number of no cluster."""
    chain = {}  # the follower of each cluster
    while 2 <= cluster < len(followers) and cluster not in chain:
        chain[cluster] = followers[cluster]
        cluster = chain[cluster]
    return sum(follower != cluster + 1 for cluster, follower in chain.items())
