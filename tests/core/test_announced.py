"""A status' word for a result: every one comes back as its match was paired."""

from hypothesis import given
from hypothesis import strategies as st

from firmware.core import announced


class Ended:
    """What ``announced.word`` reads of a match."""

    def __init__(self, outcome, games, destroyed, swapped, number):
        self.outcome, self.games, self.destroyed = outcome, games, destroyed
        self.swapped, self.round = swapped, number


scores = st.tuples(st.integers(0, 511), st.integers(0, 511))


@given(st.integers(1, 3), scores, st.none() | scores, st.booleans(), st.integers(1, 99),
       st.integers(0, 99))  # fmt: skip
def test_a_word_comes_back_as_paired_and_stays_a_small_integer(
    outcome, games, destroyed, swapped, number, milestone
):
    word = announced.word(Ended(outcome, games, destroyed, swapped, number), milestone)
    assert 0 <= word < 1 << 30
    won, a, b, told_round, told = announced.read(word)
    a, b = (b, a) if swapped else (a, b)
    assert (a, b) == (games if destroyed is None else destroyed)
    assert won == ({1: 2, 2: 1, 3: 3}[outcome] if swapped else outcome)
    assert (told_round, told) == (number % announced.MOST, milestone % announced.MOST)


@given(st.integers(512, 65535))
def test_a_score_too_large_is_cut(score):
    word = announced.word(Ended(1, (0, 0), (score, 3), 0, 1), 1)
    assert announced.read(word)[1:3] == (511, 3)
