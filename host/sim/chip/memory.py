"""How much outer heap one VM leaves for the flash's cache (gc.c, port.c)."""

from __future__ import annotations

OUTER_BYTES, PYSTACK_BYTES, HEAP_BYTES = 122_932, 2048, 8192
_HELD_BYTES = 2000  # outer heap used by terminal, USB and the allocator
_RETAINED = 9, 10  # fraction of a source's bytes that stay in the heap


class Memory:
    """The VM's heap within the outer heap; ``asked`` is the text of CIRCUITPY_HEAP_START_SIZE."""

    def __init__(self, asked: str | None):
        start = int(asked) if asked and asked.isdecimal() and int(asked) > 0 else HEAP_BYTES
        free = OUTER_BYTES - PYSTACK_BYTES - _HELD_BYTES
        start = start if start <= free else HEAP_BYTES
        self._heap, self._used, self._outer = start, 0, free - start

    def fill(self, source_size: int) -> None:
        """Allocate for a module of ``source_size`` bytes; a full heap doubles, if there is room."""
        self._used += source_size * _RETAINED[0] // _RETAINED[1]
        while self._used > self._heap and self._outer > 0:
            more = min(self._outer, self._heap)
            self._heap, self._outer = self._heap + more, self._outer - more

    def lend(self, size: int) -> bool:
        """Allocate ``size`` bytes of the outer heap; False when fewer are free."""
        if size > self._outer:
            return False
        self._outer -= size
        return True
