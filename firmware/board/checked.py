"""The journal's store on a chip whose flash says nothing of an error: what was written is read
back.

An ESP32-S3 erases 4 KiB for each block and drops what the erase and the write return
(CircuitPython's ``ports/espressif/supervisor/internal_flash.c``, 10.2.1). A whole block is read
past the file system's window, so what is compared comes out of the flash.

The erase stops both cores, and with them the scan of the keys. So between two writes the keys are
looked at twice at least, as ``keys`` wants it: a press of 100 ms is lost behind no two of them.
"""

import microcontroller
import supervisor

from firmware.board import store

_TRIES = 2
_SCANS_MS = 25
_WRAP_MS = 1 << 29


class Store(store.Store):
    """A store whose ``write`` raises OSError when a block does not read as it was written."""

    def __init__(self, paths: tuple[str, str] = store.PATHS):
        store.Store.__init__(self, paths)
        self._back = bytearray(store.BLOCK_BYTES)
        self._ended = supervisor.ticks_ms()  # the last write

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write one whole block and prove it; a second try mends what a first one spoilt."""
        for _ in range(_TRIES):
            left_ms = _SCANS_MS - (supervisor.ticks_ms() - self._ended) % _WRAP_MS
            if left_ms > 0:
                microcontroller.delay_us(1000 * left_ms)
            store.Store.write(self, copy, block, data)
            self._ended = supervisor.ticks_ms()
            self.readinto(copy, block, self._back)
            if self._back == data:
                return
        raise OSError("flash: block %d of copy %d" % (block, copy))
