"""The journal loses nothing it promised, whatever a power cut does, and what it verifies after a reset."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torn import DEVICE, KEY, PowerCut, TornStore, recovered

from firmware.core import events, frames
from firmware.core.journal import PRESS, Journal
from firmware.core.ring import ROOM, Ring
from host.audit.seal_check import seal_over
from host.keys import signatures
from host.sim import stored_records

KINDS = st.sampled_from((events.CLOCK, events.TURN_ENDED, events.ROUND_SET, events.MATCH_ENDED))
CUTS = st.tuples(st.integers(0, 4200), st.sampled_from(("old", "blank", "garbage")))
CLOSED = []  # among batches: nothing happens, and a block without room for a press is closed
BATCH = st.lists(KINDS, min_size=1, max_size=4) | st.just(CLOSED)
LIFE = st.tuples(st.lists(BATCH, max_size=40), st.integers(0, 90), CUTS)


def attempted(journal):
    """Return the list that fills with every record the journal tries to store."""
    records, put = [], journal.ring.put

    def spy(record):
        records.append(bytes(record))
        put(record)

    journal.ring.put = spy
    return records


def live(store, batches, promised, at_ms):
    """Boot, append batches until the power goes; return all attempted and the promised number."""
    journal = Journal(store, DEVICE, KEY)
    tried = []
    try:
        journal.recover()
        tried = attempted(journal)
        journal.open_epoch(at_ms)
        promised += len(tried)
        for batch in batches:
            size = len(tried)
            if batch:
                journal.append(*[events.of_numbers(kind, at_ms, 0, 1, 2) for kind in batch])
            elif not journal.fits():
                journal.close_block()
            promised += len(tried) - size
    except PowerCut:
        pass
    return journal, tried, promised


def held(journal):
    return [record for _, record in stored_records.walk(journal.ring, journal.ring.oldest)]


@settings(max_examples=150, deadline=None)
@given(st.lists(LIFE, min_size=1, max_size=6), st.integers(0, 7), st.integers(18, 40))
def test_any_cut_leaves_a_prefix_with_everything_promised(lives, shift, blocks):
    store = TornStore(blocks, shift)
    history = []
    for number, (batches, whole, cut) in enumerate(lives):
        store.writes_left, store.cut = whole, cut
        promised = len(history)
        _, tried, promised = live(store, batches, promised, number)
        store.writes_left = None
        after = recovered(store)
        head = after.ring.head
        assert promised <= head <= len(history) + len(tried)
        history = (history + tried)[:head]
        assert held(after) == history[after.ring.oldest :]
        assert (
            store.copies[0][(head - 1) // ROOM % blocks]
            == store.copies[1][(head - 1) // ROOM % blocks]
        )
    names = [frames.head(record)[1:] for record in history]
    assert len(set(names)) == len(names)
    assert all(after.authentic(record) for record in history[-30:])


@settings(max_examples=60, deadline=None)
@given(st.lists(LIFE, min_size=1, max_size=4))
def test_replay_equals_what_was_lived_since_the_round_was_set(lives):
    store = TornStore(64)
    everything = []
    for number, (batches, whole, cut) in enumerate(lives):
        store.writes_left, store.cut = whole + 2, cut
        _, tried, _ = live(store, batches, 0, number)
        store.writes_left = None
        after = recovered(store)
        everything = (everything + tried)[: after.ring.head]
        kinds = [record[0] & 63 for record in everything]
        since = (
            len(kinds) - 1 - kinds[::-1].index(events.ROUND_SET)
            if events.ROUND_SET in kinds
            else len(kinds)
        )
        assert list(stored_records.replay(after)) == everything[since:]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(KINDS, min_size=1, max_size=5) | st.just(CLOSED), min_size=20, max_size=90),
    st.integers(0, 3),
)
def test_seals_cover_every_record_of_an_epoch_once(batches, boots):
    store = TornStore(64)
    for _ in range(boots + 1):
        journal, tried, _ = live(store, batches, 0, 0)
        before, seven = 0, bytes(7)
        for record in tried:
            kind, _, _, counter = frames.head(record)
            if kind == events.SEALED:
                tags = b"".join(r[frames.BODY :] for r in tried[before:counter])
                sealed = events.of_record(record)
                assert sealed == seal_over(before, seven, tags)
                first, seven = sealed.first, sealed.digest
                assert first == before and counter - before <= 21
                before = counter + 1
        assert len(tried) - before < 16
        assert all(
            stored_records.read(journal, journal.epoch, n) == record
            for n, record in enumerate(tried)
        )


@pytest.mark.parametrize("cut", [(0, "old"), (100, "garbage"), (2000, "blank"), (4096, "garbage")])
@pytest.mark.parametrize("whole", [0, 1])
@pytest.mark.parametrize("room", range(1, PRESS))
def test_a_cut_while_a_block_is_closed_costs_no_record(room, whole, cut):
    store = TornStore(64, 3)
    journal, tried, _ = live(store, [], 0, 0)
    while journal.ring.room > room:
        journal.append(events.Clock(1, 0))
    before = held(journal)
    store.writes_left, store.cut = whole, cut
    with pytest.raises(PowerCut):
        journal.close_block()
    store.writes_left = None
    after = recovered(store)
    assert held(after)[: len(before)] == before and held(after) == tried[: after.ring.head]
    assert store.copies[0][0] == store.copies[1][0]
    after.open_epoch(9)
    assert after.epoch == 2 and all(after.authentic(record) for record in held(after))


@pytest.mark.parametrize("size", [3, 5])
def test_what_happened_at_once_is_stored_whole_or_not_at_all(size):
    for whole in range(2, 60):
        store = TornStore(64)
        journal = Journal(store, DEVICE, KEY)
        journal.open_epoch(0)
        store.writes_left = whole
        with pytest.raises(PowerCut):
            for number in range(60):
                journal.append(*[events.Clock(number, 0)] * size)
        after = recovered(store)
        clocks = [
            events.of_record(record).at_ms
            for record in held(after)
            if record[0] & 63 == events.CLOCK
        ]
        assert len(clocks) % size == 0, f"{whole} writes leave a part of {clocks[-1]}"


def test_a_block_lost_in_both_copies_hides_no_later_one():
    store = TornStore(32)
    journal, tried, _ = live(store, [[events.CLOCK]] * 300, 0, 0)
    for block in (0, 4, 8):
        broken = TornStore(32)
        for copy in (0, 1):
            broken.copies[copy] = list(store.copies[copy])
            broken.copies[copy][block] = b"\x50" + b"\x00" * 511
        after = recovered(broken)
        assert (after.epoch, after.counter) == (1, len(tried))
        assert [r for r in held(after) if r] == [
            r for n, r in enumerate(tried) if n // ROOM != block
        ]
        after.open_epoch(0)
        assert after.epoch == 2


@pytest.mark.parametrize("stored", [0, 1, 30])
@pytest.mark.parametrize("copy", [0, 1])
def test_what_a_cut_made_look_erased_spoils_no_later_block(stored, copy):
    """Such a block is programmed as it is: of its first write one copy alone would be left."""
    store = TornStore(64)
    journal = Journal(store, 7, KEY)
    for _ in range(stored):
        journal.append(events.Clock(1, 0))
    after = journal.ring.number + bool(stored)
    store.copies[copy][after] = b"\xff" * 100 + b"\xa5" * 412
    again = recovered(store)
    while again.ring.number < after or not again.ring.head:
        again.append(events.Clock(2, 0))
    assert store.copies[0] == store.copies[1]


def test_counters_that_run_out_open_another_epoch():
    journal, _, _ = live(TornStore(32), [], 0, 0)
    journal.base -= 65530
    for _ in range(8):
        journal.append(events.Clock(5, 0))
    assert journal.epoch == 2 and journal.counter < 16
    assert events.of_record(stored_records.read(journal, 2, 0)) == events.Booted(5, 255, 0, 1)


def test_records_of_earlier_epochs_are_found_by_name():
    store, names = TornStore(64), {}
    for boot in range(5):
        journal, tried, _ = live(store, [[events.CLOCK]] * (boot * 30), 0, 0)
        names |= {frames.head(record)[2:]: record for record in tried}
    assert all(stored_records.read(journal, *name) == record for name, record in names.items())
    assert (
        stored_records.read(journal, 2, 9999) is None and stored_records.read(journal, 9, 0) is None
    )
    assert stored_records.read(journal, 0, 0) is None


def test_one_journal_over_two_events_and_two_keys():
    store = TornStore(64)
    journal, _, _ = live(store, [], 0, 0)
    journal.append(events.EventJoined(0, 5, 0), events.TimeSet(900, 9, 1))
    journal.append(events.RoundSet(950, 1, 2, 3))
    assert journal.start is not None
    after = recovered(store)
    assert (after.event, after.last_ms, len(list(stored_records.replay(after)))) == (5, 900, 1)
    after.open_epoch(1000)
    after.append(events.EventJoined(1000, 6, 5))
    for other in (after, Journal(store, DEVICE, KEY)):
        other.recover()
        assert (other.event, other.start, other.last_ms) == (6, None, None)
    stranger = Journal(store, DEVICE, bytes(32))
    stranger.recover()
    assert (stranger.event, stranger.start, stranger.last_ms, stranger.epoch) == (0, None, None, 2)


def test_a_record_of_a_time_long_due_takes_nothing_of_what_the_host_has_told():
    store = TornStore(64)
    journal, _, _ = live(store, [], 0, 0)
    journal.append(events.EventJoined(0, 5, 0), events.TimeSet(9000, 9, 1))
    journal.append(events.Clock(8000, 0))  # due while the board lagged behind
    again = recovered(store)
    assert again.last_ms == 9000
    journal.append(events.Clock(9500, 0))
    again.recover()
    assert again.last_ms == 9500


def test_the_host_may_set_a_time_back_and_what_was_before_counts_no_more():
    store = TornStore(64)
    journal, _, _ = live(store, [], 0, 0)
    journal.append(events.EventJoined(0, 5, 0), events.TimeSet(9000, 9, 1))
    journal.append(events.EventJoined(9000, 5, 5), events.TimeSet(4000, 9, 1))
    again = recovered(store)
    assert again.last_ms == 4000


def test_nothing_appended_stores_nothing():
    store = TornStore(32)
    journal, tried, _ = live(store, [], 0, 0)
    assert journal.append() is None
    assert journal.counter == len(tried)


def test_a_number_that_does_not_fit_leaves_nothing_behind():
    store = TornStore(32)
    journal, tried, _ = live(store, [[events.CLOCK]], 0, 0)
    with pytest.raises(ValueError):
        journal.append(events.Clock(1, 0), events.Clock(1, 70000))
    assert journal.counter == len(tried)


@pytest.mark.parametrize("whole", range(5))
@pytest.mark.parametrize("before", range(1, ROOM + 1))
def test_a_boot_names_the_last_one_that_had_named_its_own_predecessor(before, whole):
    """A boot cut off between the blocks of its first two records has sent nothing."""
    store = TornStore(32)
    live(store, [[events.CLOCK]] * before, 0, 0)
    store.writes_left = whole
    live(store, [], 0, 0)
    store.writes_left = None
    stored = recovered(store)
    sizes = {}
    for record in held(stored):
        _, _, epoch, counter = frames.head(record)
        sizes[epoch] = counter + 1
    last = max(epoch for epoch, size in sizes.items() if size > 1)
    stored.open_epoch(0)
    assert events.of_record(stored_records.read(stored, stored.epoch, 1)) == events.EpochClosed(0, last, sizes[last])  # fmt: skip


def test_a_boot_names_the_last_one_where_flash_holds_no_more_than_its_first_record():
    whole, store = TornStore(32), TornStore(32)
    first, _, _ = live(whole, [], 0, 0)
    ring = Ring(store)
    ring.put(stored_records.read(first, 1, 0))
    ring.flush()
    journal, _, _ = live(store, [], 0, 0)
    assert events.of_record(stored_records.read(journal, 2, 1)) == events.EpochClosed(0, 1, 1)


def test_a_board_back_from_another_event_resumes_nothing_of_before_it_went():
    store = TornStore(64)
    journal, _, _ = live(store, [], 0, 0)
    journal.append(events.EventJoined(0, 5, 0), events.TimeSet(900, 9, 1))
    journal.append(events.RoundSet(950, 1, 2, 3))
    journal.append(events.EventJoined(960, 6, 5))
    journal.append(events.EventJoined(970, 5, 6))
    assert (journal.event, journal.start) == (5, None)
    again = recovered(store)
    assert (again.event, again.start, again.last_ms) == (5, None, None)


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
