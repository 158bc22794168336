"""A spare that took over a round under way stands frozen: the round has begun."""

from solo import Solo

from firmware.core import intents


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
