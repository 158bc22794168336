"""Idle boards' clocks are set every few minutes, and nothing else waits for that."""

import pytest

from host.collector.clock_rounds import EVERY_MS, SHARE_MS, ClockRounds

pytestmark = [pytest.mark.venue(begun=True), pytest.mark.archives]

MINUTE_MS = 60_000
VISIT_MS = 20_000


def told(venue):
    """Return how many visits have set each board's clock, counted while the air runs."""
    counts, last_ms = [0, 0], [-VISIT_MS, -VISIT_MS]
    for place, board in enumerate(venue.boards):
        answer = board.timebase.host_answered

        def counted(*args, place=place, answer=answer):
            taken = answer(*args)
            if taken:
                counts[place] += args[2] - last_ms[place] >= VISIT_MS
                last_ms[place] = args[2]
            return taken

        board.timebase.host_answered = counted
    return counts


def test_boards_that_want_nothing_are_told_the_time_every_few_minutes(venue):
    counts = told(venue)
    venue.air.run(EVERY_MS)
    before = list(counts)
    venue.air.run(3 * EVERY_MS)
    for count, earlier in zip(counts, before, strict=True):
        assert 2 <= count - earlier <= 4


def test_while_another_waits_no_idle_board_is_visited(venue):
    collector = venue.station.collector
    status = collector.statuses[101]
    status.served_ms = venue.air.now_ms - 2 * EVERY_MS
    rounds = collector._clock_rounds
    assert any(rounds.choose(collector.statuses, collector.now_ms) for _ in range(2))
    venue.win(venue.boards[1])
    venue.drain()
    assert collector.statuses[102].served_ms >= status.served_ms


def test_a_large_hall_is_visited_more_seldom(venue):
    collector = venue.station.collector
    status = collector.statuses[101]
    rounds = ClockRounds(collector._scheduler.listening)
    for tables in (1, 200):
        rounds.refresh(dict.fromkeys([101, *range(1000, 999 + tables)], status))
        every_ms = max(EVERY_MS, tables * SHARE_MS)
        for early, found in ((1, {}), (0, {status.address: 101})):
            status.heard_ms = now_ms = status.served_ms + every_ms - early
            visits = [rounds.choose({101: status}, now_ms) for _ in range(tables)]
            assert max(visits, key=len) == found


def test_who_is_not_heard_or_takes_no_link_is_not_visited(venue):
    collector = venue.station.collector
    rounds, status = collector._clock_rounds, collector.statuses[101]
    rounds.refresh({101: status})
    status.heard_ms = now_ms = status.served_ms + EVERY_MS
    assert rounds.choose(collector.statuses, now_ms)
    assert not rounds.choose(collector.statuses, now_ms + MINUTE_MS)
    assert not rounds.choose({}, now_ms)
    status.not_before_ms = now_ms + 1
    assert not rounds.choose(collector.statuses, now_ms)
    rounds.refresh({})
    assert not rounds.choose(collector.statuses, now_ms)
