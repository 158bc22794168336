"""What a journal verifies and takes up after a reset, and how an epoch begins."""

import pytest
from torn import DEVICE, KEY, TornStore, recovered

from firmware.core import events, frames
from firmware.core.journal import Journal
from firmware.core.ring import ROOM
from host.audit.seal_check import seal_over
from host.keys import signatures
from host.sim import stored_records

EVENT = 5


def clock(at_ms):
    return events.Clock(at_ms, 0)


def in_a_round():
    journal = recovered(TornStore(64))
    journal.open_epoch(0)
    journal.append(events.EventJoined(0, EVENT, 0), events.TimeSet(900, 9, 1))
    journal.append(events.RoundSet(950, 1, 2, 3))
    return journal


def again(journal):
    return recovered(journal.ring.store)


@pytest.mark.parametrize("after", range(5))
@pytest.mark.parametrize("verified", (False, True))
def test_a_foreign_record_in_a_match_is_left_out_however_far_back_it_lies(after, verified):
    journal = in_a_round()
    foreign = frames.stream_key(bytes(32), EVENT, frames.UP, 1)
    payload = frames.plain(960, 129, 2, 0)
    journal.ring.put(
        signatures.sign(foreign, events.RESULT_RULED, DEVICE, 1, journal.counter, payload)
    )
    journal.append(*[clock(970)] * after) if after else journal.ring.flush()
    found = again(journal)
    if verified:
        found.verify()
    kinds = [record[0] & 63 for record in stored_records.replay(found)]
    assert kinds == [events.ROUND_SET] + [events.CLOCK] * after


def test_a_match_with_a_lost_block_goes_on_from_the_others():
    journal = in_a_round()
    for at_ms in range(60):
        journal.append(clock(960 + at_ms))
    whole = list(stored_records.replay(journal))
    for copy in (0, 1):
        journal.ring.store.copies[copy][1] = b"\x50" + bytes(511)
    found = again(journal)
    lost = [place for place in range(found.first, found.end) if place // ROOM == 1]
    assert {found.kind(place) for place in lost} == {0}
    found.verify()
    assert {found.kind(place) for place in lost} == {0}
    assert (
        list(stored_records.replay(found))
        == whole[: ROOM - found.first] + whole[2 * ROOM - found.first :]
    )


def test_a_match_whose_beginning_was_overwritten_is_none():
    journal = in_a_round()
    while not journal.ring.oldest:
        journal.append(clock(960))
    journal.start = journal.ring.oldest
    assert journal.first == journal.ring.oldest
    journal.start -= 1
    assert journal.first == journal.end and list(stored_records.replay(journal)) == []


def test_the_key_of_a_stream_is_derived_once(monkeypatch):
    journal, derived, stream_key = in_a_round(), [], frames.stream_key
    monkeypatch.setattr(
        frames, "stream_key", lambda *terms: derived.append(terms) or stream_key(*terms)
    )
    for at_ms in range(10):
        journal.append(clock(960 + at_ms))
    assert derived == []
    for _ in range(9):
        journal.open_epoch(999)
    assert len(journal._keys) <= 3


def test_sixteen_records_are_sealed_and_fewer_are_not():
    journal = Journal(TornStore(64), DEVICE, KEY)
    journal.open_epoch(0)
    while journal.counter < 15:
        journal.append(clock(9))
    assert journal._sealed == 0
    journal.append(clock(9))
    assert stored_records.read(journal, 1, 16)[0] & 63 == events.SEALED and journal.counter == 17


def test_what_does_not_fit_begins_a_block():
    journal = Journal(TornStore(64), DEVICE, KEY)
    assert journal.fits(ROOM + 1), "an epoch begins with its first record"
    journal.open_epoch(0)
    assert journal.ring.room == 19 and journal.fits(19) and not journal.fits(20)
    journal.close_block()
    assert not journal.ring.room and not journal.ring.dirty and journal.fits(20)
    journal.append(clock(9))
    assert journal.ring.room == 20, "and the next record begins the next one"


def test_behind_a_closed_block_a_press_writes_each_copy_once(monkeypatch):
    store, wrote = TornStore(64), []
    write = store.write
    monkeypatch.setattr(store, "write", lambda *what: wrote.append(what) or write(*what))
    journal = Journal(store, DEVICE, KEY)
    journal.open_epoch(0)
    for number in range(200):
        if not journal.fits():
            journal.close_block()
        wrote.clear()
        journal.held = True
        for _ in range(1 + number % 3):
            journal.append(clock(number))
        journal.settle()
        assert [copy for copy, _, _ in wrote] == [0, 1]


JOINED, TOLD = events.EventJoined(0, EVENT, 0), events.TimeSet(900, 9, 1)


def round_set(number):
    return events.RoundSet(950, number, 2, 3)


def drafted(step):
    return events.Drafted(950, step, 0, 0)


def opened(*happened):
    """Return a journal in its first epoch, in which something happened."""
    journal = recovered(TornStore(64))
    journal.open_epoch(0)
    for one in happened:
        journal.append(one)
    return journal


@pytest.mark.parametrize("before", ((JOINED, TOLD), (TOLD, JOINED), (JOINED,)))
@pytest.mark.parametrize(("begun", "resumed"), (
    ([round_set(1), round_set(2), clock(960)], round_set(2)),
    ([round_set(1), drafted(0), drafted(1), drafted(2)], drafted(0)),
    ([drafted(0), drafted(1), round_set(3)], round_set(3)),
))  # fmt: skip
def test_the_round_or_draft_begun_last_is_taken_up(before, begun, resumed):
    journal = opened(*before, *begun)
    for found in (journal, again(journal)):
        assert found.ring.event(found.start) == resumed and found.first == found.start


@pytest.mark.parametrize(("told", "last_ms"), (
    (events.TimeSet(900, 9, 1), 900), (events.TimeSet(0, 9, 1), 0),
    (events.TimeSet(900, 9, 0), None),
))  # fmt: skip
def test_the_time_is_gone_on_from_where_a_host_has_told_it(told, last_ms):
    assert again(opened(JOINED, told)).last_ms == last_ms


def test_a_second_epoch_of_one_life_begins_its_seals_and_its_news_anew():
    journal = opened(*[events.TurnEnded(1, 0, 0, 0)] * 20)
    journal.open_epoch(5, 255)
    assert journal.epoch == 2 and journal.news_head == journal.counter == 2
    while stored_records.read(journal, 2, journal.counter - 1)[0] & 63 != events.SEALED:
        journal.append(clock(9))
    last = journal.counter - 1
    tags = b"".join(stored_records.read(journal, 2, n)[frames.BODY :] for n in range(last))
    assert events.of_record(stored_records.read(journal, 2, last)) == seal_over(0, bytes(7), tags)


@pytest.mark.parametrize("happened", ([], [events.MatchEnded(9), clock(9)]))
def test_a_match_that_ended_is_sealed_with_what_happened_at_once(happened):
    journal = opened()
    journal.append(*happened)
    kind = stored_records.read(journal, 1, journal.counter - 1)[0] & 63
    assert (kind == events.SEALED) is bool(happened)


def test_counters_are_used_until_a_block_of_them_is_left():
    journal = opened()
    journal.base -= 65_535 - ROOM - 2 - journal.counter
    journal._sealed = journal.counter
    journal.append(clock(9))
    assert (journal.epoch, journal.counter) == (1, 65_535 - ROOM - 1)
    assert journal.append() is None and journal.epoch == 1
    journal.append(clock(9))
    assert journal.epoch == 2
