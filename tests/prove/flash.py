"""A 2 MiB QSPI flash with a drive on it, as a board has them, whose power ends at any operation.

Runs on MicroPython. An operation is the erasing of a 4 KiB sector or the programming of a 256-byte
page; ``Drive`` is CircuitPython's write-back cache of one sector (docs/board.md, Flash): a block in
an erased place is programmed at once, anything else waits in RAM until ``sync``, which erases the
sector and programs all of it again.
"""

SECTOR, PAGE, BLOCK = 4096, 256, 512
SECTORS = 512
MODES = ("nothing", "garbage", "complete")
NEVER = -1
_BLANK = b"\xff" * SECTOR


def _noise(size, state=12345):
    """Return ``size`` bytes of the same garbage every time."""
    noise = bytearray(size)
    for i in range(size):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        noise[i] = state >> 16 & 0xFF
    return bytes(noise)


NOISE = _noise(2 * SECTOR)


class PowerCut(Exception):
    """The board has gone dark."""


class Flash:
    """The chip; ``image`` outlives it. ``left`` operations are whole, the next one ends in ``torn``."""

    def __init__(self, image, left=NEVER, torn=0):
        self.image, self.left, self.torn = image, left, torn
        self.operations = 0
        self.dark = False
        self.touched = set()

    def erase(self, sector):
        """Erase a sector to 0xFF."""
        self._do(sector * SECTOR, _BLANK, SECTOR // 3)

    def program(self, address, data):
        """Program one page; flash can only clear bits."""
        old = self.image[address : address + PAGE]
        whole = data if old == _BLANK[:PAGE] else bytes(a & b for a, b in zip(old, data))
        self._do(address, whole, PAGE // 3)

    def _do(self, address, whole, done):
        if self.dark:
            return
        self.touched.add(address // SECTOR)
        if self.operations != self.left:
            self.operations += 1
            self.image[address : address + len(whole)] = whole
            return
        self.dark = True
        if self.torn == 2:
            self.image[address : address + len(whole)] = whole
        elif self.torn == 1:  # a third done, a third garbage, the rest as it was
            at = address // PAGE % 97
            garbage = whole[:done] + NOISE[at : at + done]
            self.image[address : address + len(garbage)] = garbage
        raise PowerCut


class Drive:
    """The block device of the file system over a Flash."""

    def __init__(self, flash):
        self.flash = flash
        self._sector, self._cached, self._dirty = -1, bytearray(SECTOR), 0

    def readblocks(self, block, buffer, offset=0):
        """Fill ``buffer`` from ``block`` on."""
        if self.flash.dark:  # a file of before the cut is being collected
            return
        view = memoryview(buffer)
        for i in range(len(buffer) // BLOCK):
            sector, place = divmod(block + i, SECTOR // BLOCK)
            if sector == self._sector and self._dirty >> place & 1:
                source = self._cached[place * BLOCK : (place + 1) * BLOCK]
            else:
                start = (block + i) * BLOCK
                source = self.flash.image[start : start + BLOCK]
            view[i * BLOCK : (i + 1) * BLOCK] = source

    def writeblocks(self, block, buffer, offset=0):
        """Take ``buffer`` for the blocks from ``block`` on."""
        if self.flash.dark:
            return
        view = memoryview(buffer)
        for i in range(len(buffer) // BLOCK):
            self._write(block + i, view[i * BLOCK : (i + 1) * BLOCK])

    def _write(self, block, data):
        sector, place = divmod(block, SECTOR // BLOCK)
        if sector != self._sector or self._dirty >> place & 1:
            start = block * BLOCK
            if self.flash.image[start : start + BLOCK] == _BLANK[:BLOCK]:
                self.flash.program(start, bytes(data[:PAGE]))
                self.flash.program(start + PAGE, bytes(data[PAGE:]))
                return
            self.sync()
            self._sector, self._dirty = sector, 0
        self._dirty |= 1 << place
        self._cached[place * BLOCK : (place + 1) * BLOCK] = data

    def sync(self):
        """Bring the cached sector out."""
        if self._sector < 0:
            return
        start = self._sector * SECTOR
        for place in range(SECTOR // BLOCK):
            if not self._dirty >> place & 1:
                at = place * BLOCK
                self._cached[at : at + BLOCK] = self.flash.image[start + at : start + at + BLOCK]
        sector, self._sector = self._sector, -1
        self.flash.erase(sector)
        for at in range(0, SECTOR, PAGE):
            self.flash.program(start + at, bytes(self._cached[at : at + PAGE]))

    def ioctl(self, operation, _argument):
        """Answer the file system: 3 sync, 4 blocks, 5 bytes a block."""
        if operation == 3 and not self.flash.dark:
            self.sync()
        if operation == 4:
            return SECTORS * SECTOR // BLOCK
        return BLOCK if operation == 5 else 0
