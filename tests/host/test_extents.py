"""Whether a file lies in one piece on a FAT drive, read off a copy of it."""

import struct

import pytest

from host.base.errors import UserError
from host.boards.deploy import extents

SECTOR, CLUSTERS = 512, 2000
NAMES = ("journal0.bin", "journal1.bin")


def drive(chains, wide=False, partition=0):
    """Return a volume as CircuitPython makes it, 1 KB clusters; ``chains`` {8.3 name: clusters}."""
    clusters = 5000 if wide else CLUSTERS
    fat_size = -(-(clusters + 2) * (4 if wide else 3) // 2 // SECTOR)
    total = 1 + fat_size + 32 + 2 * clusters
    boot = bytearray(SECTOR)
    struct.pack_into("<HBHBHHBH", boot, 11, SECTOR, 2, 1, 1, 512, total, 0xF8, fat_size)
    boot[510:512] = b"\x55\xaa"
    fat, root = bytearray(fat_size * SECTOR), bytearray(512 * 32)
    for at, (name, chain) in enumerate(chains.items()):
        root[32 * at : 32 * at + 12] = name.encode() + b"\x20"
        struct.pack_into("<H", root, 32 * at + 26, chain[0])
        for here, there in zip(chain, [*chain[1:], 0xFFFF if wide else 0xFFF], strict=True):
            put(fat, here, there, wide)
    volume = bytes(boot) + bytes(fat) + bytes(root) + bytes(clusters * 1024)
    if not partition:
        return volume
    mbr = bytearray(SECTOR)
    struct.pack_into("<I", mbr, 446 + 8, partition)
    mbr[510:512] = b"\x55\xaa"
    return bytes(mbr) + bytes((partition - 1) * SECTOR) + volume


def put(fat, cluster, value, wide):
    if wide:
        struct.pack_into("<H", fat, 2 * cluster, value)
        return
    at = cluster + cluster // 2
    (pair,) = struct.unpack_from("<H", fat, at)
    pair = pair & 0x000F | value << 4 if cluster & 1 else pair & 0xF000 | value
    struct.pack_into("<H", fat, at, pair)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("partition", [0, 1])
def test_pieces_are_counted(tmp_path, wide, partition):
    chains = {
        "JOURNAL0BIN": [*range(5, 261)],
        "JOURNAL1BIN": [*range(300, 400), *range(410, 500), 2],
    }
    path = tmp_path / "drive"
    path.write_bytes(drive(chains, wide, partition))
    assert extents.pieces(path, (*NAMES, "none.bin")) == {
        "journal0.bin": 1, "journal1.bin": 3, "none.bin": 0,
    }  # fmt: skip


def test_a_chain_that_bites_its_tail_ends(tmp_path):
    path = tmp_path / "drive"
    path.write_bytes(drive({"JOURNAL0BIN": [7, 8, 9, 7]}))
    assert extents.pieces(path, NAMES)["journal0.bin"] >= 1


@pytest.mark.parametrize("data", [
    b"",
    bytes(SECTOR),
    bytes(510) + b"\x55\xaa",
    bytes(11) + b"\x00\x02" + bytes(497) + b"\x55\xaa",
])  # fmt: skip
def test_what_is_no_drive_is_said_to_be_none(tmp_path, data):
    path = tmp_path / "drive"
    path.write_bytes(data)
    with pytest.raises(UserError, match="drive"):
        extents.pieces(path, NAMES)


def test_a_drive_that_is_not_there_is_a_sentence(tmp_path):
    with pytest.raises(UserError, match="cannot be read"):
        extents.pieces(tmp_path / "none", NAMES)
