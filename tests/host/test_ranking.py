"""Standings under a pack, and what a player's rounds come to: points worked out by hand, laws, refusals."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rounds import a_round, player

from firmware.core.systems import xw15
from host.archive import fixed_tables
from host.archive.fixed_tables import Fixed, fix, fixed
from host.archive.roster import Format, Pairing, Player
from host.base.errors import UserError
from host.event import missed_rounds
from host.event.match_results import FILE, PAPER, Result
from host.event.missed_rounds import MissedRound
from host.event.scores import Missed, Round, Score
from host.tournament import rule_packs
from host.tournament.match_records import Meeting, Tally, meetings, tallies
from host.tournament.ranking import ranking
from host.tournament.xwing_standings import Match, standings, worth

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
    ranks = [(line.rank, line.number) for line in two.lines]
    assert ranks == [(1, "1"), (2, "3"), (3, "4"), (4, "2")]
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
    assert [line.values for line in table.lines] == sorted(
        (line.values for line in table.lines), reverse=True
    )
    ranks = {line.player: line.values for line in standings([played]).lines}
    assert {line.player: line.values for line in table.lines} == ranks


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


ADA, BO, CY = (Player(name[0], name) for name in ("Ada", "Bo", "Cy"))
SWISS, ELIMINATION = 3 << 1, 3 << 1 | 1


def score(number, a, b, outcome=None, games=(0, 0), by=PAPER, destroyed=None):
    pairing = Pairing(number, 1, 7 if b else None, a, b)
    result = Result(number, 1, outcome, games, None, by, 0, False, destroyed) if outcome else None
    return Score(pairing, result)


def played(number, *scores, bits=SWISS, missed=()):
    return Round(number, "p18", Format(0, bits, 50), scores, 3, missed)


def test_each_player_reads_the_figures_from_the_own_side():
    told = meetings([played(1, score(1, ADA, BO, "B", (1, 2)), score(1, CY, None))])
    assert told["A"] == [Meeting(1, 7, BO, "lost", (1, 2))]
    assert told["B"] == [Meeting(1, 7, ADA, "won", (2, 1))]
    assert told["C"] == [Meeting(1, None, None, "bye")]


def test_points_destroyed_come_before_games_and_a_file_without_figures_has_none():
    rounds = [
        played(1, score(1, ADA, BO, "A", (1, 0), destroyed=(60, 42))),
        played(2, score(2, ADA, BO, "tie", by=FILE)),
        played(3, score(3, ADA, BO, "neither", by=FILE)),
        played(4, score(4, ADA, BO)),
    ]
    told = meetings(rounds)["B"]
    assert [(one.how, one.figures) for one in told] == [
        ("lost", (42, 60)), ("tied", None), ("lost", None), ("open", None)
    ]  # fmt: skip


def test_a_bye_is_won_a_missed_round_lost_and_an_open_match_nothing():
    rounds = [
        played(1, score(1, ADA, BO, "A", (2, 0)), score(1, CY, None)),
        played(2, score(2, ADA, CY, "tie", (1, 1)), missed=("B",)),
        played(3, score(3, ADA, BO)),
    ]
    assert tallies(rounds) == {"A": Tally(1, 0, 1), "B": Tally(0, 2, 0), "C": Tally(1, 0, 1)}


def test_after_a_cut_the_swiss_rounds_count_alone():
    cut = played(2, score(2, ADA, BO, "B", (0, 2)), bits=ELIMINATION)
    swiss = played(1, score(1, ADA, BO, "A", (2, 0)))
    assert tallies([swiss, cut]) == {"A": Tally(1, 0, 0), "B": Tally(0, 1, 0)}
    assert tallies([cut]) == {"A": Tally(0, 1, 0), "B": Tally(1, 0, 0)}
    assert [one.how for one in meetings([swiss, cut])["A"]] == ["won", "lost"]


def counted(one, *missed):
    """A Round in which players (numbers) have a bye, or a loss."""
    given = tuple(Missed(player(number), bye) for number, bye in missed)
    return replace(one, counted=given)


def test_what_the_organiser_counts_is_among_a_players_rounds():
    rounds = [counted(a_round(1, (1, 2)), (7, False), (8, True)), a_round(2, (1, 7), (2, 8, "B"))]
    assert [one.how for one in meetings(rounds)["7"]] == ["missed", "lost"]
    assert [one.how for one in meetings(rounds)["8"]] == ["bye", "won"]
    assert tallies(rounds)["7"] == Tally(0, 2, 0) and tallies(rounds)["8"] == Tally(2, 0, 0)


def test_a_pack_gives_a_loss_or_a_bye():
    rounds = [counted(a_round(1, (1, 2)), (7, False), (8, True)), a_round(2, (1, 7), (2, 8, "B"))]
    found = {line.number: line for line in ranking(rounds, POKEMON).lines}
    assert (found["7"].values[0], found["7"].byes) == (0, 0)
    assert (found["8"].values[0], found["8"].byes) == (6, 1)
    once = {line.number: line for line in ranking(rounds[:1], POKEMON).lines}
    assert once["8"].values[0] == 3 and once["8"].name == "Name 8", "before any match"


def test_escalation_gives_a_bye_its_margin_and_a_loss_nothing():
    match = (1, 2, "A", (0, 0))
    played = a_round(1, match, system="xw15")
    score = replace(played.scores[0], result=replace(played.scores[0].result, destroyed=(30, 0)))
    found = {
        line.number: line
        for line in ranking(
            [counted(replace(played, scores=(score,)), (7, False), (8, True))]
        ).lines
    }
    assert found["7"].values == (0, 0, 0) and found["7"].byes == 0
    assert found["8"].values[:2] == (5, 150) and found["8"].byes == 1


def test_what_is_noted_of_a_player_follows_a_new_number(venue):
    archive = venue.archive
    fix(archive, Fixed("0", 2), "Olga", 0)
    missed_rounds.keep(archive, MissedRound("0", 1, "bye"), "Olga", 0)
    fixed_tables.renumber(archive, "0", "70", "cup.tdf", 1)
    missed_rounds.renumber(archive, "0", "70", "cup.tdf", 1)
    assert fixed(archive) == {"70": 2} and missed_rounds.of_round(archive, 1) == {"70": "bye"}
    missed_rounds.withdraw(archive, 1, "Olga", 2)
    assert missed_rounds.of_round(archive, 1) == {}


def test_notices_that_make_no_sense_count_for_nothing(venue):
    archive = venue.archive
    for text in ("[]", "{}", '{"player": 1, "round": 1, "counts": "loss"}',
                 '{"player": "1", "round": 1, "counts": "win"}'):  # fmt: skip
        archive.notices.add(missed_rounds.NOTICE, text, "x", 0)
    assert missed_rounds.of_round(archive, 1) == {}
    for text in ('{"player": "1"}', '{"player": "1", "table": "2"}', "7"):
        archive.notices.add("table fixed", text, "x", 0)
    assert fixed(archive) == {}
