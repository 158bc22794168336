"""Team play on a board's Python: seats, piles, who is out, how it ends."""

from firmware.core import team


def test_the_order_skips_whoever_is_out():
    assert [team.following(seat, 0) for seat in range(4)] == [1, 2, 3, 0]
    assert team.following(0, 2) == 2
    assert team.following(0, 14) == 0
    assert team.following(0, 15) is None


def test_partners_sit_adjacent_and_a_opposite_a():
    for seat in range(4):
        mate = team.MATE[seat]
        assert team.MATE[mate] == seat and team.TEAM[mate] == team.TEAM[seat]
        assert team.ORDER[(seat + 2) % 4][1] == team.ORDER[seat][1]
        assert team.TEAM[(seat + 2) % 4] != team.TEAM[seat]


def test_a_pile_that_is_empty_gives_nothing():
    piles = (0, 2, 3, 2)
    assert team.sources(piles, 0) == 8
    assert team.drawn(piles, 0) is None
    assert team.drawn(piles, 3) == (0, 2, 3, 1)


def test_leaving_moves_the_prizes_or_takes_the_mate_along():
    assert team.leave(team.CONSTRUCTED, 0, 0, 3) == ((0, 2, 3, 5), 1)
    assert team.leave(team.CONSTRUCTED, 0, 0, 2) == (team.CONSTRUCTED, 9)


def test_both_teams_at_once_is_a_question():
    assert team.result(team.LIMITED, 15) == "ask"
    assert team.result((0, 2, 2, 0), 6) == "1"
    assert team.result((0, 2, 2, 0), 9) == "ask"
