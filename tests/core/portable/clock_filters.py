"""The clock filter on a board's integers."""

from firmware.core.clock_filter import BUCKET_MS, ClockFilter
from firmware.core.timebase import Timebase


def link(base, host_ms, trip_ms, uptime_ms):
    """Have a new link answer: it is ``host_ms``, said within the last ``trip_ms``."""
    base.first = True
    base.ask_host(1, uptime_ms - trip_ms)
    return base.host_answered(host_ms, 1, uptime_ms)


def told(ppm=50):
    """Return a time base that heard 1,000,000 at uptime 100, within 40 ms, and its filter."""
    base = Timebase(ppm)
    clock = ClockFilter(base)
    assert link(base, 1000000, 40, 100)
    return base, clock


def seen(base, clock, uptime_ms):
    """Return the offset and how far it can be from the truth."""
    base.since_ms = uptime_ms - 1000  # else the time base is told only once a second
    clock.steer(uptime_ms)
    return base.offset_ms, base.error_ms


def test_nothing_is_known_before_an_answer():
    base = Timebase(50)
    clock = ClockFilter(base)
    assert not clock.stamp(1000, 5)
    clock.steer(5000)
    assert base.guessed and base.offset_ms == base.since_ms == 0


def test_an_answer_bounds_the_time_from_both_sides():
    base, clock = told()
    assert not base.guessed and base.offset_ms == 999920 and base.since_ms == 100
    before = base.error_ms
    assert before in (22, 23)  # 40, and what four cut milliseconds add
    assert seen(base, clock, 100 + 3600000)[1] - before == 180


def test_the_time_base_is_told_once_a_second():
    base, clock = told()
    clock.stamp(1000985, 1050)
    clock.steer(1099)
    assert base.since_ms == 100 and base.offset_ms == 999920
    clock.steer(1100)
    assert base.since_ms == 1100 and base.offset_ms >= 999933


def test_answers_narrow_each_other():
    base, clock = told()
    clock.take_time(1000130, 200, 200)  # between 999930 and 1000130
    offset_ms, error_ms = seen(base, clock, 200)
    assert error_ms <= 17
    clock.take_time(1000700, 40, 300)
    clock.take_time(999500, 40, 300)
    later = seen(base, clock, 300)  # nothing of these two, but for what the oscillator may do
    assert offset_ms - 1 <= later[0] <= offset_ms and later[1] <= error_ms + 1


def test_an_answer_of_another_link_sets_both_bounds_anew():
    base, clock = told()
    assert link(base, 1000130, 200, 200)
    assert base.offset_ms in (999928, 999929) and base.error_ms <= 205
    base, clock = told()
    assert link(base, 1000130, 30, 200) and base.error_ms <= 35
    assert link(base, 1000700, 40, 300) is False and link(base, 999500, 40, 300) is False


def test_another_time_that_the_time_base_takes_begins_anew():
    base, clock = told(500)
    for i in range(40):
        assert clock.stamp(1000020 + 1000 * i, 100 + 1000 * i)
    base.take(300, 340, 0, 40100)
    assert seen(base, clock, 40100)[1] <= 22
    assert abs(seen(base, clock, 41100)[0] - 999920 - 320) <= 2


def test_a_stamp_raises_the_estimate_and_never_lowers_the_bound():
    base, clock = told()
    assert clock.stamp(1001035, 1100)
    assert seen(base, clock, 1100)[0] >= 999934
    assert clock.stamp(1001100, 2100) and seen(base, clock, 2100)[0] >= 999933
    assert not clock.stamp(1002100, 2100)


def test_stamps_tell_the_rate():
    (base, clock), uptime_ms = told(500), 100
    for i in range(200):
        uptime_ms += 1000
        true_ms = 1000020 + (uptime_ms - 100) + (uptime_ms - 100) * 400 // 1000000
        assert clock.stamp(true_ms - (0, 9, 30, 7, 80)[i % 5], uptime_ms)
    later_ms = uptime_ms + 10 * BUCKET_MS
    true_ms = 1000020 + (later_ms - 100) + (later_ms - 100) * 400 // 1000000
    assert -4 <= later_ms + seen(base, clock, later_ms)[0] - true_ms <= 4
