"""The clock filter on a board's integers."""

from firmware.core.clock_filter import BUCKET_MS, UNKNOWN_MS, ClockFilter


def told(ppm=50):
    """Return a filter that heard 1,000,000 at uptime 100, within 40 ms."""
    clock = ClockFilter(ppm)
    assert clock.answer(1000000, 40, 100)
    return clock


def test_nothing_is_known_before_an_answer():
    clock = ClockFilter(50)
    assert clock.buckets < 0 and clock.estimated(5)[1] == UNKNOWN_MS and clock.estimated(5)[0] == 0
    assert not clock.stamp(1000, 5)


def test_an_answer_bounds_the_time_from_both_sides():
    clock = told()
    assert clock.estimated(100)[0] == 999920
    assert clock.estimated(100)[1] in (22, 23)  # 40, and what four cut milliseconds add
    assert clock.estimated(100 + 3600000)[1] - clock.estimated(100)[1] == 180


def test_answers_narrow_each_other():
    clock = told()
    assert clock.answer(1000130, 200, 200)  # between 999930 and 1000130
    assert clock.estimated(200)[1] <= 17
    assert not clock.answer(1000700, 40, 300) and not clock.answer(999500, 40, 300)


def test_an_answer_of_another_link_sets_both_bounds_anew():
    clock = told()
    assert clock.answer(1000130, 200, 200, True)
    assert clock.estimated(200)[0] in (999929, 999930) and clock.estimated(200)[1] <= 204
    clock = told()
    assert clock.answer(1000130, 30, 200, True) and clock.estimated(200)[1] <= 34
    assert not clock.answer(1000700, 40, 300) and not clock.answer(999500, 40, 300)


def test_a_stamp_raises_the_estimate_and_never_lowers_the_bound():
    clock = told()
    assert clock.stamp(1001035, 1100)
    assert clock.estimated(1100)[0] >= 999934
    assert clock.stamp(1001100, 2100) and clock.estimated(2100)[0] >= 999933
    assert not clock.stamp(1002100, 2100)


def test_stamps_tell_the_rate():
    clock, uptime_ms = told(500), 100
    for i in range(200):
        uptime_ms += 1000
        true_ms = 1000020 + (uptime_ms - 100) + (uptime_ms - 100) * 400 // 1000000
        assert clock.stamp(true_ms - (0, 9, 30, 7, 80)[i % 5], uptime_ms)
    later_ms = uptime_ms + 10 * BUCKET_MS
    true_ms = 1000020 + (later_ms - 100) + (later_ms - 100) * 400 // 1000000
    assert -4 <= later_ms + clock.estimated(later_ms)[0] - true_ms <= 4


def test_forgetting_believes_anything():
    clock = told()
    clock.forget()
    assert clock.answer(5, 10, 200) and clock.estimated(200)[0] == -190
