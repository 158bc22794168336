"""The journal's flash: two pre-allocated files, written in whole blocks in place (docs/board.md,
Flash).

A block of 512 bytes at a multiple of 512 goes straight to its own sector. Nothing is ever flushed
or closed here, because both rewrite the sector that holds the directory, and a power cut in between
costs the drive; ``os.sync`` alone brings the block out. ``plusthree board deploy`` makes the files.
"""

import os

PATHS = ("/journal0.bin", "/journal1.bin")
BLOCK_BYTES = 512
FILE_BYTES = 256 * 1024
_MARGIN = 8  # unused blocks at both ends


class Store:
    """Copies 0 and 1 of ``blocks`` blocks each; OSError for a missing file or another size."""

    blocks = FILE_BYTES // BLOCK_BYTES - 2 * _MARGIN

    def __init__(self, paths: tuple[str, str] = PATHS):
        self._files = []
        for path in paths:
            file = open(path, "r+b")
            if file.seek(0, 2) != FILE_BYTES:
                raise OSError(path)
            self._files.append(file)

    def _seek(self, copy, block):
        if not 0 <= block < self.blocks:
            raise ValueError("block")
        file = self._files[copy]
        file.seek((block + _MARGIN) * BLOCK_BYTES)
        return file

    def readinto(self, copy: int, block: int, buffer: bytearray) -> None:
        """Fill ``buffer`` with the 512 bytes of a block; what was never written is 0xFF."""
        if self._seek(copy, block).readinto(buffer) != BLOCK_BYTES:
            raise OSError("short read")

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write one whole block; it lies in the flash when this returns."""
        if len(data) != BLOCK_BYTES:
            raise ValueError("size")
        self._seek(copy, block).write(data)
        os.sync()
