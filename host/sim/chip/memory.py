"""One VM's heap (gc.c): areas that double while there is outer heap, what is alive, and garbage."""

from __future__ import annotations

from collections.abc import Callable

NORDIC_BYTES, PYSTACK_BYTES, HEAP_BYTES = 122_932, 2048, 8192
_HELD_BYTES = 2000  # outer heap used by terminal, USB and the allocator


class Memory:
    """A heap within ``outer`` bytes; ``asked`` is the text of CIRCUITPY_HEAP_START_SIZE.

    ``alive`` bytes outlive a collection, ``garbage`` bytes do not. ``collected()`` is called for
    each collection that an allocation needs, so for none after ``automatic`` was set to False.
    """

    def __init__(self, outer: int, asked: str | None, collected: Callable[[], None]):
        start = int(asked) if asked and asked.isdecimal() and int(asked) > 0 else HEAP_BYTES
        free = outer - PYSTACK_BYTES - _HELD_BYTES
        start = start if start <= free else HEAP_BYTES
        self.size, self._outer, self._collected = start, free - start, collected
        self.alive = self.garbage = 0
        self.automatic = True

    @property
    def free(self) -> int:
        """What ``gc.mem_free`` returns: free in the areas, and what is left for another one."""
        return self.size - self.alive - self.garbage + self._outer

    def allocate(self, size: int, alive: bool = False) -> None:
        """Allocate ``size`` bytes; MemoryError when there are none, even after a collection."""
        if self.alive + self.garbage + size > self.size and self.automatic:
            self.garbage = 0
            self._collected()
        while self.alive + self.garbage + size > self.size:
            more = min(self._outer, self.size)
            if not more:
                raise MemoryError(f"memory allocation failed, allocating {size} bytes")
            self.size, self._outer = self.size + more, self._outer - more
        if alive:
            self.alive += size
        else:
            self.garbage += size
