"""The outer heap of one VM, as far as the flash's cache depends on it (gc.c, port.c)."""

from __future__ import annotations

OUTER_BYTES, PYSTACK_BYTES, HEAP_BYTES = 122_932, 2048, 8192
_HELD_BYTES = 2000  # of the outer heap by terminal, USB and the allocator
_RETAINED = 9, 10  # of a source's bytes stay in the heap


class Memory:
    """The VM's heap out of the outer one; ``asked`` is CIRCUITPY_HEAP_START_SIZE as it stands, or
    None.
    """

    def __init__(self, asked: str | None):
        start = int(asked) if asked and asked.isdecimal() and int(asked) > 0 else HEAP_BYTES
        free = OUTER_BYTES - PYSTACK_BYTES - _HELD_BYTES
        start = start if start <= free else HEAP_BYTES
        self._heap, self._used, self._outer = start, 0, free - start

    def fill(self, source_size: int) -> None:
        """Keep what a module of so much source comes to; the heap grows by doubling as it fills."""
        self._used += source_size * _RETAINED[0] // _RETAINED[1]
        while self._used > self._heap and self._outer > 0:
            more = min(self._outer, self._heap)
            self._heap, self._outer = self._heap + more, self._outer - more

    def lend(self, size: int) -> bool:
        """Whether the outer heap has so much left for the flash's cache."""
        if size > self._outer:
            return False
        self._outer -= size
        return True
