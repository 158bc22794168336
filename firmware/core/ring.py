"""Records in flash: two copies of a ring of 512-byte blocks, each written whole and in place.

A block is 8 bytes of header (u8 magic, u24 block number, u32 CRC-32 of the number and the rest) and
21 records of 24 bytes, 0xFF if unused. Numbers only rise, and block n is in slot n modulo the
ring's size, so record i is always in block i // 21 (docs/board.md, Flash: nothing else survived
power cuts at every point).

The store is given: its ``write`` has synced the data when it returns. Its files are one erase
sector apart at least: a cut inside a write may cost that copy's whole 4 KiB sector, never the
other copy's.
"""

import binascii
import struct

from firmware.core import events, frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes, Event, Store

SIZE = 512
ROOM = 21
_FIRST = 8
_RECORD = frames.SIZE
_MAGIC = 0x50
_SECTOR = 8  # blocks that share one erase sector of the flash
_BLANK = -1
_BROKEN = -2
_COUNT_BITS = 5  # of a rank: how many records; above them the block's number
_COUNT = (1 << _COUNT_BITS) - 1  # of these bits
_ABOVE_ALL = 1 << 29  # no rank is so high
_BLANK_BLOCK = b"\xff" * SIZE


def _crc(block):
    view = memoryview(block)
    return binascii.crc32(view[_FIRST:], binascii.crc32(view[:4]))


def _place(index):
    """Return where record ``index`` begins in its block."""
    return _FIRST + index % ROOM * _RECORD


def _rank(block, slot, blocks):
    """Return the rank of a slot's copy, to compare it with others: the block's number and how many
    records it has (``_COUNT_BITS``), or ``_BLANK``, or ``_BROKEN``.
    """
    magic, high, low, crc = struct.unpack_from("<BBHI", block)
    number = high << 16 | low
    if magic != _MAGIC or number % blocks != slot or crc != _crc(block):
        return _BLANK if magic == 0xFF else _BROKEN
    count = 0
    while count < ROOM and block[_place(count)] != 0xFF:
        count += 1
    return number << _COUNT_BITS | count


class Ring:
    """The record store by position; ``head`` is the index the next record gets."""

    def __init__(self, store: "Store"):
        self.store = store
        self.tail = bytearray(_BLANK_BLOCK)
        self._block = bytearray(SIZE)  # the one that was read last
        self._read_number: int | None = None  # which that is, if it is whole
        self._lost = False
        self.number = self.head = 0
        self.dirty = False

    @property
    def oldest(self) -> int:
        """The index of the oldest record that has not been overwritten."""
        return max(0, self.number - self.store.blocks + 1) * ROOM

    @property
    def room(self) -> int:
        """How many records still fit into the tail block; after a full block a new one begins."""
        return (self.number + 1) * ROOM - self.head

    def recover(self) -> None:
        """Find the newest block, repair a copy torn by a power cut, and load it as the tail."""
        slot = self._search()
        for near in range(slot - _SECTOR, slot + _SECTOR + 1):
            self._repair(near % self.store.blocks)
        rank = self._load(slot, _ABOVE_ALL)
        if rank >= 0:
            self.tail[:] = self._block
            self.number = rank >> _COUNT_BITS
            self.head = self.number * ROOM + (rank & _COUNT)

    def put(self, record: "Bytes") -> None:
        """Add a record to the tail block; nothing is safe before ``flush``."""
        if not self.room:
            self.flush()
            self.tail[:] = _BLANK_BLOCK
            self.number += 1
        at = _place(self.head)
        self.tail[at : at + _RECORD] = record
        self.head += 1
        self.dirty = True

    def flush(self) -> None:
        """Write the tail to one copy, then to the other."""
        if not self.dirty:
            return
        number = self.number
        struct.pack_into("<BBH", self.tail, 0, _MAGIC, number >> 16, number & 0xFFFF)
        struct.pack_into("<I", self.tail, 4, _crc(self.tail))
        for copy in (0, 1):
            self.store.write(copy, number % self.store.blocks, self.tail)
        self.dirty = False

    def _holder(self, index):
        """Return the block that holds a record, or None when it is not (or no longer) there."""
        if not self.oldest <= index < self.head:
            return None
        number = index // ROOM
        if number == self.number:
            return self.tail
        if number != self._read_number:
            full_rank = number << _COUNT_BITS | ROOM
            rank = self._load(number % self.store.blocks, full_rank)
            self._lost = rank >> _COUNT_BITS != number
            self._read_number = number
        return None if self._lost else self._block

    def kind(self, index: int) -> int:
        """Return the kind of the record at ``index``, 0 if it is not there or its block is lost."""
        block = self._holder(index)
        return 0 if block is None else frames.kind_of(block, _place(index))

    def order(self, index: int) -> int:
        """Return a record's order, epoch << 16 | counter; -1 where ``kind`` returns 0."""
        block = self._holder(index)
        if block is None:
            return -1
        epoch, counter = struct.unpack_from("<HH", block, _place(index) + 3)
        return epoch << 16 | counter

    def event(self, index: int) -> "Event":
        """Return the event of the record at ``index``; ask for its kind first."""
        return events.of_record(self._holder(index), _place(index))  # pyright: ignore[reportArgumentType]  (it has a kind)

    def at(self, index: int) -> bytes | None:
        """Return the record at ``index``, or None when it is not there or its block is lost."""
        block = self._holder(index)
        if block is None:
            return None
        at = _place(index)
        return bytes(block[at : at + _RECORD])

    def _read(self, copy, slot):
        """Read a copy of a slot into the block; return its rank."""
        self._read_number = None
        self.store.readinto(copy, slot, self._block)
        return _rank(self._block, slot, self.store.blocks)

    def _best(self, slot):
        """Return the rank of a slot's better copy."""
        return max(self._read(0, slot), self._read(1, slot))

    def _load(self, slot, enough):
        """Read the better copy of a slot, the first if its rank is ``enough``; return the rank."""
        first = self._read(0, slot)
        if first >= enough:
            return first
        second = self._read(1, slot)
        return second if second > first else self._read(0, slot)  # the last one read stays

    def _repair(self, slot):
        """Write a slot's better copy over the other, and zeros over what a cut has left in a block
        that begins like a blank one: the chip does not erase such a one before the next write
        (external_flash.c, ``page_erased``).
        """
        ranks = self._read(0, slot), self._read(1, slot)
        for copy in (1, 0):
            if ranks[copy] == _BLANK:
                self._read(copy, slot)
                if self._block != _BLANK_BLOCK:
                    self.store.write(copy, slot, bytes(SIZE))
        if ranks[0] != ranks[1] and max(ranks) >= 0:
            worse = 0 if ranks[0] < ranks[1] else 1
            self._read(1 - worse, slot)
            self.store.write(worse, slot, self._block)

    def _search(self):
        """Return the slot of the highest block number, by bisection. In the current lap slot n
        holds block ``first`` + n; behind it lie blocks of the lap before.
        """
        rank = self._best(0)
        first = rank >> _COUNT_BITS  # the number of slot 0's block
        if rank == _BLANK:
            return 0
        low, high = 0, self.store.blocks
        while high - low > 1 and rank != _BROKEN:
            middle = (low + high) // 2
            rank = self._best(middle)
            if rank >> _COUNT_BITS == first + middle:
                low = middle
            else:
                high = middle
        if rank == _BROKEN:  # a block is lost in both copies: all are read
            return max(range(self.store.blocks), key=self._best)
        return low
