"""Swiss pairings under a pack, and brackets: laws over whole events."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.base.errors import UserError
from host.tournament import bracket, rule_packs
from host.tournament.swiss import Entrant, pair
from host.tournament.xwing_pairing import Question

PACK = rule_packs.load("pokemon-swiss")


def played(players, rounds, seed, pack=PACK):
    """Play an event in which the lower id wins; yield each round's Pairings with the entrants."""
    entrants = [Entrant(str(n)) for n in range(players)]
    for number in range(rounds):
        found = pair(entrants, pack, seed + number)
        yield entrants, found
        by_id = {one.id: one for one in entrants}
        for a, b in found.pairs:
            won, lost = sorted((a, b), key=int)
            by_id[won] = replace(
                by_id[won], points=by_id[won].points + 3, met=by_id[won].met | {lost}
            )
            by_id[lost] = replace(by_id[lost], met=by_id[lost].met | {won})
        if found.bye is not None:
            by_id[found.bye] = replace(
                by_id[found.bye], points=by_id[found.bye].points + 3, had_bye=True
            )
        entrants = sorted(by_id.values(), key=lambda one: one.points, reverse=True)


@settings(deadline=None, max_examples=60)
@given(st.integers(8, 40), st.integers(0, 1000), st.sampled_from(("random", "ranking")))
def test_everybody_is_paired_once_and_nobody_twice(players, seed, within):
    met, byes = set(), set()
    for entrants, found in played(players, 4, seed, replace(PACK, within_points=within)):
        seated = [one for two in found.pairs for one in two] + (
            [found.bye] if found.bye is not None else []
        )
        assert sorted(seated) == sorted(one.id for one in entrants)
        assert (found.bye is None) == (players % 2 == 0) and found.bye not in byes
        for two in found.pairs:
            assert frozenset(two) not in met
            met.add(frozenset(two))
        byes.add(found.bye) if found.bye is not None else None


def test_with_eight_the_unbeaten_always_meet():
    for entrants, found in played(8, 3, 5):
        points = {one.id: one.points for one in entrants}
        assert sum(points[a] != points[b] for a, b in found.pairs) == 0
    assert sum(1 for one in entrants if one.points == 6) == 2


def test_the_seed_says_it_all():
    entrants = [Entrant(str(n)) for n in range(9)]
    assert pair(entrants, PACK, 7) == pair(entrants, PACK, 7)
    assert len({pair(entrants, PACK, seed).bye for seed in range(60)}) == 9  # anybody's luck


def test_the_bye_goes_to_the_lowest_who_had_none():
    entrants = [Entrant("a", 6), Entrant("b", 3), Entrant("c", 0, frozenset(), True)]
    assert pair(entrants, PACK, 1).bye == "b"
    with pytest.raises(Question, match="second one"):
        pair([replace(one, had_bye=True) for one in entrants], PACK, 1)
    assert pair([replace(one, had_bye=True) for one in entrants], PACK, 1, "b").bye == "b"
    assert (
        pair(
            [replace(one, had_bye=True) for one in entrants], replace(PACK, second_bye=True), 1
        ).bye
        == "c"
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_second_bye_is_given_to_nobody_while_somebody_has_had_none(seed):
    entrants = [Entrant(name, 0, frozenset(), name != "c") for name in "abcde"]
    assert pair(entrants, replace(PACK, second_bye=True), seed).bye == "c"


def test_a_second_bye_is_given_where_nothing_else_can_be_paired():
    a, b = Entrant("a", 0, frozenset("b"), True), Entrant("b", 0, frozenset("a"), True)
    found = pair([a, b, Entrant("c")], replace(PACK, second_bye=True), 1)
    assert found.bye in ("a", "b") and "c" in found.pairs[0]


def test_groups_are_joined_before_anybody_meets_again():
    everybody = frozenset("abcd")
    entrants = [
        Entrant("a", 6, frozenset("b")), Entrant("b", 6, frozenset("a")),
        Entrant("c", 3, frozenset("d")), Entrant("d", 3),
    ]  # fmt: skip
    found = pair(entrants, PACK, 1)
    assert {frozenset(two) for two in found.pairs} <= {
        frozenset(two) for two in ("ac", "ad", "bc", "bd")
    }
    with pytest.raises(Question, match="has a rematch"):
        pair([Entrant(one, 0, everybody - {one}) for one in "abcd"], PACK, 1)


def test_the_first_two_can_meet_in_the_final_alone():
    assert bracket.first_pairs(list("12345678")) == [("1", "8"), ("4", "5"), ("2", "7"), ("3", "6")]
    assert bracket.next_pairs(["1", "4", "2", "3"]) == [("1", "4"), ("2", "3")]
    assert bracket.first_pairs(["a", "b"]) == [("a", "b")]


@given(st.sampled_from(bracket.CUT_SIZES))
def test_a_bracket_in_which_the_better_wins_ends_with_the_best_two(size):
    pairs = bracket.first_pairs(list(range(1, size + 1)))
    assert all(a + b == size + 1 for a, b in pairs)
    while len(pairs) > 1:
        pairs = bracket.next_pairs([min(two) for two in pairs])
    assert pairs == [(1, 2)]


@pytest.mark.parametrize("count", [0, 1, 3, 6, 12])
def test_other_sizes_are_refused(count):
    with pytest.raises(UserError):
        bracket.first_pairs(list(range(count)))
    with pytest.raises(UserError):
        bracket.next_pairs(list(range(count)))
