"""Swiss pairings under a pack, brackets, and XW15 pairing: laws that hold for every field of players."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.base.errors import UserError
from host.tournament import bracket, rule_packs
from host.tournament.pairing_search import Entrant, first_pairing
from host.tournament.swiss import pair
from host.tournament.xwing_pairing import Player, Question, pair_first, pair_next

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
    had_byes = [replace(one, had_bye=True) for one in entrants]
    assert pair(had_byes, replace(PACK, second_bye=True), 1).bye == "c"


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


def flat(pairs):
    return [player for pair in pairs for player in pair]


@st.composite
def fields(draw, most=12, meetings=14):
    count = draw(st.integers(2, most))
    ids = [f"p{i}" for i in range(count)]
    met = {name: set() for name in ids}
    for a, b in draw(
        st.lists(st.tuples(st.sampled_from(ids), st.sampled_from(ids)), max_size=meetings)
    ):
        if a != b:
            met[a].add(b)
            met[b].add(a)
    return [
        Player(
            name,
            draw(st.integers(0, 3)),
            margin=draw(st.integers(0, 5)),
            met=frozenset(met[name]),
            had_bye=draw(st.booleans()),
        )
        for name in ids
    ]


def paired(players, seed=1):
    try:
        return pair_next(players, seed=seed)
    except Question:
        return None


@given(fields(), st.integers(0, 2**32))
def test_everyone_is_paired_once_and_nobody_again(players, seed):
    found = paired(players, seed)
    if found is None:
        return
    by_id = {p.id: p for p in players}
    everyone = flat(found.pairs) + ([found.bye] if found.bye else [])
    assert sorted(everyone) == sorted(by_id)
    assert not any(b in by_id[a].met for a, b in found.pairs)
    assert found.bye is None or not by_id[found.bye].had_bye
    ranks = [(by_id[a].points, by_id[a].margin) for a, _ in found.pairs]
    assert ranks == sorted(ranks, reverse=True)
    assert all(
        (by_id[a].points, by_id[a].margin) >= (by_id[b].points, by_id[b].margin)
        for a, b in found.pairs
    )


@given(fields(), st.integers(0, 2**32))
def test_the_bye_is_drawn_among_the_lowest_who_had_none(players, seed):
    found = paired(players, seed)
    if found is None or found.bye is None:
        assert found is None or not found.level
        return
    lowest = min((p.points, p.margin) for p in players)
    level = {p.id for p in players if (p.points, p.margin) == lowest and not p.had_bye}
    assert found.bye in level and set(found.level) == (level if len(level) > 1 else set())


def test_who_leaves_no_pairing_is_not_drawn():
    """Without C the others have met; without D they can play."""
    players = [Player("A", 5, frozenset("D"), margin=9), Player("C"), Player("D")]
    assert {pair_next(players, seed=seed).bye for seed in range(20)} == {"D"}


def by_hand(groups, apart):
    """Return the first valid pairing by trying every one, in the same order of preference."""

    def go(group, rest, left, above):
        if group == len(groups):
            return []
        if not rest:
            below = group + 1
            pool = ([left] if left else []) + (groups[below] if below < len(groups) else [])
            return go(below, pool, None, left) if below < len(groups) or not left else None
        first, *others = rest
        for other in others:
            if other not in apart[first]:
                found = go(group, [p for p in others if p != other], left, above)
                if found is not None:
                    return [(first, other), *found]
        odd = (len(groups[group]) + (above is not None)) % 2
        return go(group, others, first, above) if odd and left is None and first != above else None

    found = go(0, groups[0], None, None) if groups else []
    return None if found is None else tuple(found)


@settings(max_examples=400)
@given(fields(10, 40))
def test_the_search_finds_the_very_first_pairing_there_is(players):
    ranked = sorted(players, key=lambda p: (p.points, p.margin), reverse=True)
    groups = [[p.id for p in g] for _, g in itertools.groupby(ranked, lambda p: p.points)]
    apart = {p.id: set(p.met) for p in players}
    assert first_pairing(groups, apart) == by_hand(groups, apart)


@given(st.integers(2, 40), st.integers(0, 2**32))
def test_the_first_round_is_a_draw_by_its_seed(count, seed):
    players = [Player(f"p{i}") for i in range(count)]
    found = pair_first(players, seed)
    assert sorted(flat(found.pairs) + ([found.bye] if found.bye else [])) == sorted(
        p.id for p in players
    )
    assert pair_first(players, seed) == found


def test_the_first_round_is_not_the_list_itself():
    players = [Player(f"p{i}") for i in range(40)]
    draws = {pair_first(players, seed) for seed in range(20)}
    assert len(draws) == 20


@given(st.integers(0, 500))
def test_families_and_travel_mates_do_not_meet_in_round_one(seed):
    parties = ["Rossi", "Rossi", "Rossi", "van", "van", "", "", ""]
    players = [
        Player(f"p{i}", parties=frozenset([party] if party else []))
        for i, party in enumerate(parties)
    ]
    for a, b in pair_first(players, seed).pairs:
        assert not players[int(a[1:])].parties & players[int(b[1:])].parties


def test_a_great_field_is_paired_in_one_go():
    players = [Player(f"p{i}", (i % 4) * 5, margin=i % 977) for i in range(2000)]
    assert len(pair_next(players).pairs) == 1000


def test_a_hopeless_bottom_does_not_take_for_ever():
    players = [Player(f"p{i}", 10, margin=100 - i) for i in range(60)]
    players += [Player("x", 5, frozenset("y"), margin=1), Player("y", 5, frozenset("x"))]
    assert paired(players) is None
    odd = [Player(f"p{i}", 10, margin=100 - i) for i in range(61)]
    met = frozenset(p.id for p in odd)
    assert paired([*odd, Player("x", 5, met, margin=1)]) is None
