"""The journal's flash: two pre-allocated files, written in whole blocks in place and read back
(docs/board.md, Flash).

A block of 512 bytes at a multiple of 512 goes straight to its own sector. Nothing is ever flushed
or closed here, because both rewrite the sector that holds the directory, and a power cut in between
costs the drive; ``os.sync`` alone writes the block. ``plusthree board deploy`` makes the files.

An ESP32-S3 erases 4 KiB for each block and reports no failure (CircuitPython's
``ports/espressif/supervisor/internal_flash.c``, 10.2.1), so each block is read back, which comes
out of the flash. An erase stops the scan of the keys, too: so there is time for two scans between
two writes, and no press of 100 ms is lost.
"""

import os

import microcontroller
import supervisor

PATHS = ("/journal0.bin", "/journal1.bin")
BLOCK_BYTES = 512
FILE_BYTES = 256 * 1024
_MARGIN = 8  # unused blocks at both ends
_TRIES = 2
_SCANS_MS = 25
_WRAP_MS = 1 << 29


class Store:
    """Copies 0 and 1 of ``blocks`` blocks each; OSError for a missing file or another size."""

    blocks = FILE_BYTES // BLOCK_BYTES - 2 * _MARGIN

    def __init__(self, paths: tuple[str, str] = PATHS):
        self._files = []
        self._back = bytearray(BLOCK_BYTES)
        self._ended = supervisor.ticks_ms()  # the last write
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
        """Write one whole block and prove that it lies in the flash; a second try mends what a
        first one spoilt. OSError for a block that does not read as it was written.
        """
        if len(data) != BLOCK_BYTES:
            raise ValueError("size")
        for _ in range(_TRIES):
            left_ms = _SCANS_MS - (supervisor.ticks_ms() - self._ended) % _WRAP_MS
            if left_ms > 0:
                microcontroller.delay_us(1000 * left_ms)
            self._seek(copy, block).write(data)
            os.sync()
            self._ended = supervisor.ticks_ms()
            self.readinto(copy, block, self._back)
            if self._back == data:
                return
        raise OSError("flash: block %d of copy %d" % (block, copy))
