"""A status' word for a result: every one comes back as its match was paired."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import announced
from host.archive.decoded_frames import announced_result


class Ended:
    """What ``announced.word`` reads of a match."""

    award = claimed = called = wiped = cap = 0
    conceded = destroyed = None

    def __init__(self, outcome, games, swapped, number):
        self.outcome, self.games = outcome, games
        self.swapped, self.round = swapped, number


def counted(destroyed, cap=150, wiped=0, conceded=None):
    """Return a match whose system counts points."""
    match = Ended(1, (1, 0), 0, 1)
    match.destroyed, match.cap, match.wiped, match.conceded = destroyed, cap, wiped, conceded
    return match


def said(match):
    told = announced_result(announced.word(match, 1))
    return told.a_score, told.b_score


scores = st.tuples(st.integers(0, 15), st.integers(0, 15))


@given(st.integers(1, 3), scores, st.booleans(), st.integers(1, 99), st.integers(0, 99))
def test_a_word_comes_back_as_paired_and_stays_a_small_integer(
    outcome, games, swapped, number, milestone
):
    word = announced.word(Ended(outcome, games, swapped, number), milestone)
    assert 0 <= word < 1 << 30
    won, a, b, told_round, told = announced_result(word)
    assert ((b, a) if swapped else (a, b)) == games
    assert won == ({1: 2, 2: 1, 3: 3}[outcome] if swapped else outcome)
    assert (told_round, told) == (number % announced.MOST, milestone % announced.MOST)


def test_a_word_is_laid_out_as_every_version_reads_it():
    match = counted((40, 30), wiped=2)
    match.round = 35
    won, a, b, of_round, milestone = 1, 150 + 256, 30, 3, 1
    word = won | a << 2 | b << 11 | of_round << 20 | milestone << 25
    assert announced.word(match, 33) == word
    assert announced_result(word) == (won, a, b, of_round, milestone)
    assert said(counted(None)) == (511, 511)


def test_a_score_too_large_or_that_nobody_told_is_unknown():
    assert said(counted((255, 254), cap=999)) == (announced.UNKNOWN, 254)
    match = counted(None, wiped=2)
    match.claimed = 2  # a judge ruled it without the points
    assert said(match) == (150, announced.UNKNOWN)


def test_a_score_is_what_counts_as_destroyed():
    assert said(counted((40, 30))) == (40, 30)
    assert said(counted((40, 30), wiped=2)) == (150 | announced.WHOLE, 30)
    assert said(counted((40, 30), conceded=1)) == (150 | announced.WHOLE, 30)
    assert said(counted((40, 30), conceded=0)) == (40, 150), "who has conceded, and wins by a judge"


def test_a_winner_whom_a_judge_ruled_against_the_points_has_not_all_of_them():
    match = counted((40, 30), wiped=3)
    match.claimed = 2
    assert said(match) == (150, 150)


def test_a_winner_whom_a_judge_ruled_as_the_points_say_has_all_of_them():
    match = counted((40, 30), wiped=2)
    match.claimed = 2
    assert said(match) == (150 | announced.WHOLE, 30)


def test_who_concedes_with_the_last_of_the_others_ships_destroyed_has_none_left():
    assert said(counted((40, 30), wiped=1, conceded=1)) == (150 | announced.WHOLE, 150)


def test_a_win_says_that_a_count_awarded_it_or_that_it_was_entered_after_time():
    match = Ended(2, (0, 1), 1, 1)
    match.award = 2
    assert said(match) == (1 + 256, 0)
    match.award, match.claimed = 0, 1
    assert said(match) == (1, 0), "entered in time"
    match.called = 1
    assert said(match) == (1 + 128, 0)
    match.claimed = 0
    assert said(match) == (1, 0), "a game that was over in time"
    match.claimed = 1
    match.games = 0, 200
    assert said(match) == (127 + 128, 0), "more games than a word can tell"
