"""The flash of a board (``host/sim/chip/flash.py``) whose power ends at any operation, and a drive
over it.

Runs on MicroPython. An operation is the erasing of a 4 KiB sector or the programming of a 256-byte
page.
"""

from host.sim.chip import flash

SECTOR, PAGE, BLOCK = flash.SECTOR, flash.PAGE, flash.BLOCK
BLANK = b"\xff" * BLOCK
looks_erased = flash.looks_erased
SECTORS = 512
MODES = ("nothing", "garbage", "late", "complete")
NEVER = -1


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


class Power:
    """``left`` operations are whole, the next one ends in ``torn``, a place in ``MODES``."""

    def __init__(self, left=NEVER, torn=0):
        self.left, self.torn = left, MODES[torn]
        self.operations = 0
        self.dark = False
        self.touched = set()

    def change(self, image, address, whole):
        """Do one operation to ``image``, or PowerCut inside it."""
        if self.dark:
            return
        self.touched.add(address // SECTOR)
        if self.operations != self.left:
            self.operations += 1
            image[address : address + len(whole)] = whole
            return
        self.dark = True
        torn = self._torn(image[address : address + len(whole)], whole, address // PAGE % 97)
        image[address : address + len(whole)] = torn
        raise PowerCut

    def _torn(self, old, whole, at):
        """Return what is left: a third is as it shall be, a third garbage, a third as it was."""
        third = len(whole) // 3
        garbage = NOISE[at : at + third]
        if self.torn == "garbage":
            return whole[:third] + garbage + old[2 * third :]
        if self.torn == "late":
            return old[: len(whole) - 2 * third] + garbage + whole[-third:]
        return whole if self.torn == "complete" else old


def _free(name, times):
    """Time is of no matter here."""


def device(image, power):
    """Return a block device over ``image`` whose power may end."""
    made = flash.Internal(None, _free, image)
    made._change = lambda address, data: power.change(image, address, data)
    return made


class Drive:
    """What MicroPython's file system asks of a block device."""

    def __init__(self, blocks, power):
        self.blocks, self.power = blocks, power

    def readblocks(self, block, buffer, offset=0):
        """Fill ``buffer`` from ``block`` on."""
        if self.power.dark:  # a file of before the cut is being collected
            return
        for at in range(0, len(buffer), BLOCK):
            buffer[at : at + BLOCK] = self.blocks.read(block + at // BLOCK)

    def writeblocks(self, block, buffer, offset=0):
        """Take ``buffer`` for the blocks from ``block`` on."""
        if self.power.dark:
            return
        for at in range(0, len(buffer), BLOCK):
            self.blocks.write(block + at // BLOCK, bytes(buffer[at : at + BLOCK]))

    def sync(self):
        """Do nothing: every write goes to the flash at once."""

    def ioctl(self, operation, _argument):
        """Answer the file system: 3 sync, 4 blocks, 5 bytes a block."""
        if operation == 3 and not self.power.dark:
            self.sync()
        if operation == 4:
            return self.blocks.blocks
        return BLOCK if operation == 5 else 0
