"""What a freeze takes is given back exactly, however often."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core.match import Match, seconds
from firmware.core.systems import p18

FREEZES = st.lists(st.tuples(st.integers(0, 600_000), st.integers(0, 3_600_000)), max_size=6)


@given(FREEZES, st.integers(0, 90), st.integers(0, 3600))
def test_running_time_alone_is_used_up(freezes, minutes, extension_s):
    match = Match(p18)
    match.start_ms = now_ms = 1_000_000
    match.minutes, match.extension_s = minutes, extension_s
    run_ms = 0
    for running, standing in freezes:
        now_ms += running
        run_ms += running
        left_ms = match.remaining_ms(now_ms)
        match.frozen_ms = now_ms
        assert match.remaining_ms(now_ms + standing) == left_ms
        match.frozen_ms = None
        match.lost_ms += standing
        now_ms += standing
        assert match.remaining_ms(now_ms) == left_ms
        assert left_ms == minutes * 60_000 + extension_s * 1000 - run_ms


@given(st.integers(-(10**7), 10**7))
def test_a_shown_second_is_never_short(left_ms):
    assert 0 <= seconds(left_ms) * 1000 - left_ms < 1000
