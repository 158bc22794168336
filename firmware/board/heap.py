"""The interpreter's heap, whose garbage is collected when the program says so.

A collection stops everything for some 100 ms (docs/board.md, Memory). The interpreter would begin
one as soon as its areas of the PSRAM are full, in the middle of anything; kept from that, it takes
a further area, as large as all before.
"""

import gc

_LOW_BYTES = 1 << 20


class Heap:
    """The heap of the one program that runs."""

    def __init__(self):
        gc.disable()

    def collect(self) -> None:
        """Collect the garbage."""
        gc.collect()

    @property
    def low(self) -> bool:
        """Whether less than 1 MB is free; then the interpreter may collect by itself, too. It looks
        at the whole heap, which takes some ms.
        """
        low = gc.mem_free() < _LOW_BYTES  # pyright: ignore[reportAttributeAccessIssue]  (a board's collector alone)
        (gc.enable if low else gc.disable)()
        return low
