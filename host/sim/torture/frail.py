"""The journal's two files when the power may end inside a write (docs/board.md, Flash).

A write of a block rewrites its copy's whole erase sector, so a cut may cost the eight blocks that
share it; the other copy is never touched.
"""

from __future__ import annotations

import random
from random import Random

from host.sim.board import BLOCK_SIZE, RamStore

SECTOR = 8
MODES = ("nothing", "part", "blank", "garbage", "complete")
_BLANK = b"\xff" * BLOCK_SIZE


class PowerCut(Exception):
    """The board has gone dark inside a write; ``powered``: by a reset, and sleep memory
    lives on.
    """

    def __init__(self, powered: bool):
        super().__init__(powered)
        self.powered = powered


class FrailStore(RamStore):
    """A store whose power ``cut`` can end; ``damaged`` tells how often it was."""

    def __init__(self, blocks: int):
        super().__init__()
        self.blocks = blocks
        self.writes = self.damaged = 0
        self._left: int | None = None
        self._mode, self._luck, self._powered = MODES[0], random.Random(0), False  # cut says which

    def copy(self) -> RamStore:
        """Return a store that holds the same, and whose power does not fail."""
        other = RamStore()
        other.blocks, other._written = self.blocks, dict(self._written)
        return other

    def cut(self, left: int, mode: str, luck: Random, powered: bool = False) -> None:
        """Let ``left`` more writes be whole and the next end in ``mode``."""
        self._left, self._mode, self._luck, self._powered = left, mode, luck, powered

    def spare(self) -> None:
        """Cut nothing."""
        self._left = None

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write a block; raises PowerCut when the power ends inside."""
        self.writes += 1
        if self._left is None:
            super().write(copy, block, data)
            return
        if self._left:
            self._left -= 1
            super().write(copy, block, data)
            return
        self._left = None
        self.damaged += 1
        self._tear(copy, block, bytes(data))
        raise PowerCut(self._powered)

    def _tear(self, copy, block, data):
        mode, done = self._mode, self._luck.randrange(BLOCK_SIZE)
        if mode == "complete":
            super().write(copy, block, data)
        elif mode == "part":
            super().write(copy, block, data[:done] + self.read(copy, block)[done:])
        elif mode != "nothing":
            self._lose(copy, block, data, done)

    def _lose(self, copy, block, data, done):
        """Leave blank or garbage of a sector from somewhere on."""
        first = block // SECTOR * SECTOR
        last = self._luck.randrange(first, first + SECTOR)  # where the cut came
        for place in range(first, min(first + SECTOR, self.blocks)):
            whole = data if place == block else self.read(copy, place)
            rest = _BLANK if self._mode == "blank" else self._luck.randbytes(BLOCK_SIZE)
            kept = BLOCK_SIZE if place < last else done if place == last else 0
            super().write(copy, place, whole[:kept] + rest[kept:])
