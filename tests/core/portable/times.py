"""Deadlines, and event time after corrections and resets."""

from firmware.core.match import Match, seconds
from firmware.core.systems import p18
from firmware.core.timebase import UNKNOWN_MS, Timebase

MINUTE = 60000


def told(ppm=50):
    """Return a timebase that the host set to 1,000,000 at uptime 100, with a 40 ms round trip."""
    timebase = Timebase(ppm)
    timebase.ask_host(77, 60)
    assert timebase.host_answered(1000000, 77, 100) is True
    return timebase


def started():
    """Return a table whose 50 minutes began at 10:00."""
    match = Match(p18)
    match.start_ms, match.minutes = 10 * MINUTE, 50
    return match


def test_the_table_ends_after_the_room_by_extension_and_freeze():
    match = started()
    match.extension_s, match.lost_ms = 300, 6 * MINUTE
    assert match.zero_ms == 71 * MINUTE
    assert match.remaining_ms(70 * MINUTE) == MINUTE
    assert match.remaining_ms(72 * MINUTE) == -MINUTE


def test_a_freeze_gives_back_what_was_left():
    match = started()
    match.frozen_ms = 56 * MINUTE
    assert match.remaining_ms(62 * MINUTE) == 4 * MINUTE


def test_a_face_shows_seconds_rounded_up():
    assert [seconds(ms) for ms in (-1500, -1, 0, 1, 1000, 1001)] == [-1, 0, 0, 1, 1, 2]


def test_the_error_is_half_the_round_trip_and_grows():
    timebase = told(500)
    assert timebase.now_ms(100) - 1000020 in (0, 1)
    assert timebase.uncertainty_ms(100) == 24
    assert timebase.uncertainty_ms(100 + 3600000) == 24 + 1800
    assert timebase.uncertainty_ms(100 + 10**9) == UNKNOWN_MS


def test_an_answer_counts_once_and_in_time():
    timebase = told()
    assert timebase.host_answered(1000000, 77, 100) is None
    timebase.ask_host(78, 200)
    assert (
        timebase.host_answered(1000100, 79, 210) is None
        and timebase.host_answered(1001100, 78, 1201) is None
    )
    assert timebase.host_answered(1001100, 78, 1200) is True


def test_a_step_beyond_the_uncertainty_is_refused():
    for step, taken in (
        (0, True),
        (40, True),
        (-40, True),
        (60, False),
        (-60, False),
        (-900000, False),
    ):
        timebase = told()
        timebase.ask_host(78, 1000)
        before = timebase.now_ms(1040)
        assert timebase.host_answered(1000940 + step, 78, 1040) is taken
        assert timebase.now_ms(1040) >= before and (taken or timebase.now_ms(1040) == before)


def test_event_time_never_goes_back():
    timebase = told()
    latest = timebase.now_ms(1040)
    timebase.ask_host(78, 1000)
    assert timebase.host_answered(1000910, 78, 1040)
    assert (
        timebase.now_ms(1040) == timebase.now_ms(1050) == latest and timebase.now_ms(1100) > latest
    )


def test_a_reset_gives_no_time_back():
    timebase = Timebase(50)
    timebase.resume(5000000, 300)
    assert timebase.now_ms(300) == 5000000 and timebase.guessed
    assert timebase.uncertainty_ms(300) == UNKNOWN_MS
    timebase.ask_host(1, 400)
    assert timebase.host_answered(4000000, 1, 440) is False and timebase.guessed
    timebase.ask_host(2, 500)
    assert timebase.host_answered(9000000, 2, 540) is True and not timebase.guessed
    assert timebase.uncertainty_ms(540) == 23 and timebase.now_ms(540) == 9000020


def test_before_the_host_spoke_anything_is_believed():
    timebase = Timebase(50)
    assert timebase.now_ms(90000) == 90000
    timebase.ask_host(1, 90000)
    assert timebase.host_answered(5, 1, 90010) and timebase.now_ms(90010) == 10
