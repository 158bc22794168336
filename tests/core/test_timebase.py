"""Event time stays within its declared uncertainty, whatever crystal, air and host do."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core.timebase import Timebase

TRIPS = st.lists(
    st.tuples(st.integers(0, 7_200_000), st.integers(0, 1200), st.integers(0, 100)), max_size=12
)


@given(TRIPS, st.integers(0, 500), st.integers(-500, 500), st.integers(0, 10**8))
def test_the_declared_uncertainty_holds_against_the_truth(trips, ppm, skew, origin):
    skew = max(-ppm, min(ppm, skew))
    timebase, true_ms = Timebase(ppm), 0

    def uptime_ms():
        return true_ms + true_ms * skew // 1_000_000

    latest = 0
    for nonce, (pause_ms, trip_ms, share) in enumerate(trips):
        true_ms += pause_ms
        timebase.ask(nonce, uptime_ms())
        there = trip_ms * share // 100
        host_ms = origin + true_ms + there
        true_ms += trip_ms
        taken = timebase.answer(host_ms, nonce, uptime_ms())
        assert taken is not False
        if not timebase.guessed:
            error = abs(uptime_ms() + timebase.offset_ms - origin - true_ms)
            assert error <= timebase.uncertainty_ms(uptime_ms()) + 2
            now_ms = timebase.now_ms(uptime_ms())
            assert now_ms >= latest
            latest = now_ms


@given(st.integers(0, 2**31), st.integers(0, 10**7), st.integers(0, 2**31), st.integers(0, 900))
def test_after_a_reset_no_answer_gives_time_back(last_ms, uptime_ms, host_ms, trip_ms):
    timebase = Timebase(50)
    timebase.resume(last_ms, uptime_ms)
    assert timebase.now_ms(uptime_ms) == last_ms
    timebase.ask(1, uptime_ms)
    taken = timebase.answer(host_ms, 1, uptime_ms + trip_ms)
    assert timebase.now_ms(uptime_ms + trip_ms) >= last_ms
    assert taken or host_ms < last_ms
