"""XW15 standings: laws of points and margins, and what is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.core.systems import xw15
from host.base.errors import UserError
from host.tournament.xwing_standings import Match, standings, worth


@st.composite
def matches(draw):
    number = draw(st.integers(1, 4))
    cap = xw15.CAPS[number - 1]
    destroyed = (draw(st.integers(0, cap)), draw(st.integers(0, cap)))
    return Match(
        "a", "b", destroyed, draw(st.integers(0, 3)), draw(st.sampled_from((None, 0, 1)))
    ), number


@given(matches())
def test_points_and_margins_belong_together(drawn):
    match, number = drawn
    points, margins = worth(match, number)
    cap = xw15.CAPS[number - 1]
    assert sum(margins) == 2 * cap and all(0 <= margin <= 2 * cap for margin in margins)
    assert points in ((5, 0), (3, 0), (1, 1), (0, 3), (0, 5))
    if points == (1, 1):
        assert margins == (cap, cap)
    if 3 in points:
        assert 0 < abs(margins[0] - margins[1]) < 24 and not match.wiped and match.conceded is None


@given(matches())
def test_turning_the_table_turns_the_result(drawn):
    match, number = drawn
    wiped = match.wiped >> 1 | (match.wiped & 1) << 1
    conceded = None if match.conceded is None else 1 - match.conceded
    turned = Match("b", "a", match.destroyed[::-1], wiped, conceded)
    assert [pair[::-1] for pair in worth(turned, number)] == list(worth(match, number))


@given(matches())
def test_who_concedes_has_lost(drawn):
    match, number = drawn
    if match.conceded is not None:
        points, margins = worth(match, number)
        assert points[match.conceded] == 0 and points[1 - match.conceded] == 5


@given(st.permutations(range(6)))
def test_the_order_of_the_matches_does_not_matter(order):
    played = [Match(f"a{i}", f"b{i}", (10 + i, i * i)) for i in range(6)]
    table = standings([[played[i] for i in order]])
    assert [line.rank for line in table.lines] == sorted(
        (line.rank for line in table.lines), reverse=True
    )
    ranks = {line.player: line.rank for line in standings([played]).lines}
    assert {line.player: line.rank for line in table.lines} == ranks


@pytest.mark.parametrize("rounds", [
    [[Match("a", "b", (1, 0)), Match("a", "c", (1, 0))]],
    [[Match("a", "a", (1, 0))]],
    [[Match("a", "b", (61, 0))]],
    [[Match("a", "b", (-1, 0))]],
    [[Match("a", "b", None)]],
    [[], [], [], [], [Match("a", "b", (1, 0))]],
])  # fmt: skip
def test_what_cannot_have_been(rounds):
    with pytest.raises(UserError):
        standings(rounds)
