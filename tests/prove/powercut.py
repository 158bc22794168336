"""Cuts the power of the journal at every erase and program of a real FAT, and looks what is left.

    micropython -X heapsize=256m powercut.py SCENARIO STRIDE

Runs MicroPython's VfsFat on the flash of ``flash.py``, with ``firmware/board/store.py`` and
``firmware/core/journal.py`` as they are. Every cut (of every ``STRIDE``-th operation, in four torn
modes) is followed by a boot; where that boot repairs something it is cut too, at every operation
(of every ``STRIDE // 2``-th, as repairs are short), and followed by another. Prints one line of
JSON at the end, progress as ``# ...``.
"""

import gc
import hashlib
import json
import sys

import flash
from fatdrive import APPLICATION, DRIVE, JOURNALS, deployed, mirrored, system

from firmware.board import store
from firmware.core import events
from firmware.core.journal import Journal
from firmware.core.ring import ROOM

ACTS = 2  # what one press comes to
KEY = bytes(range(32))
DEVICE = 7
SET_UP = (
    events.EventJoined(0, 5, 0), events.TimeSet(9, 9, 1),
    events.RoundSet(9, 1, 2, 3),
)  # fmt: skip


def at_once(number):
    """Return how many records one write stores, all of them or none."""
    return 1 + number % 3


def turns(number):
    """Return what happens at once, ``number`` in each record."""
    return [events.TurnEnded(number, 0, 1, 2)] * at_once(number)


def whole(ended):
    """Say whether the last of these numbers is there as often as it happened at once."""
    return ended.count(ended[-1]) == at_once(ended[-1])


class Safe:
    def __init__(self):
        self.journal = Journal(store.Store(JOURNALS), DEVICE, KEY)
        system.kept.append(self)
        self.journal.recover()
        self.tried, put = [], self.journal.ring.put

        def spy(record):
            self.tried.append(bytes(record))
            put(record)

        self.journal.ring.put = spy

    def fill(self, records):
        self.journal.open_epoch(0)
        for end in (records - 20, records):
            while self.journal.ring.head < end:
                room = min(15, end - self.journal.ring.head)
                self.journal.append(*[events.Clock(1, 0)] * room)
            if end < records:
                self.journal.append(*SET_UP)

    def write(self, number):
        """Store some records for somebody who is told so when this returns; every second time as a
        press does, and every fourth time end a block before as a board does while nobody presses.
        """
        journal = self.journal
        if number % 4 == 3 and not journal.fits():
            journal.close_block()
        if number == 0:
            journal.open_epoch(number)
        elif number % 2:
            journal.append(*turns(ACTS * number))
        else:
            journal.held = True
            for act in range(ACTS * number, ACTS * number + ACTS):
                journal.append(*turns(act))
            journal.settle()

    def start(self):
        """Return how much is held: where the tried records will begin."""
        return self.journal.ring.head


class Mirrorless(Safe):
    """The same journal with its second copy never written: a bug that the harness must see."""

    def __init__(self):
        super().__init__()
        ring, write = self.journal.ring, self.journal.ring.store.write
        ring.store.write = lambda copy, block, data: copy or write(copy, block, data)


class Naive:
    """What everybody writes first: append to a file, flush, done."""

    def __init__(self):
        self.file = open(DRIVE + "/journal.log", "ab")  # noqa: SIM115 - it is open until the power goes
        system.kept.append(self)
        self.tried = []

    def fill(self, records):
        self.file.write(b"\x11" * (24 * records))
        self.file.flush()

    def write(self, number):
        """Append a record of 24 bytes."""
        record = bytes([number]) * 24
        self.tried.append(record)
        self.file.write(record)
        self.file.flush()

    def start(self):
        return self.file.seek(0, 2) // 24


def held_safe(start, tried, promised):
    """Say whether a booted journal holds all that was promised, and nothing half written."""
    journal = Safe().journal
    ring = journal.ring
    first = max(ring.oldest, start - 16 * ROOM)
    held = [ring.at(place) for place in range(first, ring.head)]
    if not start + promised <= ring.head <= start + len(tried) or None in held:
        return False
    if held[max(0, start - first) :] != tried[max(0, first - start) : ring.head - start]:
        return False
    if not all(journal.authentic(record) for record in held[max(0, start - first) :]):
        return False
    ended = [
        event.at_ms
        for event in map(events.of_record, held[max(0, start - first) :])
        if event.kind == events.TURN_ENDED
    ]
    if ended and not whole(ended):
        return False
    journal.open_epoch(9)
    return Safe().journal.ring.head == journal.ring.head and mirrored(journal.ring)


def held_naive(start, tried, promised):
    """Say the same of the naive file."""
    with open(DRIVE + "/journal.log", "rb") as file:
        log = file.read()
    return log[start * 24 :][: promised * 24] == b"".join(tried[:promised])


# name: (class, records before, how many writes follow, what tells whether all is held)
SCENARIOS = {
    "first": (Safe, 0, 6, held_safe),
    "block": (Safe, 2 * ROOM - 5, 8, held_safe),
    "sector": (Safe, 14 * ROOM - 5, 8, held_safe),
    "margin": (Safe, 492 * ROOM - 5, 8, held_safe),
    "wrap": (Safe, 496 * ROOM - 5, 8, held_safe),
    "lap": (Safe, (496 + 16) * ROOM - 5, 8, held_safe),
    "mirrorless": (Mirrorless, 2 * ROOM - 5, 8, held_safe),
    "naive": (Naive, 80, 12, held_naive),
}


class Matrix:
    """One scenario, all its cuts, and the figures."""

    def __init__(self, name, stride):
        self.name, self.stride = name, stride
        self.make, records, self.writes, self.held = SCENARIOS[name]
        self.machine = deployed(self.make is not Naive)
        made = self.make()
        if records:
            made.fill(records)
        system.drive.sync()
        self.machine.off()
        self.base = bytes(self.machine.image)
        self.dirty = set()
        self.seen = set()
        self.found = {"cuts": 0, "images": 0, "repair_cuts": 0, "damaged": 0, "lost": 0, "dark": 0}

    def restore(self, sectors, source):
        for sector in sectors:
            at = sector * flash.SECTOR
            self.machine.image[at : at + flash.SECTOR] = source(sector)

    def original(self, sector):
        return self.base[sector * flash.SECTOR : (sector + 1) * flash.SECTOR]

    def live(self, left, torn):
        """Boot and write until the power goes; return ``(operations, start, tried, promised)``."""
        made = None
        start = promised = 0
        self.machine.mount(left, torn)
        try:
            made = self.make()
            start = made.start()
            for number in range(self.writes):
                made.write(number)
                promised = len(made.tried)
        except flash.PowerCut:
            pass
        self.dirty |= self.machine.power.touched
        self.machine.off()
        return self.machine.power.operations, start, made.tried if made else [], promised

    def boot(self, left=flash.NEVER, torn=0):
        """Boot alone, which repairs; return how many operations that took."""
        self.machine.mount(left, torn)
        try:
            self.make()
        except flash.PowerCut:
            pass
        except OSError:
            self.found["dark"] += 1
        self.dirty |= self.machine.power.touched
        self.machine.off()
        return self.machine.power.operations

    def check(self, lived):
        """Look what is left, then forget it."""
        try:
            self.machine.mount()
            held = self.held(*lived)
            damaged = self.machine.damaged()
        except Exception as error:  # whatever it is, the board does not start
            if self.make is Safe:
                sys.print_exception(error)
            damaged, held = len(APPLICATION), False
        self.found["damaged"] += damaged > 0
        self.found["lost"] += not held
        if self.machine.power:
            self.dirty |= self.machine.power.touched
        self.machine.off()

    def run(self):
        operations = self.live(flash.NEVER, 0)[0]
        for left in range(0, operations, self.stride):
            for torn in range(len(flash.MODES)):
                self.restore(self.dirty, self.original)
                self.dirty = set()
                lived = self.live(left, torn)[1:]
                self.found["cuts"] += 1
                self.after(lived)
            if left // self.stride % 16 == 0:
                print("#", self.name, left, "of", operations, self.found)
                gc.collect()
        return {"scenario": self.name, "operations": operations} | self.found

    def after(self, lived):
        """Check a torn image, and if it is a new one every cut of its repair."""
        torn_sectors = {sector: self.sector(sector) for sector in self.dirty}
        name = self.digest(torn_sectors)
        fresh = name not in self.seen
        self.seen.add(name)
        self.found["images"] += fresh
        repairs = self.boot() if fresh and self.make is not Naive else 0
        self.again(torn_sectors)
        self.check(lived)
        for left in range(0, repairs, max(1, self.stride // 2)):
            for torn in range(len(flash.MODES)):
                self.again(torn_sectors)
                self.boot(left, torn)
                self.found["repair_cuts"] += 1
                self.check(lived)
        self.again(torn_sectors)

    def sector(self, number):
        return bytes(self.machine.image[number * flash.SECTOR : (number + 1) * flash.SECTOR])

    def again(self, sectors):
        self.restore(self.dirty, lambda sector: sectors.get(sector) or self.original(sector))

    def digest(self, sectors):
        """Return a name for a torn image."""
        hashed = hashlib.sha256()
        for sector in sorted(sectors):
            hashed.update(bytes([sector & 255, sector >> 8]) + sectors[sector])
        return hashed.digest()


if __name__ == "__main__":
    print(json.dumps(Matrix(sys.argv[1], int(sys.argv[2])).run()))
