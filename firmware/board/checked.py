"""The journal's store on a chip whose flash says nothing of an error: what was written is read
back.

An ESP32-S3 erases 4 KiB for each block and drops what the erase and the write return
(CircuitPython's ``ports/espressif/supervisor/internal_flash.c``, 10.2.1). A whole block is read
past the file system's window, so what is compared comes out of the flash.
"""

from firmware.board import store

_TRIES = 2


class Store(store.Store):
    """A store whose ``write`` raises OSError when a block does not read as it was written."""

    def __init__(self, paths: tuple[str, str] = store.PATHS):
        store.Store.__init__(self, paths)
        self._back = bytearray(store.BLOCK_BYTES)

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write one whole block and prove it; a second try mends what a first one spoilt."""
        for _ in range(_TRIES):
            store.Store.write(self, copy, block, data)
            self.readinto(copy, block, self._back)
            if self._back == data:
                return
        raise OSError("flash: block %d of copy %d" % (block, copy))
