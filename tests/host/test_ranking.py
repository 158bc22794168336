"""Standings under a pack: points and shares worked out by hand, in exact fractions."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rounds import a_round

from host.base.errors import UserError
from host.tournament import rule_packs
from host.tournament.ranking import ranking

POKEMON = rule_packs.load("pokemon-swiss")
DCI = rule_packs.load("dci-2003")
# 5 players: 1 beats 2, 3 ties 4, 5 has the bye; then 5 beats 1, 2 beats 3, 4 has the bye
ROUNDS = [
    a_round(1, (1, 2), (3, 4, "tie", (1, 1)), (5, None)),
    a_round(2, (1, 5, "B", (0, 2)), (3, 2, "B", (1, 2)), (4, None)),
]


def test_points_and_shares_by_hand():
    table = ranking(ROUNDS, POKEMON)
    found = {line.number: line.values for line in table.lines}
    # shares of wins: 1 1/2, 2 1/2, 3 (0+1/2)/2 = 1/4, 4 1/2 (its bye counts nothing), 5 1
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert found["5"][:2] == (6, half)
    assert found["4"][:2] == (4, quarter)
    assert found["1"][:2] == (3, Fraction(3, 4))
    assert found["2"][:2] == (3, Fraction(3, 8))
    assert found["3"][:2] == (1, half)
    assert [line.number for line in table.lines] == ["5", "4", "1", "2", "3"] and table.level == ()
    assert found["5"][2] == Fraction(3, 4)  # the opponents' opponents: of 1 alone


def test_who_left_counts_for_no_more_than_three_quarters():
    rounds = [a_round(1, (1, 2), (3, 4)), a_round(2, (2, 3), (4, None))]  # 1 leaves unbeaten
    found = {line.number: line.values for line in ranking(rounds, POKEMON).lines}
    assert found["2"][1] == (Fraction(3, 4) + Fraction(1, 2)) / 2


def test_who_left_and_came_back_counts_in_full():
    rounds = [
        a_round(1, (1, 2), (3, 4)),
        a_round(2, (2, 3), (4, None)),
        a_round(3, (1, 4), (2, None)),
    ]
    found = {line.number: line.values for line in ranking(rounds, POKEMON).lines}
    assert found["2"][1] == (1 + Fraction(1, 2)) / 2


def test_head_to_head_parts_two_and_no_more():
    pack = replace(POKEMON, order=("points", "head_to_head"))
    two = ranking(
        [a_round(1, (2, 1), (3, 4)), a_round(2, (1, 3), (2, 4, "B")), a_round(3, (3, 2), (1, 4))],
        pack,
    )
    assert [(line.rank, line.number) for line in two.lines] == [
        (1, "1"),
        (2, "3"),
        (3, "4"),
        (4, "2"),
    ]
    three = ranking(
        [
            a_round(1, (1, 2), (3, None)),
            a_round(2, (2, 3), (1, None)),
            a_round(3, (3, 1), (2, None)),
        ],
        pack,
    )
    assert three.level == (1,) and {line.values[0] for line in three.lines} == {6}


def test_a_win_by_prizes_at_time_is_worth_two_under_the_old_rules():
    one = a_round(1, (1, 2), (3, 4), system="d03")
    scores = (
        replace(one.scores[0], result=replace(one.scores[0].result, narrow=True)),
        one.scores[1],
    )
    found = {
        line.number: line.values[0] for line in ranking([replace(one, scores=scores)], DCI).lines
    }
    assert found == {"3": 3, "1": 2, "2": 0, "4": 0}


def test_open_matches_count_nothing_and_are_named():
    table = ranking([a_round(1, (1, 2, None), (3, 4))], POKEMON)
    assert [score.pairing.table for score in table.open] == [1]
    assert {line.number: line.values[0] for line in table.lines} == {"3": 3, "1": 0, "2": 0, "4": 0}
    assert table.level  # nothing tells the two who still play apart


@pytest.mark.parametrize(("rounds", "pack", "words"), [
    (ROUNDS, None, "choose a rule pack"),
    (ROUNDS, DCI, "is for d03, and this is p18"),
    ([a_round(1, (1, 2), elimination=True)], POKEMON, "no Swiss round"),
    ([ROUNDS[0], a_round(2, (1, 2), system="d03")], POKEMON, "several systems"),
])  # fmt: skip
def test_what_is_asked(rounds, pack, words):
    with pytest.raises(UserError, match=words):
        ranking(rounds, pack)


@given(st.permutations(range(4)), st.integers(0, 80))
def test_the_order_of_the_tables_does_not_matter(order, code):
    outcomes = [("A", "B", "tie")[code // 3**n % 3] for n in range(4)]
    matches = [(2 * n + 1, 2 * n + 2, outcomes[n]) for n in range(4)]
    before = ranking([a_round(1, *matches)], POKEMON)
    after = ranking([a_round(1, *(matches[n] for n in order))], POKEMON)
    assert [(line.rank, line.number) for line in before.lines] == [
        (line.rank, line.number) for line in after.lines
    ]
