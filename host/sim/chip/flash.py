"""The flash under a drive, of both ports: what a written block erases, how often, and what a cut
leaves.

The one model of it: the virtual chip's, the journal's store with its costs (``host/sim/flash.py``)
and, on MicroPython, the power cuts of ``tests/prove``. ``spend(name, times)`` is told of work by
the name of its price.
"""

TYPE_CHECKING = False  # as typing has it, which MicroPython lacks
if TYPE_CHECKING:
    from collections.abc import Callable

    Spend = Callable[[str, int], None]  # is told a price's name, and how often it is due

SECTOR, BLOCK, PAGE = 4096, 512, 256
BLOCKS, PAGES = SECTOR // BLOCK, BLOCK // PAGE
CACHE_BYTES = (
    SECTOR + 16 * 4 + 17 * 4
)  # pages, the table of them, and what the outer heap adds to each
TOLD = 4  # bytes of a block by which CircuitPython takes it for erased
_BLANK = b"\xff" * SECTOR


def looks_erased(block: bytes) -> bool:
    """Say whether CircuitPython takes a block for an erased one, and programs it as it is."""
    return block[:TOLD] == _BLANK[:TOLD]


def written(old: bytes, data: bytes | bytearray) -> bytes:
    """Return what a block holds that held ``old`` when ``data`` was written to it and
    brought out.
    """
    if old == _BLANK[:BLOCK] or not looks_erased(old):
        return bytes(data)
    return bytes([a & b for a, b in zip(old, data)])


class Flash:
    """Sectors that are erased whole and pages in which bits can only fall; blocks count from its
    start.

    ``image`` outlives it: what was erased and programmed is there whatever happens. ``erases``
    counts by sector.
    """

    def __init__(self, size: int, spend: "Spend", image: bytearray | None = None):
        self.image = bytearray(b"\xff") * size if image is None else image
        self.sectors = len(self.image) // SECTOR
        self.blocks = self.sectors * BLOCKS
        self.erases, self.programs, self.reads = {}, 0, 0
        self.spend = spend

    def raw(self, block: int) -> bytes:
        """Return what the chip holds now, whatever waits in a cache."""
        return bytes(self.image[block * BLOCK : (block + 1) * BLOCK])

    def lay(self, block: int, data: bytes) -> None:
        """Put a block there without its cost, as a PC did before the story begins."""
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
        """Program a block; so many bytes at a time are left out where all of them are 0xFF."""
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
        """One operation of the chip, after which this is there: a sector erased, or a page
        programmed.
        """
        self.image[address : address + len(data)] = data

    def _taken(self, block, data):
        if not 0 <= block < self.blocks or len(data) != BLOCK:
            raise ValueError("block")
        return divmod(block, BLOCKS)


class External(Flash):
    """nordic's, ``supervisor/shared/external_flash/external_flash.c``: ``lend(size)`` tells whether
    RAM can be had.

    A block in an erased place is programmed at once. Anything else waits in a cache of one sector,
    from the outer heap (:352, taken when first needed); where that cannot be had it waits in one
    scratch sector, the last, which is erased each time (:527). ``page_erased`` (:107) compares
    ``TOLD`` bytes and then the same again and what lies behind them on the stack: nothing better
    than those can be relied on.
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
        """Return a block as CircuitPython reads it: from the cache where it waits."""
        sector, place = divmod(block, BLOCKS)
        if sector == self._sector and place in self._dirty:
            return self._dirty[place] if self.cached else self._read(self.scratch * BLOCKS + place)
        return self._read(block)

    def write(self, block: int, data: bytes | bytearray) -> None:
        """Write a block of 512 bytes; ValueError for the scratch sector or beyond (a bad block
        there).
        """
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
        """Hold the cache in RAM, or erase the scratch sector in its place."""
        if not self.cached:
            self.cached = self._lend(CACHE_BYTES)
        if not self.cached:
            self._erase(self.scratch)

    def flush(self) -> None:
        """Bring out what waits: the rest of its sector is copied, which is then erased and
        programmed again.
        """
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
        """Bring out what waits and give the cache back, as at the start and end of a VM."""
        self.flush()
        self.cached = False

    def forget(self) -> None:
        """Lose what waits: a reset, or power."""
        self._sector, self._dirty, self.cached = None, {}, False


class Internal(Flash):
    """espressif's, ``ports/espressif/supervisor/internal_flash.c``: each block erases and programs
    its sector at once.

    A write succeeds whatever the chip said: in a sector of ``worn`` nothing is programmed any more.
    What was meant to be there stays in RAM, and goes out again with the next block of the same
    sector.
    """

    cached = False

    def __init__(self, size: int, spend: "Spend", image: bytearray | None = None):
        super().__init__(size, spend, image)
        self.worn: set[int] = set()
        self._sector: int | None
        self._held: list[bytes]
        self.forget()

    def read(self, block: int) -> bytes:
        """Return a block out of the flash: a whole block never comes out of the sector in RAM."""
        return self._read(block)

    def write(self, block: int, data: bytes | bytearray) -> None:
        """Put a block of 512 bytes into its sector, erase that and program it again; ValueError: no
        such block.
        """
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
        """Nothing waits."""

    release = flush

    def forget(self) -> None:
        """Lose the sector in RAM."""
        self._sector, self._held = None, []
