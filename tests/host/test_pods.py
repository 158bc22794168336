"""How many pods a draft has, and of which sizes, for every number of players that a hall holds."""

from dataclasses import replace

import pytest
from rounds import a_round

from host.archive.draft_pods import Pods
from host.tournament import pods, rule_packs
from host.tournament.ranking import ranking

PLAYERS = range(4, 513)


def equal_size(players):
    """The largest size from four to eight that divides the players, None without one."""
    return next((size for size in (8, 7, 6, 5, 4) if players % size == 0), None)


def as_equal_as_can_be(found, players):
    return len(found) == -(-players // 8) and max(found) - min(found) <= 1


@pytest.mark.parametrize("kind", ["booster", "rochester"])
def test_everybody_sits_in_one_pod_of_at_most_eight(kind):
    for players in range(513):
        found = pods.sizes(players, kind)
        assert sum(found) == players and found == sorted(found, reverse=True)
        assert all(0 < size <= 8 for size in found)


def test_a_booster_draft_has_the_fewest_equal_pods_of_four_to_eight_where_there_are_such():
    for players in PLAYERS:
        found, size = pods.sizes(players, "booster"), equal_size(players)
        if size is None:
            assert as_equal_as_can_be(found, players), players
        else:
            assert found == [size] * (players // size), players


def test_a_rochester_draft_has_pods_of_seven_and_eight_wherever_they_are_possible():
    possible = {7 * sevens + 8 * eights for sevens in range(74) for eights in range(66)}
    for players in PLAYERS:
        found = pods.sizes(players, "rochester")
        if players in possible:
            assert set(found) <= {7, 8} and as_equal_as_can_be(found, players), players
        else:
            assert found == pods.sizes(players, "booster"), players


EQUAL = "they should be equal, of at most eight players (P18 11.2.2)"
PREFERRED = "preferably seven or eight draft together (D03 App. A 1)"


@pytest.mark.parametrize(("kind", "sizes", "remark"), [
    ("booster", (5, 5), None),
    ("booster", (5, 4), EQUAL),
    ("booster", (9, 9), EQUAL),
    ("rochester", (8, 7), None),
    ("rochester", (5, 5), PREFERRED),
])  # fmt: skip
def test_pods_that_differ_from_their_text_are_remarked_on_as_they_begin(kind, sizes, remark):
    drawn = Pods(kind, 2, tuple(tuple(map(str, range(size))) for size in sizes))
    wanted = [f"pods of {sizes[0]}, {sizes[1]}: {remark}"] if remark else []
    assert list(map(str, pods.remarks(drawn, 2, [1, 2]))) == wanted
    assert not pods.remarks(drawn, 3, [1, 2, 3])


@pytest.mark.parametrize(("kind", "since", "swiss", "remarked"), [
    ("rochester", 1, [1, 2, 3], False),
    ("rochester", 1, [1, 2, 3, 4], True),
    ("rochester", 2, [1, 2, 3, 4], False),
    ("rochester", 2, [1, 2, 3, 4, 5], True),
    ("booster", 1, [1, 2, 3, 4], False),
])  # fmt: skip
def test_a_fourth_swiss_round_is_remarked_on_in_a_rochester_pod(kind, since, swiss, remarked):
    drawn = Pods(kind, since, (tuple("abcdefgh"),))
    said = [str(one) for one in pods.remarks(drawn, swiss[-1], swiss) if "App. A 8" in one]
    wanted = f"Swiss round {swiss[-1] - since + 1} in the same pods, where 3 are recommended"
    assert said == ([f"{wanted} (D03 App. A 8)"] if remarked else [])


def test_each_pod_is_ranked_as_if_it_were_alone_also_by_what_its_players_missed():
    pack = rule_packs.load("pokemon-swiss")
    first = [a_round(1, (1, 2), (3, 4)), replace(a_round(2, (2, 3)), missed=("1", "4"))]
    other = [a_round(1, (5, 6)), a_round(2, (5, 6))]
    both = [
        replace(one, scores=one.scores + more.scores, missed=one.missed + more.missed)
        for one, more in zip(first, other, strict=True)
    ]
    drawn = Pods("booster", 1, (tuple("1234"), tuple("56")))
    alone = [ranking(rounds, pack) for rounds in (first, other)]
    assert [found.lines for found in pods.rankings(both, drawn, pack)] == [
        found.lines for found in alone
    ]
