"""Flash that loses its power inside a write: the store port of the journal, at its worst.

A write of a block erases and programs that copy's whole 4 KiB sector, so a cut may cost the eight
blocks that share it: as they were, blank, programmed in part, or garbage from the cut on.
"""

from firmware.core.journal import Journal
from host.sim.chip.flash import written

DEVICE, KEY = 7, bytes(range(32))
SIZE = 512
SECTOR = 8
BLANK = b"\xff" * SIZE


class PowerCut(Exception):
    """The board went dark inside a write."""


class TornStore:
    """Two copies of ``blocks`` blocks, of which block 0 lies ``shift`` blocks into a sector."""

    def __init__(self, blocks, shift=0):
        self.blocks, self.shift = blocks, shift
        self.copies = [[BLANK] * blocks, [BLANK] * blocks]
        self.writes_left = None  # how many more writes are whole
        self.cut = (0, "old")  # bytes of the sector or block that were done, what follows them

    def read(self, copy, block):
        """Return a block's 512 bytes."""
        return self.copies[copy][block]

    def readinto(self, copy, block, buffer):
        buffer[:] = self.read(copy, block)

    def write(self, copy, block, data):
        """Write a block; PowerCut when the power ends inside."""
        data = bytes(data)
        assert len(data) == SIZE
        if self.writes_left == 0:
            self._tear(self.copies[copy], block, data)
            self.writes_left = None
            raise PowerCut
        if self.writes_left is not None:
            self.writes_left -= 1
        self.copies[copy][block] = written(self.copies[copy][block], data)

    def _tear(self, blocks, block, data):
        done, rest = self.cut
        if rest == "old":
            blocks[block] = (data[:done] + blocks[block][done:])[:SIZE]
            return
        first = (block + self.shift) // SECTOR * SECTOR - self.shift
        for place in range(first, first + SECTOR):
            if 0 <= place < self.blocks:
                whole = data if place == block else blocks[place]
                kept = min(max(done - SIZE * (place - first), 0), SIZE)
                blocks[place] = whole[:kept] + (BLANK if rest == "blank" else b"\xa5" * SIZE)[kept:]


def recovered(store):
    """Return the Journal that the board's next life finds in a store."""
    journal = Journal(store, DEVICE, KEY)
    journal.recover()
    return journal
