"""What a freeze takes is given back exactly; a spare that took over a round under way stands frozen."""

from hypothesis import given
from hypothesis import strategies as st
from solo import Solo

from firmware.core import intents
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


def test_a_second_start_does_not_give_a_frozen_spare_its_round_again():
    spare = Solo()
    spare.tell_time(7_200_000)
    now_ms = spare.now_ms
    for kind, numbers, at_ms in (
        (intents.SET_ROUND, (1, 1, 1), 0), (intents.SET_FORMAT, (0, 6, 50), 0),
        (intents.FREEZE, (), now_ms - 60_000), (intents.SET_START, (), now_ms - 1_200_000),
    ):  # fmt: skip
        assert spare.desk(kind, *numbers, at_ms=at_ms)
    left_ms = spare.app.match.remaining_ms(now_ms)
    assert not spare.desk(intents.SET_START, at_ms=spare.now_ms + 140_000)
    assert spare.app.match.remaining_ms(now_ms) == left_ms


def test_a_table_that_was_stopped_before_its_round_may_get_another_start():
    table = Solo()
    table.tell_time(7_200_000)
    table.pair(wait_s=300)
    assert table.desk(intents.FREEZE)
    assert table.desk(intents.SET_START, at_ms=table.now_ms + 600_000)
