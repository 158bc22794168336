"""The external flash under a drive, and its cache: what a written block erases, and how often.

``supervisor/shared/external_flash/external_flash.c``: a block in an erased place is programmed at
once. Anything else waits in a cache of one sector, 4 KiB from the outer heap (:352, taken when first
needed); where that cannot be had it waits in one scratch sector, which is erased each time (:527).
"""

SECTOR, BLOCK, PAGE = 4096, 512, 256
BLOCKS = SECTOR // BLOCK
CACHE_BYTES = SECTOR + 16 * 4 + 17 * 4  # pages, the table of them, and what the outer heap adds to each
_ERASED = b"\xff" * BLOCK


class Flash:
    """Blocks of 512 bytes; ``spend(name, times)`` is told of work, ``lend(size)`` whether RAM can be had.

    The last sector is the scratch; block numbers count from the flash's start. ``erases`` counts by
    sector number. A cut of power keeps what was erased and programmed, and nothing else.
    """

    def __init__(self, size, spend, lend):
        self.sectors = size // SECTOR
        self.scratch = self.sectors - 1
        self.erases, self.programs = {}, 0
        self._spend, self._lend = spend, lend
        self._blocks = {}
        self._sector, self._dirty, self._cache = None, {}, False

    @property
    def cached(self):
        """Whether the cache in RAM is held."""
        return self._cache

    def raw(self, block):
        """Return what the chip's flash holds now, whatever waits in the cache."""
        return self._blocks.get(block, _ERASED)

    def lay(self, block, data):
        """Put a block there without its cost, as a PC did before the story begins."""
        self._blocks[block] = bytes(data)

    def read(self, block):
        """Return a block as CircuitPython reads it: from the cache where it waits."""
        sector, place = divmod(block, BLOCKS)
        self._spend("flash_read_us", 1)
        if sector == self._sector and place in self._dirty:
            return self._dirty[place]
        return self.raw(block)

    def write(self, block, data):
        """Write a block of 512 bytes; ValueError for the scratch sector or beyond (a bad block there)."""
        sector, place = divmod(block, BLOCKS)
        if not 0 <= sector < self.scratch or len(data) != BLOCK:
            raise ValueError("block")
        if sector != self._sector or place in self._dirty:
            if self.raw(block) == _ERASED:
                self._program(block, data)
                return
            self.flush()
            self._take()
            self._sector = sector
        self._dirty[place] = bytes(data)
        if not self._cache:
            self._program(self.scratch * BLOCKS + place, data)

    def _take(self):
        """Hold the cache in RAM, or erase the scratch sector in its place."""
        if not self._cache:
            self._cache = self._lend(CACHE_BYTES)
        if not self._cache:
            self._erase(self.scratch)

    def flush(self):
        """Bring out what waits; the cache stays."""
        sector, dirty = self._sector, self._dirty
        self._sector, self._dirty = None, {}
        if sector is None:
            return
        first = sector * BLOCKS
        whole = [dirty.get(place, self.raw(first + place)) for place in range(BLOCKS)]
        if not self._cache:
            for place in range(BLOCKS):
                if place not in dirty:
                    self._program(self.scratch * BLOCKS + place, whole[place])
        self._erase(sector)
        for place in range(BLOCKS):
            self._program(first + place, whole[place])

    def release(self):
        """Bring out what waits and give the cache back, as at the start and end of a VM."""
        self.flush()
        self._cache = False

    def forget(self):
        """Lose what waits: a reset, or power."""
        self._sector, self._dirty, self._cache = None, {}, False

    def _erase(self, sector):
        self._spend("flash_erase_us", 1)
        self.erases[sector] = self.erases.get(sector, 0) + 1
        for place in range(BLOCKS):
            self._blocks.pop(sector * BLOCKS + place, None)

    def _program(self, block, data):
        pages = sum(data[at : at + PAGE] != b"\xff" * PAGE for at in range(0, BLOCK, PAGE))
        self._spend("flash_program_us", pages)
        self.programs += pages
        old = self.raw(block)
        self._blocks[block] = bytes(data) if old == _ERASED else bytes(a & b for a, b in zip(old, data))
