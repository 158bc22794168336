"""Points and margins of a result, where no case of a whole match tells them apart."""

import pytest
from situations import CUT_1, CUT_3, SWISS_2, SWISS_3, TEAM, like, under

from firmware.core import outcome
from firmware.core.systems import p18, xw15
from host.systems.match_facts import margins_of


@pytest.mark.parametrize(("rules", "state", "margin"), (
    (xw15, {"outcome": 1, "destroyed": (40, 10)}, (90, 30)),
    (xw15, {"outcome": outcome.TIE, "destroyed": (10, 10)}, (60, 60)),
    (xw15, {"outcome": outcome.ASK, "destroyed": (40, 10)}, None),
    (xw15, {"outcome": 1}, None),
    (p18, {"outcome": 1, "destroyed": (40, 10)}, None),
))  # fmt: skip
def test_a_margin_wants_a_cap_a_result_and_both_sides_points(rules, state, margin):
    assert margins_of(under(rules, 1 << 1, **state)) == margin


ROWS = (b"\x0a\x09\x08\x07", b"\x14\x13\x12\x11\x05", b"\x1e\x1d\x1c\x1b", b"\x28\x27\x26\x25")


@pytest.mark.parametrize(("bits", "points"), (
    (1 << 1, (10, 7)), (SWISS_3, (30, 22)), (SWISS_2, (30, 22)), (CUT_1, (30, 27)),
    (CUT_3, (40, 37)), (TEAM, (None, None)),
))  # fmt: skip
def test_points_are_those_of_stage_and_games_and_of_each_game_won(bits, points):
    match = under(like(p18, POINTS=ROWS), bits, outcome=1, score=(2, 1))
    assert outcome.points(match) == points


@pytest.mark.parametrize("undecided", (outcome.NONE, outcome.ASK, outcome.PLAY_ON))
def test_without_a_result_there_are_no_points(undecided):
    match = under(like(p18, POINTS=ROWS), 1 << 1, outcome=undecided)
    assert outcome.points(match) == (None, None)


@pytest.mark.parametrize(("rules", "state", "win"), (
    (p18, {"claimed": 1}, 10), (p18, {"claimed": 1, "called": 1}, None), (p18, {"called": 1}, 10),
    (xw15, {"claimed": 1}, None), (xw15, {"destroyed": (30, 0)}, 10),
    (xw15, {"destroyed": (11, 0)}, 9), (xw15, {"destroyed": (12, 0)}, 10),
))  # fmt: skip
def test_a_win_that_may_be_narrow_has_no_points_when_it_was_entered_by_hand(rules, state, win):
    match = under(like(rules, POINTS=ROWS), 1 << 1, outcome=1, **state)
    assert outcome.points(match) == (win, 7)
