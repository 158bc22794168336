"""A board's evening: boots, an event, a power cut, and the same match again; codes and hidden names."""

import gc

from firmware.core import code, digest, events, frames
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


def stored(journal, epoch, counter):
    place = journal.find(epoch, counter)
    return None if place is None else journal.ring.at(place)


def replayed(journal):
    places = range(journal.first, journal.end)
    return [journal.ring.at(place) for place in places if journal.kind(place)]


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
        kinds = [record[0] & 63 for record in replayed(again)]
        assert kinds.count(events.CLOCK) == 30 + writes
        assert kinds[:2] == [events.ROUND_SET, events.START_SET]
        assert kinds[-2:] == [events.BOOTED, events.EPOCH_CLOSED]
        last = stored(again, 2, 0)
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
    assert (
        events.of_record(stored(again, 2, 0)).kind == events.BOOTED and stored(again, 2, 1) is None
    )
    assert events.of_record(stored(again, 3, 0)).before == 2
    closed = events.of_record(stored(again, 3, 1))
    assert (closed.epoch, closed.records) == (1, held)


def test_the_ring_goes_round_and_counts_on():
    flash = Flash()
    for epoch in range(1, 8):
        journal = joined(flash)
        for i in range(100):
            journal.append(events.Clock(i, 0))
        assert journal.epoch == epoch and stored(journal, epoch, 60)
    assert journal.ring.oldest > 0 and stored(journal, 1, 0) is None
    assert len(replayed(journal)) == journal.ring.head - journal.start


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


def test_codes_are_of_six_digits():
    assert code.hotp(b"12345678901234567890", 0, digest.new_sha256) == "875740"
    for number in range(40):
        digits = code.hotp(KEY, number)
        assert len(digits) == 6 and int(digits) < 1000000


def test_a_used_code_stays_used_after_a_reset():
    flash = Flash()
    journal = booted(flash)
    journal.append(events.EventJoined(0, 5, 0))
    key = code.judges_key(KEY, 5)
    right = code.enter(journal, code.hotp(key, 2), 1000)
    assert right == events.CodeEntered(1000, 0, 3)
    journal.append(right)
    again = booted(flash)
    newest = code.newest_entry(again)
    assert (newest.wrong, newest.number) == (0, 3)
    wrong = code.enter(again, code.hotp(key, 2), 2000)
    assert wrong == events.CodeEntered(2000, 1, 3)
    again.append(wrong)
    assert code.enter(again, code.hotp(key, 3), 3999) is None
    assert code.enter(again, code.hotp(key, 3), 4000).wrong == 0


def test_a_result_code_is_six_characters_of_the_alphabet():
    text = code.result_code(KEY, 5, 3, 700, 1, (2, 1))
    assert len(text) == 6 and not [x for x in text if x not in code.ALPHABET]


def test_a_name_is_hidden_and_shown():
    key = frames.stream_key(KEY, 5, frames.DOWN, 3)
    seen = []
    for counter in range(8):
        frame = frames.signed(digest.blocks(key), frames.NAME, 7, 3, counter, bytes(9))
        hidden = frames.mask_name(KEY, frame, b"Amelie P")
        assert frames.mask_name(KEY, frame, hidden) == b"Amelie P"
        seen.append(hidden)
    assert len(set(seen)) == 8 and b"Amelie P" not in seen
