"""Verdicts, points and margins, where no case of a whole match tells them apart."""

import pytest
from situations import CUT_1, CUT_3, SWISS_2, SWISS_3, SWISS_4, SWISS_5, TEAM, like, under

from firmware.core import events, outcome, phases
from firmware.core.systems import p18, xw15
from host.systems.match_facts import margins_of


@pytest.mark.parametrize("bits", (1 << 1, SWISS_3, CUT_1, CUT_3))
def test_a_system_with_one_tree_has_it_for_every_stage(bits):
    assert outcome.row(under(xw15, bits, game=1), phases.LAST) == ("s", 1)


def test_two_games_have_the_tree_of_several_and_the_fourth_goes_by_the_third():
    trees = (b"t--3" + b" ---0" * 10, b"tlw4" + b" ---0" * 10)
    for bits, game, letter in ((1 << 1, 1, "t"), (SWISS_2, 2, "l"), (SWISS_4, 4, "w")):
        found = outcome.row(under(like(p18, TREES=trees), bits, game=game), phases.LAST)
        assert found == (letter, 3 if bits == 1 << 1 else 4)


@pytest.mark.parametrize(("state", "whether"), (
    ({"progress": 1}, True), ({"progress": 0}, True), ({"progress": 2}, False),
    ({"progress": 0, "phase": phases.TIEBREAKER}, False),
    ({"progress": 1, "phase": phases.TIEBREAKER}, True),
    ({"progress": 1, "missing": phases.SCORE}, False),
    ({"progress": 1, "missing": phases.SCORE, "format": SWISS_2}, False),
    ({"progress": 1, "missing": phases.SCORE, "format": 1 << 1}, True),
))  # fmt: skip
def test_a_game_can_be_won_while_it_is_played_and_its_number_known(state, whether):
    assert outcome.in_play(under(**state)) is whether


@pytest.mark.parametrize(("bits", "game", "whether"), (
    (SWISS_2, 1, False), (SWISS_2, 2, True), (SWISS_4, 3, False), (SWISS_4, 4, True),
    (SWISS_4, 5, True), (SWISS_3, 3, False), (SWISS_5, 5, False), (1 << 1, 1, False),
))  # fmt: skip
def test_an_even_number_of_games_is_over_when_all_are_played(bits, game, whether):
    assert outcome.all_played(under(bits=bits, game=game)) is whether


@pytest.mark.parametrize(("bits", "game", "score", "situation"), (
    (SWISS_5, 2, (1, 0), 0), (SWISS_5, 3, (2, 0), phases.WON), (SWISS_3, 2, (1, 0), phases.WON),
    (SWISS_2, 1, (0, 0), 0), (SWISS_2, 2, (0, 1), phases.WON), (SWISS_4, 3, (2, 0), phases.WON),
))  # fmt: skip
def test_a_game_decides_the_match_by_more_than_half_or_as_the_last(bits, game, score, situation):
    match = under(bits=bits, game=game, score=score)
    section = outcome.row(match, situation)[1] if situation else 0
    assert outcome.game_won(match, 9, 0) == events.GameWon(9, 0, section, 0, situation, 0)


@pytest.mark.parametrize(("seat", "said"), ((None, 0), (0, 1), (1, 2), (3, 4)))
def test_who_plays_is_told_from_one_and_nobody_is_none(seat, said):
    assert outcome.playing(under(seat=seat)) == said


@pytest.mark.parametrize(("state", "verdict"), (
    ({"game": 2, "situation": phases.LAST, "score": (1, 0)}, (1, 4, 0, 0)),
    ({"game": 2, "situation": phases.LAST, "score": (1, 1)}, (outcome.ASK, 4, 0, 0)),
    ({"game": 2, "situation": phases.EXTRA, "section": 6}, (outcome.ASK, 2, 0, 0)),
    ({"game": 1, "situation": phases.EXTRA, "section": 6, "score": (0, 1)}, (2, 6, 0, 0)),
    ({"format": SWISS_5, "game": 2, "situation": phases.EXTRA, "section": 6, "score": (2, 1)}, (outcome.ASK, 2, 0, 0)),
    ({"format": SWISS_5, "game": 2, "situation": phases.EXTRA, "section": 6, "score": (1, 3)}, (2, 6, 0, 0)),
    ({"format": CUT_1, "game": 1, "situation": phases.LAST}, (outcome.ASK, 6, phases.PRIZES, 0)),
    ({"format": CUT_1, "game": 1, "situation": phases.LAST, "outcome": outcome.PLAY_ON}, (outcome.PLAY_ON, 6, 0, 0)),
    ({"format": CUT_1, "game": 1, "situation": phases.LAST, "prizes": (2, 3)}, (1, 6, 0, 1)),
))  # fmt: skip
def test_a_verdict_names_its_section_what_is_missing_and_whose_game_it_makes(state, verdict):
    assert outcome.verdict(under(**state)) == verdict


def test_without_a_side_s_points_nobody_has_the_game():
    match = under(xw15, 1 << 1, game=1, situation=phases.LAST)
    assert outcome.verdict(match) == (outcome.ASK, 1, phases.DESTROYED, 0)


@pytest.mark.parametrize(("said", "won"), ((outcome.NONE, outcome.ASK), (outcome.TIE, outcome.TIE)))
def test_level_points_are_asked_about_where_somebody_must_go_on_and_an_old_tie_stands(said, won):
    state = {"situation": phases.LAST, "destroyed": (40, 40), "outcome": said, "game": 1}
    assert outcome.verdict(under(xw15, CUT_1, **state)) == (won, 1, 0, 0)
    assert outcome.verdict(under(xw15, 1 << 1, **state)) == (outcome.TIE, 1, 0, 0)


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
    (xw15, {"claimed": 1}, None), (xw15, {"claimed": 1, "wiped": 2}, None),
    (xw15, {"destroyed": (30, 0)}, 10),
    (xw15, {"destroyed": (11, 0)}, 9), (xw15, {"destroyed": (12, 0)}, 10),
))  # fmt: skip
def test_a_win_that_may_be_narrow_has_no_points_when_it_was_entered_by_hand(rules, state, win):
    match = under(like(rules, POINTS=ROWS), 1 << 1, outcome=1, **state)
    assert outcome.points(match) == (win, 7)
