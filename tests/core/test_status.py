"""What a board's status tells: its table, what it wants of the host, and how sure it is of the time."""

import pytest
from farside import JOIN, FarSide, NearSide, Table, pair
from torn import TornStore

from firmware.core import frames, intents


def flags_of(near, uptime_ms, table=None):
    frame = near.sync.status_frame(table or near.table, 0, uptime_ms)
    return frames.status_of(frame)[3]


def named(near, far, now_ms, number, parts):
    for part in parts:
        for seat in (0, 1):
            payload = frames.pack_name(number, part, seat, bytes((65 + part,)) * 8)
            near.take(far.sign(frames.NAME, payload), now_ms)


@pytest.mark.parametrize(
    ("phase", "number", "wanted"), ((3, 1, 0), (3, 2, 1), (3, 0, 0), (0, 2, 0))
)
def test_names_are_wanted_for_a_round_that_is_set_and_not_the_one_they_are_of(
    phase, number, wanted
):
    near, far, now = pair()
    named(near, far, now, 1, (0, 1, 2))
    flags = flags_of(near, now, Table(number, phase, 0, 5))
    assert bool(flags & frames.NAMES_WANTED) is bool(wanted)


@pytest.mark.parametrize("turn", (0, 7, 8, 300))
def test_a_status_has_room_for_seven_turns_and_no_zero_is_zero(turn):
    near, _, now = pair()
    told = frames.status_of(near.sync.status_frame(Table(1, 3, turn, None), 0, now))
    assert told[:3] == (0, 3, min(turn, 7))


def test_a_status_asks_for_an_answer_where_something_is_unsent_and_no_longer():
    near, _, now = pair()
    for flags, asks in ((frames.UNSENT, True), (0, False)):
        near.sync.status_frame(Table(1, 3, 0, 5), flags, now)
        assert near.sync.asks is asks


def test_a_result_is_told_in_place_of_the_zero():
    near, _, now = pair()
    for result, zero_ms in ((0, 5), (9, 9)):
        frame = near.sync.status_frame(Table(1, 3, 0, 5), 0, now, result)
        assert frames.status_of(frame)[0] == zero_ms


def test_the_time_is_wanted_when_it_may_be_off_by_more_than_half_a_second():
    near, _, now = pair(ppm=100)
    seen = set()
    for later_ms in range(now, now + 100_000_000, 9_000):
        off_ms = near.timebase.uncertainty_ms(later_ms)
        if 500 <= off_ms <= 501:
            wanted = bool(flags_of(near, later_ms) & frames.TIME_WANTED)
            assert wanted is (off_ms > 500)
            seen.add(wanted)
    assert seen == {False, True}


def test_a_clock_that_is_guessed_is_said_to_be_uncertain():
    near, _, now = pair()
    assert not flags_of(near, now) & frames.CLOCK_UNCERTAIN
    near.timebase.forget()
    near.sync.status = None
    assert flags_of(near, now) & frames.CLOCK_UNCERTAIN


def test_a_new_epoch_begins_its_statuses_anew():
    near, _, now = pair()
    near.sync.status_frame(near.table, 0, now)
    for epoch in (2, 3):  # the third says the same as the second
        near.journal.open_epoch(now)
        assert frames.head(near.sync.status_frame(near.table, 0, now))[2:] == (epoch, 0)


def test_names_of_a_new_epoch_are_taken_from_its_first_counter_on():
    near, far, now = pair()
    far.counter = 500
    named(near, far, now, 1, (0, 1, 2))
    near.journal.open_epoch(now)
    far.epoch, far.counter = 2, 0
    near.names.clear()
    named(near, far, now, 2, (0, 1, 2))
    assert sorted(near.names) == [0, 1]


def test_a_name_is_shown_when_each_of_its_parts_has_come():
    near, far = NearSide(TornStore(64), lambda n: 0), FarSide()
    for number in (1, 2):
        named(near, far, 0, number, (1, 2))
        assert not near.names
        named(near, far, 0, number, (0,))
        assert near.names[0][0] == "A" * 8 + "B" * 8 + "C" * 4
        near.names.clear()


def test_a_board_that_has_refused_nothing_says_so():
    assert NearSide(TornStore(64), lambda n: 0).sync.refused == [0] * 7


def test_a_host_of_the_event_before_is_not_obeyed_any_more():
    near, far, now = pair()
    far.event = 0
    near.take(far.sign(JOIN.kind, frames.plain(0, 0, 6, 0)), now)
    far.event = 5
    near.sync.refused[:] = [0] * 7
    near.take(far.sign(intents.FREEZE, frames.plain(now)), now)
    assert near.sync.refused == [0, 0, 0, 0, 0, 1, 0]
