"""The journal's store port on the flash model, which charges each read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from host.sim.board import JOURNAL_BLOCKS, RamStore
from host.sim.chip.flash import Internal

if TYPE_CHECKING:
    from host.sim.types import Spend


SIZE = 2 * 1024 * 1024
# where deploy lays the two files on a fresh drive: 1 KB clusters from sector 39, on no sector's
# edge
STARTS = (239, 239 + JOURNAL_BLOCKS)


class FlashStore(RamStore):
    """A store that calls ``spend(us)`` with the time of each operation; ``chip`` is its flash."""

    def __init__(
        self,
        prices: dict[str, int],
        spend: Spend = lambda us: None,
        blocks: int = JOURNAL_BLOCKS,
    ):
        super().__init__()
        self.blocks, self._prices, self.spend = blocks, prices, spend
        self.chip = Internal(SIZE, self._paid)

    def _paid(self, name, times):
        self.spend(self._prices[name] * times)

    def read(self, copy: int, block: int) -> bytes:
        """Return the 512 bytes of a block; one never written reads as erased flash."""
        self._paid("fat_seek_us", 1)
        return self.chip.read(STARTS[copy] + block)

    def write(self, copy: int, block: int, data: bytes | bytearray) -> None:
        """Write one whole block, which is in the flash when this returns.

        ValueError: no such block, or not 512 bytes.
        """
        if not 0 <= block < self.blocks:
            raise ValueError("block")
        self._paid("fat_seek_us", 1)
        self.chip.write(STARTS[copy] + block, data)
        self.chip.flush()
