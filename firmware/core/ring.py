"""Records in flash: two copies of a ring of 512-byte blocks, each written whole and in place.

A block is 8 bytes of header (u8 magic, u24 block number, u32 CRC-32 of the number and the rest)
and 21 records of 24 bytes, 0xFF where none is yet. Numbers only rise and block n lies in slot
n modulo the ring's size, so record i is in block i // 21 for ever (DESIGN §3; BOARD_FACTS,
Storage: nothing else survived power cuts at every point).

The store is given: ``blocks``; ``read(copy, block)`` returns 512 bytes; ``write(copy, block,
data)`` has copied and synced ``data`` when it returns. Its files are one erase sector apart at
least: a cut inside a write may cost that copy's whole 4 KiB sector, never the other copy's.
"""

import binascii
import struct

SIZE = 512
ROOM = 21
_RECORD = 24
_FIRST = 8
_MAGIC = 0x50
_SECTOR = 8  # blocks that share one erase sector of the flash
_BLANK = -1
_BROKEN = -2


def _crc(data):
    view = memoryview(data)
    return binascii.crc32(view[_FIRST:], binascii.crc32(view[:4]))


def _rank(data, slot, blocks):
    """Order a block among its copies: 32 * number + records, or ``_BLANK``, or ``_BROKEN``."""
    magic, high, low, crc = struct.unpack("<BBHI", bytes(data[:_FIRST]))
    number = high << 16 | low
    if magic != _MAGIC or number % blocks != slot or crc != _crc(data):
        return _BLANK if magic == 0xFF else _BROKEN
    count = 0
    while count < ROOM and data[_FIRST + _RECORD * count] != 0xFF:
        count += 1
    return number << 5 | count


class Ring:
    """The record store by position; ``head`` is the index the next record gets."""

    def __init__(self, store):
        self.store = store
        self.tail = bytearray(b"\xff" * SIZE)
        self.number = 0
        self.head = 0
        self.dirty = False

    @property
    def oldest(self):
        """The index of the oldest record that has not been overwritten."""
        return max(0, self.number - self.store.blocks + 1) * ROOM

    @property
    def room(self):
        """How many records still fit into the tail block; a full one is followed by another."""
        return ROOM - (self.head - self.number * ROOM)

    def recover(self):
        """Find the newest block, repair the copy a power cut tore, and load it as the tail."""
        slot = self._search()
        data, rank = self._best(slot)
        if rank < 0:
            return
        self.tail[:] = data
        self.number = rank >> 5
        self.head = self.number * ROOM + (rank & 31)
        for near in range(slot - _SECTOR, slot + _SECTOR + 1):
            self._repair(near % self.store.blocks)

    def put(self, record):
        """Add a record to the tail block; nothing is safe before ``flush``."""
        place = self.head - self.number * ROOM
        if place == ROOM:
            self.flush()
            self.tail[:] = b"\xff" * SIZE
            self.number += 1
            place = 0
        start = _FIRST + _RECORD * place
        self.tail[start : start + _RECORD] = record
        self.head += 1
        self.dirty = True

    def flush(self):
        """Write the tail to one copy, then to the other."""
        if not self.dirty:
            return
        number = self.number
        struct.pack_into("<BBH", self.tail, 0, _MAGIC, number >> 16, number & 0xFFFF)
        struct.pack_into("<I", self.tail, 4, _crc(self.tail))
        for copy in (0, 1):
            self.store.write(copy, number % self.store.blocks, self.tail)
        self.dirty = False

    def walk(self, index, step=1):
        """Yield ``(index, record)`` from ``index`` on, upward or (-1) downward.

        A record whose block is lost in both copies is None.
        """
        number = data = None
        while self.oldest <= index < self.head:
            if index // ROOM != number:
                number = index // ROOM
                data = self._block(number)
            start = _FIRST + _RECORD * (index % ROOM)
            yield index, data and bytes(data[start : start + _RECORD])
            index += step

    def at(self, index):
        """Return the record at ``index``, or None when it is not (or no longer) there."""
        for _, record in self.walk(index):
            return record
        return None

    def _block(self, number):
        if number == self.number:
            return self.tail
        slot = number % self.store.blocks
        data, rank = self._best(slot, number << 5 | ROOM)
        return data if rank >> 5 == number else None

    def _best(self, slot, enough=1 << 29):
        """Return the better copy of a slot and its rank; the second is read only if needed."""
        data = self.store.read(0, slot)
        rank = _rank(data, slot, self.store.blocks)
        if rank < enough:
            other = self.store.read(1, slot)
            second = _rank(other, slot, self.store.blocks)
            if second > rank:
                return other, second
        return data, rank

    def _repair(self, slot):
        copies = [self.store.read(copy, slot) for copy in (0, 1)]
        ranks = [_rank(data, slot, self.store.blocks) for data in copies]
        if ranks[0] != ranks[1] and max(ranks) >= 0:
            worse = 0 if ranks[0] < ranks[1] else 1
            self.store.write(worse, slot, copies[1 - worse])

    def _search(self):
        """Return the slot of the highest block number by bisection: numbers rise along a lap."""
        _, rank = self._best(0)
        lap = rank >> 5
        if rank == _BLANK:
            return 0
        low, high = 0, self.store.blocks
        while high - low > 1 and rank != _BROKEN:
            middle = (low + high) // 2
            _, rank = self._best(middle)
            if rank >> 5 == lap + middle:
                low = middle
            else:
                high = middle
        return low if rank != _BROKEN else self._survey()

    def _survey(self):
        """Return the highest block's slot by reading all: a block is lost in both copies."""
        best, where = _BROKEN, 0
        for slot in range(self.store.blocks):
            _, rank = self._best(slot)
            if rank > best:
                best, where = rank, slot
        return where
