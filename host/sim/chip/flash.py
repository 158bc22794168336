"""The flash under a drive, for both ports: its erases, wear, caches and state after a power cut.

The virtual chip, the journal's store with its costs (``host/sim/flash.py``) and, on MicroPython,
the power-cut tests of ``tests/prove`` all use this model. ``spend(name, times)`` is called for each
operation with the name of its price.
"""

TYPE_CHECKING = False  # instead of typing's, since MicroPython has no typing module
if TYPE_CHECKING:
    from collections.abc import Callable

    Spend = Callable[[str, int], None]  # called with a price's name and how often it is charged

SECTOR, BLOCK, PAGE = 4096, 512, 256
BLOCKS, PAGES = SECTOR // BLOCK, BLOCK // PAGE
CACHE_BYTES = (
    SECTOR + 16 * 4 + 17 * 4
)  # pages, the table of them, and the outer heap's overhead for each
TOLD = 4  # leading bytes of a block by which CircuitPython decides that it is erased
_BLANK = b"\xff" * SECTOR


def looks_erased(block: bytes) -> bool:
    """Return whether CircuitPython takes a block for erased, so programs it without an erase."""
    return block[:TOLD] == _BLANK[:TOLD]


def written(old: bytes, data: bytes | bytearray) -> bytes:
    """Return a block's content after ``data`` was written over ``old`` and flushed."""
    if old == _BLANK[:BLOCK] or not looks_erased(old):
        return bytes(data)
    return bytes([a & b for a, b in zip(old, data)])


class Flash:
    """NOR flash: erased by 4096-byte sectors, programmed by 256-byte pages, bits from 1 to 0 only.

    ``size`` is in bytes; blocks of 512 bytes count from 0. ``image`` is the flash's content and is
    changed in place, so it stays after a simulated power cut. ``erases`` counts by sector.
    """

    def __init__(self, size: int, spend: "Spend", image: bytearray | None = None):
        self.image = bytearray(b"\xff") * size if image is None else image
        self.sectors = len(self.image) // SECTOR
        self.blocks = self.sectors * BLOCKS
        self.erases, self.programs, self.reads = {}, 0, 0
        self.spend = spend

    def raw(self, block: int) -> bytes:
        """Return a block's content in the flash itself, without what a cache holds."""
        return bytes(self.image[block * BLOCK : (block + 1) * BLOCK])

    def lay(self, block: int, data: bytes) -> None:
        """Set a block's content at no cost, as written by a PC before the simulation starts."""
        self.image[block * BLOCK : (block + 1) * BLOCK] = data

    def _read(self, block):
        self.reads += 1
        self.spend("flash_read_us", 1)
        return self.raw(block)

    def _erase(self, sector):
        self.spend("flash_erase_us", 1)
        self.erases[sector] = self.erases.get(sector, 0) + 1
        self._change(sector * SECTOR, _BLANK)

    def _program(self, block, data, left_out=PAGE):
        """Program a block, skipping each piece of ``left_out`` bytes that are all 0xFF."""
        for start in range(0, BLOCK, left_out):
            if data[start : start + left_out] != _BLANK[:left_out]:
                for at in range(start, start + left_out, PAGE):
                    self._page(block * BLOCK + at, data[at : at + PAGE])

    def _page(self, address, data):
        self.spend("flash_program_us", 1)
        self.programs += 1
        old = self.image[address : address + PAGE]
        self._change(
            address, data if old == _BLANK[:PAGE] else bytes([a & b for a, b in zip(old, data)])
        )

    def _change(self, address, data):
        """Apply one operation of the chip: an erased sector or a programmed page."""
        self.image[address : address + len(data)] = data

    def _taken(self, block, data):
        if not 0 <= block < self.blocks or len(data) != BLOCK:
            raise ValueError("block")
        return divmod(block, BLOCKS)


class External(Flash):
    """The nordic port's flash chip, as in ``supervisor/shared/external_flash/external_flash.c``.

    ``lend(size)`` returns whether the outer heap has ``size`` bytes for the cache.

    A block whose place is erased is programmed at once. Any other block is kept in a cache of one
    sector in the outer heap (:352, allocated when first needed); without memory for it, in the
    flash's last sector, a scratch sector that is erased each time (:527). ``page_erased`` (:107)
    compares ``TOLD`` bytes, then the same bytes again and what follows them on the stack: only the
    first ``TOLD`` bytes are a reliable comparison.
    """

    def __init__(
        self,
        size: int,
        spend: "Spend",
        lend: "Callable[[int], bool]",
        image: bytearray | None = None,
    ):
        super().__init__(size, spend, image)
        self.blocks -= BLOCKS
        self.scratch = self.sectors - 1
        self._lend = lend
        self.cached = False  # whether the cache in RAM is held
        self.forget()

    def read(self, block: int) -> bytes:
        """Return a block as CircuitPython reads it: from the cache if it is held there."""
        sector, place = divmod(block, BLOCKS)
        if sector == self._sector and place in self._dirty:
            return self._dirty[place] if self.cached else self._read(self.scratch * BLOCKS + place)
        return self._read(block)

    def write(self, block: int, data: bytes | bytearray) -> None:
        """Write a block of 512 bytes; ValueError for one in the scratch sector or beyond."""
        sector, place = self._taken(block, data)
        if sector != self._sector or place in self._dirty:
            if looks_erased(self._read(block)):
                self._program(block, data, BLOCK)
                return
            self.flush()
            self._take()
            self._sector = sector
        self._dirty[place] = bytes(data)
        if not self.cached:
            self._program(self.scratch * BLOCKS + place, data, BLOCK)

    def _take(self):
        """Allocate the cache in RAM, or erase the scratch sector if there is no memory."""
        if not self.cached:
            self.cached = self._lend(CACHE_BYTES)
        if not self.cached:
            self._erase(self.scratch)

    def flush(self) -> None:
        """Write the cached sector: read its other blocks, erase it and program all of it."""
        sector, dirty = self._sector, self._dirty
        if sector is None:
            return
        first, scratch = sector * BLOCKS, self.scratch * BLOCKS
        for place in range(BLOCKS):
            if place not in dirty:
                dirty[place] = self._read(first + place)
                if not self.cached:
                    self._program(scratch + place, dirty[place])
        self._erase(sector)
        for place in range(BLOCKS):
            self._program(
                first + place, dirty[place] if self.cached else self._read(scratch + place)
            )
        self._sector, self._dirty = None, {}

    def release(self) -> None:
        """Flush and free the cache, as at the start and end of a VM."""
        self.flush()
        self.cached = False

    def forget(self) -> None:
        """Drop the cache unwritten, as a reset or a power cut does."""
        self._sector, self._dirty, self.cached = None, {}, False


class Internal(Flash):
    """The espressif port's flash, as in ``ports/espressif/supervisor/internal_flash.c``.

    Writing a block erases and programs its whole sector at once. The port ignores the flash's
    errors, so a write never fails: in a sector of ``worn`` nothing is programmed after the erase.
    The intended content stays in RAM and is written again with the next block of that sector.
    """

    cached = False

    def __init__(self, size: int, spend: "Spend", image: bytearray | None = None):
        super().__init__(size, spend, image)
        self.worn: set[int] = set()
        self._sector: int | None
        self._held: list[bytes]
        self.forget()

    def read(self, block: int) -> bytes:
        """Return a block from the flash: whole blocks are never read from the sector in RAM."""
        return self._read(block)

    def write(self, block: int, data: bytes | bytearray) -> None:
        """Write a block of 512 bytes: erase and program its sector; ValueError: no such block."""
        sector, place = self._taken(block, data)
        first = sector * BLOCKS
        if sector != self._sector:
            self._sector, self._held = sector, [self._read(first + at) for at in range(BLOCKS)]
        self._held[place] = bytes(data)
        self._erase(sector)
        for at in range(BLOCKS if sector not in self.worn else 0):
            for start in range(0, BLOCK, PAGE):
                self._page((first + at) * BLOCK + start, self._held[at][start : start + PAGE])

    def flush(self) -> None:
        """Do nothing: every write goes to the flash at once."""

    release = flush

    def forget(self) -> None:
        """Drop the sector held in RAM."""
        self._sector, self._held = None, []
