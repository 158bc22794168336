"""The flash under a drive: its erases, wear and state after a power cut.

The virtual chip, the journal's store with its costs (``host/sim/board.py``) and, on MicroPython,
the power-cut tests of ``tests/prove`` all use this model. ``spend(name, times)`` is called for each
operation with the name of its price.
"""

TYPE_CHECKING = False  # instead of typing's, since MicroPython has no typing module
if TYPE_CHECKING:
    from collections.abc import Callable

    Spend = Callable[[str, int], None]  # called with a price's name and how often it is charged

SECTOR, BLOCK, PAGE = 4096, 512, 256
BLOCKS, PAGES = SECTOR // BLOCK, BLOCK // PAGE
TOLD = 4  # leading bytes of a block by which an nRF52840's driver decides that it is erased
_BLANK = b"\xff" * SECTOR


def looks_erased(block: bytes) -> bool:
    """Return whether a driver may take a block for erased, and so program it without an erase.

    An nRF52840's does (external_flash.c:107). A journal bears that, though a table's board erases.
    """
    return block[:TOLD] == _BLANK[:TOLD]


def written(old: bytes, data: bytes | bytearray) -> bytes:
    """Return a block's content after ``data`` was written over ``old`` and flushed."""
    if old == _BLANK[:BLOCK] or not looks_erased(old):  # blank, or erased before
        return bytes(data)
    return bytes([a & b for a, b in zip(old, data)])


class Internal:
    """An ESP32-S3's flash, as in ``ports/espressif/supervisor/internal_flash.c``: NOR flash, erased
    by 4096-byte sectors, programmed by 256-byte pages, bits from 1 to 0 only. An nRF52840's is
    another (external_flash.c), but a gateway only reads it.

    ``size`` is in bytes; blocks of 512 bytes count from 0. ``image`` is the flash's content and is
    changed in place, so it stays after a simulated power cut. ``erases`` counts by sector.

    Writing a block erases and programs its whole sector at once. The port ignores the flash's
    errors, so a write never fails: in a sector of ``worn`` nothing is programmed after the erase.
    The intended content stays in RAM and is written again with the next block of that sector.
    """

    def __init__(self, size: int, spend: "Spend", image: bytearray | None = None):
        self.image = bytearray(b"\xff") * size if image is None else image
        self.blocks = len(self.image) // SECTOR * BLOCKS
        self.erases, self.programs, self.reads = {}, 0, 0
        self.spend = spend
        self.worn: set[int] = set()
        self._sector: int | None
        self._held: list[bytes]
        self.forget()

    def raw(self, block: int) -> bytes:
        """Return a block's content at no cost."""
        return bytes(self.image[block * BLOCK : (block + 1) * BLOCK])

    def lay(self, block: int, data: bytes) -> None:
        """Set a block's content at no cost, as written by a PC before the simulation starts."""
        self.image[block * BLOCK : (block + 1) * BLOCK] = data

    def read(self, block: int) -> bytes:
        """Return a block from the flash: whole blocks are never read from the sector in RAM."""
        self.reads += 1
        self.spend("flash_read_us", 1)
        return self.raw(block)

    def write(self, block: int, data: bytes | bytearray) -> None:
        """Write a block of 512 bytes: erase and program its sector; ValueError: no such block."""
        if not 0 <= block < self.blocks or len(data) != BLOCK:
            raise ValueError("block")
        sector, place = divmod(block, BLOCKS)
        first = sector * BLOCKS
        if sector != self._sector:
            self._sector, self._held = sector, [self.read(first + at) for at in range(BLOCKS)]
        self._held[place] = bytes(data)
        self._erase(sector)
        if sector in self.worn:
            return
        for at in range(BLOCKS):
            for start in range(0, BLOCK, PAGE):
                self._page((first + at) * BLOCK + start, self._held[at][start : start + PAGE])

    def _erase(self, sector):
        self.spend("flash_erase_us", 1)
        self.erases[sector] = self.erases.get(sector, 0) + 1
        self._change(sector * SECTOR, _BLANK)

    def _page(self, address, data):
        self.spend("flash_program_us", 1)
        self.programs += 1
        old = self.image[address : address + PAGE]
        if old != _BLANK[:PAGE]:
            data = bytes([a & b for a, b in zip(old, data)])
        self._change(address, data)

    def _change(self, address, data):
        """Apply one operation of the chip: an erased sector or a programmed page."""
        self.image[address : address + len(data)] = data

    def forget(self) -> None:
        """Drop the sector held in RAM."""
        self._sector, self._held = None, []
