"""Which records are missing: worked out from what is there, not from what a board claims."""

import random
import struct

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import beacon, events, frames, payload
from host.archive.records import ArchivedRecord
from host.collector.heard_times import MOST, HeardTimes
from host.event.holdings import BOOTS, BootHoldings, Holdings
from host.keys import signatures

KEY = bytes(32)


def walked(boot, size, withheld):
    """Return the runs, found counter by counter."""
    runs = []
    for counter in range(size):
        if counter in boot or counter in withheld:
            continue
        if runs and sum(runs[-1]) == counter:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        else:
            runs.append((counter, 1))
    return runs


def test_the_runs_are_those_that_a_walk_finds():
    for seed in range(300):
        luck, boot = random.Random(seed), BootHoldings()
        for _ in range(luck.randrange(30)):
            boot.add(luck.randrange(25))
        withheld = {luck.randrange(30) for _ in range(luck.randrange(8))}
        size = luck.randrange(40)
        assert boot.missing(size, sorted(withheld)) == walked(boot, size, withheld)


def test_a_claimed_counter_costs_nothing():
    boot = BootHoldings()
    boot.add(7)
    assert boot.missing(10**15) == [(0, 7), (8, 10**15 - 8)]  # no walk would ever end


def entry(epoch, counter, event):
    frame = signatures.sign(KEY, event.kind, 1, epoch, counter, payload.pack(event))
    return ArchivedRecord(1, 1, epoch, counter, 5, 0, frame)


def test_a_board_that_claims_boots_without_end_is_followed_so_far():
    holdings = Holdings()
    for epoch in range(1, 3 * BOOTS):
        holdings.add(entry(epoch, 0, events.Booted(0, 0, 0, 0)))
        holdings.add(entry(epoch, 1, events.EpochClosed(0, epoch - 1, 9)))
    gaps = holdings.gaps(1, 1, 3 * BOOTS - 1, 9, 5)
    assert len(gaps) == BOOTS + 1 and gaps[-1] == (3 * BOOTS - 1, 2, 7)
    assert gaps == sorted(gaps)


LASTS_MS = (beacon.LONGEST + 1) * beacon.HEARD_MS


def status(device, counter):
    payload = frames.pack_status(0, 3, 0, frames.TIME_WANTED, 5)
    return signatures.sign(bytes(32), frames.STATUS, device, 1, counter, payload)


def said(body):
    """Return the frame that would carry a body."""
    return beacon.sign(bytes(16), bytes(8), beacon.TIMES, 1, body)


@given(st.lists(st.tuples(st.binary(min_size=4, max_size=4), st.integers(0, 31)), max_size=3))
def test_what_is_packed_comes_back(heard):
    frame = said(beacon.pack_times(heard))
    assert len(frame) == beacon.SIZE and beacon.kind_of(frame) == beacon.TIMES
    first = {}
    for asked, ago in heard:
        first.setdefault(asked, ago)
    for asked, ago in first.items():
        assert asked == bytes(4) or beacon.ago_of(frame, asked) == ago
    assert beacon.ago_of(frame, b"") == -1


@given(st.integers(0, LASTS_MS - 1), st.integers(LASTS_MS, 10_000_000))
def test_the_time_told_is_that_of_hearing_or_up_to_64_ms_later(ago_ms, heard_ms):
    heard, one = HeardTimes(), status(7, 300)
    heard.note(one, heard_ms)
    end_ms = heard_ms + ago_ms
    ago = beacon.ago_of(said(heard.next(end_ms)), beacon.id_of(one))
    assert 0 <= end_ms - ago * beacon.HEARD_MS - heard_ms < beacon.HEARD_MS


def test_each_is_told_three_times_and_those_told_least_come_first():
    heard = HeardTimes()
    for device in range(1, 5):
        heard.note(status(device, 0), 1000 + device)
    order = []
    while (body := heard.next(1300)) is not None:
        devices = struct.unpack("<6H", body[:12])[::2]
        order.append(tuple(one for one in devices if one))
    assert order == [(1, 2, 3), (4, 1, 2), (3, 4, 1), (2, 3, 4)]


def test_nothing_is_told_of_what_was_heard_too_long_ago_or_later_than_the_frame():
    heard = HeardTimes()
    heard.note(status(1, 0), 1000)
    assert heard.next(1000 + LASTS_MS) is None
    heard.note(status(1, 1), 1000)
    assert heard.next(999) is None


def test_who_does_not_ask_for_the_time_is_not_answered():
    heard = HeardTimes()
    payload = frames.pack_status(0, 3, 0, frames.UNSENT, 5)
    heard.note(signatures.sign(bytes(32), frames.STATUS, 1, 1, 0, payload), 1000)
    assert heard.next(1100) is None


def test_a_flood_costs_a_bounded_room_and_the_newest_stay():
    heard = HeardTimes()
    for device in range(1, 1000):
        heard.note(status(device, 0), 1000)
    bodies = []
    while (body := heard.next(1200)) is not None:
        bodies.append(body)
    told = {one for body in bodies for one in struct.unpack("<6H", body[:12])[::2] if one}
    assert told == set(range(1000 - MOST, 1000))
