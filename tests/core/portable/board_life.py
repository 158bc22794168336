"""A board's evening: boots, an event, records over a link, a power cut, and the same
match again.
"""

import gc

from firmware.core import events, frames, intents
from firmware.core.journal import Journal
from firmware.core.sync import Sync
from firmware.core.timebase import Timebase

KEY = bytes(range(32))
DEVICE = 7


class Flash:
    """Two copies of blocks that can lose their power before a copy is written."""

    blocks = 20

    def __init__(self):
        self.written = {}
        self.writes_left = -1

    def readinto(self, copy, block, buffer):
        buffer[:] = self.written.get((copy, block), b"\xff" * 512)

    def write(self, copy, block, data):
        if self.writes_left == 0:
            self.written[copy, block] = bytes(data[:200]) + b"\x00" * 312
            raise OSError("dark")
        self.writes_left -= 1
        self.written[copy, block] = bytes(data)


class Table:
    """The parts of a match that a status names."""

    round, phase, turn, zero_ms = 1, 3, 0, 5000000


def booted(flash):
    journal = Journal(flash, DEVICE, KEY)
    journal.recover()
    journal.open_epoch(journal.last_ms or 0)
    return journal


def joined(flash):
    journal = booted(flash)
    journal.append(events.EventJoined(0, 5, 0), events.TimeSet(1000, 20, 1))
    journal.append(events.RoundSet(1000, 1, 4, 4), events.StartSet(900000))
    return journal


def down(journal, kind, counter, payload):
    key = frames.stream_key(KEY, journal.event, frames.DOWN, journal.epoch)
    return frames.sign(key, kind, DEVICE, journal.epoch, counter, payload)


def test_a_cut_in_either_copy_costs_only_what_was_not_promised():
    for writes in (0, 1):
        flash = Flash()
        journal = joined(flash)
        for i in range(30):
            journal.append(events.Clock(2000 + i, 0))
        flash.writes_left = writes
        try:
            journal.append(events.Clock(9000, 0))
            raise AssertionError
        except OSError:
            flash.writes_left = -1
        again = booted(flash)
        assert again.epoch == 2 and again.event == 5
        kinds = [record[0] & 63 for record in again.replay()]
        assert kinds.count(events.CLOCK) == 30 + writes
        assert kinds[:2] == [events.ROUND_SET, events.START_SET]
        assert kinds[-2:] == [events.BOOTED, events.EPOCH_CLOSED]
        last = again.read(2, 0)
        assert events.of_record(last) == events.Booted(9000 if writes else 2029, 0, 0, 1)


def test_a_boot_cut_off_between_two_blocks_leaves_no_hole_between_epochs():
    flash = Flash()
    journal = booted(flash)
    while journal.ring.head % 21 < 20:
        journal.append(events.Clock(5, 0))
    held = journal.counter
    flash.writes_left = 2  # both copies of the block that ends with its first record
    try:
        booted(flash)
        raise AssertionError
    except OSError:
        flash.writes_left = -1
    again = booted(flash)
    assert events.of_record(again.read(2, 0)).kind == events.BOOTED and again.read(2, 1) is None
    assert events.of_record(again.read(3, 0)).before == 2
    closed = events.of_record(again.read(3, 1))
    assert (closed.epoch, closed.records) == (1, held)


def test_the_ring_goes_round_and_counts_on():
    flash = Flash()
    for epoch in range(1, 8):
        journal = joined(flash)
        for i in range(100):
            journal.append(events.Clock(i, 0))
        assert journal.epoch == epoch and journal.read(epoch, 60)
    assert journal.ring.oldest > 0 and journal.read(1, 0) is None
    assert len(list(journal.replay())) == journal.ring.head - journal.start


def test_records_go_up_until_they_are_acknowledged():
    journal = joined(Flash())
    sync = Sync(journal, Timebase(50), lambda size: b"\x01" * size)
    sync.link_opened(0)
    asked = sync.outgoing(0)
    assert frames.head(asked)[0] == frames.TIME_ASKED
    sync.sent(0)
    got = sync.receive(down(journal, frames.TIME, 0, frames.pack_time(2000, 0x01010101)), 30)
    assert got[0] == "event" and got[1].kind == events.TIME_SET
    journal.append(got[1])
    up = []
    frame = sync.outgoing(40)
    while frame:
        up.append(frame)
        sync.sent(40)
        frame = sync.outgoing(40)
    assert [r[0] & 63 for r in up] == [events.ROUND_SET, events.START_SET, events.TIME_SET]
    assert sync.waiting == 3 and sync.outgoing(900) is None and sync.outgoing(1040) == up[0]
    epoch, first = frames.head(up[0])[2:]
    tags = up[0][16:] + up[1][16:] + up[2][16:]
    sync.receive(down(journal, frames.ACK, 1, frames.pack_ack(epoch, first, 3, tags)), 1100)
    assert sync.waiting == 0 and sync.outgoing(5000) is None and sum(sync.refused) == 0


def test_a_command_is_taken_once():
    journal = joined(Flash())
    clock = Timebase(50)
    clock.ask_host(1, 0)
    assert clock.host_answered(60000, 1, 2)
    sync = Sync(journal, clock, lambda size: b"\x01" * size)
    frame = down(journal, intents.FREEZE, 6, frames.plain(70000))
    assert sync.receive(frame, 10) == intents.Freeze(70000)
    assert sync.answer(0, 5) == events.Answered(5, 0, 6, intents.FREEZE, 0)
    assert sync.receive(frame, 20) is None and sync.refused[4] == 1
    assert sync.receive(down(journal, intents.RESUME, 5, frames.plain(80000)), 30) is None
    assert sync.receive(down(journal, intents.RESUME, 7, frames.plain(80000)), 40)


def test_a_status_names_the_zero_and_the_news():
    journal = joined(Flash())
    sync = Sync(journal, Timebase(50), lambda size: b"\x01" * size)
    frame = sync.status_frame(Table, frames.JUDGE_WANTED, 0)
    zero_ms, phase, turn, flags, news = frames.status_of(frame)
    assert (zero_ms, phase, turn, news) == (5000000, 3, 0, journal.counter)
    for flag in (
        frames.JUDGE_WANTED,
        frames.NAMES_WANTED,
        frames.TIME_WANTED,
        frames.UNSENT,
        frames.CLOCK_UNCERTAIN,
    ):
        assert flags & flag
    assert sync.status_frame(Table, frames.JUDGE_WANTED, 9999) is frame
    assert sync.status_frame(Table, 0, 9999) is not frame


def test_a_second_without_news_allocates_next_to_nothing():
    if not hasattr(gc, "mem_alloc"):
        return
    journal = joined(Flash())
    clock = Timebase(50)
    sync = Sync(journal, clock, lambda size: b"\x01" * size)

    def look():
        sync.status_frame(Table, 0, 1000)
        clock.now_ms(1000)
        sync.drop_due(1000)
        sync.outgoing(1000)

    look()
    gc.collect()
    before = gc.mem_alloc()
    look()
    look()
    assert gc.mem_alloc() - before <= 1024  # in both
