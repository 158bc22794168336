"""What a freeze takes is given back exactly, however often."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import countdown

FREEZES = st.lists(st.tuples(st.integers(0, 600_000), st.integers(0, 3_600_000)), max_size=6)


@given(FREEZES, st.integers(0, 90), st.integers(0, 3600))
def test_running_time_alone_is_used_up(freezes, minutes, extension_s):
    start_ms = now_ms = 1_000_000
    lost_ms = run_ms = 0
    for running, standing in freezes:
        now_ms += running
        run_ms += running
        zero_ms = countdown.zero_ms(start_ms, minutes, extension_s, lost_ms)
        left_ms = countdown.remaining_ms(zero_ms, now_ms)
        assert countdown.remaining_ms(zero_ms, now_ms + standing, now_ms) == left_ms
        lost_ms += standing
        now_ms += standing
        zero_ms = countdown.zero_ms(start_ms, minutes, extension_s, lost_ms)
        assert countdown.remaining_ms(zero_ms, now_ms) == left_ms
        assert left_ms == minutes * 60_000 + extension_s * 1000 - run_ms


@given(st.integers(-(10**7), 10**7))
def test_a_shown_second_is_never_short(left_ms):
    assert 0 <= countdown.seconds(left_ms) * 1000 - left_ms < 1000
