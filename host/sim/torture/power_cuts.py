"""The journal's two files when power fails during a write (docs/board.md, Flash).

Writing a block rewrites the whole erase sector of its copy, so a power cut can destroy the eight
blocks of that sector; the other copy is not touched.
"""

from __future__ import annotations

import random
from random import Random

from host.sim.board import BLOCK_SIZE, RamStore

SECTOR = 8
MODES = ("nothing", "part", "blank", "garbage", "complete")
_BLANK = b"\xff" * BLOCK_SIZE


class PowerCut(Exception):
    """The board has stopped during a write; ``powered`` if by a reset, so that sleep memory
    survives.
    """

    def __init__(self, powered: bool):
        super().__init__(powered)
        self.powered = powered


class FaultyStore(RamStore):
    """A store that ``cut`` can interrupt; ``damaged`` counts the interrupted writes."""

    def __init__(self, blocks: int):
        super().__init__()
        self.blocks = blocks
        self.writes = self.damaged = 0
        self._left: int | None = None
        self._mode, self._luck, self._powered = MODES[0], random.Random(0), False  # set by ``cut``

    def copy(self) -> RamStore:
        """Return a store with the same content that is never interrupted."""
        other = RamStore()
        other.blocks, other._written = self.blocks, dict(self._written)
        return other

    def cut(self, left: int, mode: str, luck: Random, powered: bool = False) -> None:
        """Let ``left`` more writes complete and interrupt the next one in ``mode`` (see MODES)."""
        self._left, self._mode, self._luck, self._powered = left, mode, luck, powered

    def cancel_cut(self) -> None:
        """Cancel a planned cut."""
        self._left = None

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write a block; raises PowerCut if power fails during it."""
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
        """Fill the rest of the sector with blank or random bytes from a random position on."""
        first = block // SECTOR * SECTOR
        last = self._luck.randrange(
            first, first + SECTOR
        )  # the block being written when power failed
        for place in range(first, min(first + SECTOR, self.blocks)):
            whole = data if place == block else self.read(copy, place)
            rest = _BLANK if self._mode == "blank" else self._luck.randbytes(BLOCK_SIZE)
            kept = BLOCK_SIZE if place < last else done if place == last else 0
            super().write(copy, place, whole[:kept] + rest[kept:])
