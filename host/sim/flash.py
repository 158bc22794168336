"""The journal's flash as a board has it: what each read and write really does to the chip, and costs.

A 2 MiB QSPI chip (sectors of 4 KiB to erase, pages of 256 bytes to program) below CircuitPython's
block device (``supervisor/shared/external_flash/external_flash.c``, tag 10.2.1). A block in an erased
place is programmed at once. Any other goes into a cache of one sector, and ``os.sync`` rewrites that
sector: one erase where the cache lies in RAM; two where the 4 KiB could not be had, since then the
chip's last sector stands in for it, wears with every event, and each page is programmed twice.
``cached`` says which of the two. An ESP32-S3 has its drive in its own flash, which is written otherwise
(``InternalDevice``).
"""

from host.sim.board import BLOCK_SIZE, JOURNAL_BLOCKS, RamStore

SECTOR, PAGE = 4096, 256
PER_SECTOR = SECTOR // BLOCK_SIZE
PAGES = BLOCK_SIZE // PAGE
BLOCKS = 2 * 1024 * 1024 // BLOCK_SIZE
_BLANK = b"\xff" * BLOCK_SIZE
_SCRATCH = BLOCKS - PER_SECTOR
# where deploy lays the two files on a fresh drive: 1 KB clusters from sector 39, on no sector's edge
STARTS = (239, 239 + JOURNAL_BLOCKS)


class Chip:
    """The chip's content by block, what was done to it, and ``spend(us)`` for what that took."""

    def __init__(self, prices, spend=lambda us: None):
        self._prices, self.spend = prices, spend
        self._blocks = {}
        self.erases = self.programs = self.reads = 0
        self.wear = {}  # erases by sector

    def read(self, block):
        """Return a block's 512 bytes."""
        self.reads += 1
        self.spend(self._prices["flash_read_us"])
        return self._blocks.get(block, _BLANK)

    def erase(self, sector):
        """Erase a sector (its first block's number)."""
        self.erases += 1
        self.wear[sector] = self.wear.get(sector, 0) + 1
        self.spend(self._prices["flash_erase_us"])
        for block in range(sector, sector + PER_SECTOR):
            self._blocks.pop(block, None)

    def program(self, block, data, skip=PAGE):
        """Program a block; ``skip`` bytes at a time are left out where they are all 0xFF. Bits can only fall."""
        for at in range(0, BLOCK_SIZE, skip):
            if data[at : at + skip] != _BLANK[:skip]:
                self.programs += skip // PAGE
                self.spend(self._prices["flash_program_us"] * (skip // PAGE))
        old = self._blocks.get(block, _BLANK)
        self._blocks[block] = bytes(x & y for x, y in zip(old, data, strict=True))


class BlockDevice:
    """CircuitPython's block device over a chip. ``cached``: the 4 KiB of RAM could be had."""

    def __init__(self, chip, cached):
        self.chip, self.cached = chip, cached
        self._sector, self._dirty = None, {}

    def read(self, block):
        """Return a block, from the cache where it waits there."""
        if self._sector == _sector(block) and block in self._dirty:
            return self._dirty[block] if self.cached else self.chip.read(self._scratch(block))
        return self.chip.read(block)

    def write(self, block, data):
        """Take a block: programmed at once in an erased place, else kept until ``sync``."""
        if self._sector != _sector(block) or block in self._dirty:
            if self.chip.read(block) == _BLANK:
                self.chip.program(block, data, BLOCK_SIZE)
                return
            self.sync()
            if not self.cached:
                self.chip.erase(_SCRATCH)
            self._sector = _sector(block)
        self._dirty[block] = data
        if not self.cached:
            self.chip.program(self._scratch(block), data, BLOCK_SIZE)

    def sync(self):
        """Bring the cached sector out: the rest of it is copied, then it is erased and programmed again."""
        if self._sector is None:
            return
        whole = range(self._sector, self._sector + PER_SECTOR)
        for block in whole:
            if block not in self._dirty:
                self._dirty[block] = self.chip.read(block)
                if not self.cached:
                    self.chip.program(self._scratch(block), self._dirty[block])
        self.chip.erase(self._sector)
        for block in whole:
            if not self.cached:
                self.chip.read(self._scratch(block))
            self.chip.program(block, self._dirty[block])
        self._sector, self._dirty = None, {}

    @staticmethod
    def _scratch(block):
        return _SCRATCH + block % PER_SECTOR


class InternalDevice:
    """The espressif port's: ``ports/espressif/supervisor/internal_flash.c``, tag 10.2.1.

    Each write erases and programs its whole sector at once, whatever was there, and returns success
    whatever the chip said: in a sector of ``worn`` nothing is programmed any more.
    """

    def __init__(self, chip):
        self.chip, self.worn = chip, set()

    def read(self, block):
        """Return a block out of the flash: a whole block never comes out of the sector in RAM."""
        return self.chip.read(block)

    def write(self, block, data):
        """Read the sector, put the block into it, erase it and program it again."""
        sector = _sector(block)
        held = {at: self.chip.read(at) for at in range(sector, sector + PER_SECTOR)} | {block: data}
        self.chip.erase(sector)
        if sector not in self.worn:
            for at, whole in held.items():
                self.chip.program(at, whole, BLOCK_SIZE)

    def sync(self):
        """Nothing waits."""


class FlashStore(RamStore):
    """The journal's store port over that device; ``spend(us)`` is told what each act takes.

    ``chip`` counts. ``internal``: over the chip's own flash, as on an ESP32-S3.
    """

    def __init__(self, prices, cached=True, spend=lambda us: None, blocks=JOURNAL_BLOCKS, *,
                 internal=False):
        super().__init__()
        self.blocks, self._prices, self.spend = blocks, prices, spend
        self.chip = Chip(prices, lambda us: self.spend(us))
        self.device = InternalDevice(self.chip) if internal else BlockDevice(self.chip, cached)

    def read(self, copy, block):
        """Return the 512 bytes of a block; one never written reads as erased flash."""
        self.spend(self._prices["fat_seek_us"])
        return self.device.read(STARTS[copy] + block)

    def write(self, copy, block, data):
        """Write one whole block; it is on the chip when this returns."""
        if len(data) != BLOCK_SIZE or not 0 <= block < self.blocks:
            raise ValueError("block")
        self.spend(self._prices["fat_seek_us"])
        self.device.write(STARTS[copy] + block, bytes(data))
        self.device.sync()


def _sector(block):
    return block // PER_SECTOR * PER_SECTOR
