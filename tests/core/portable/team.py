"""Team play on a board's Python: seats, piles, who is out, how it ends."""

from firmware.core import events, intents, phases, team
from firmware.core.match import Match
from firmware.core.systems import d03


def playing():
    """Return a team's match whose first game goes on."""
    match = Match(d03)
    match.phase, match.format, match.progress = phases.PLAYING, 1 << 7 | 1 << 1, 1
    return match


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
    assert team.drawn(piles, 0) is None
    assert team.drawn(piles, 3) == (0, 2, 3, 1)


def test_leaving_moves_the_prizes_or_takes_the_mate_along():
    match = playing()
    assert team.piles(match) == team.CONSTRUCTED
    match.wiped = 1
    assert team.piles(match) == (0, 2, 3, 5)
    match.wiped = 9  # both: nobody is left to set them out
    assert team.piles(match) == team.CONSTRUCTED


def test_piles_are_told_in_two_numbers_and_a_new_game_has_new_ones():
    match = playing()
    (told,) = match.decide(intents.TakePrize(1, 3), 1)
    match.apply(told)
    assert match.piles == (3, 2, 3, 1) == team.unpack(told.first, told.second)
    match.apply(events.StarterSet(2, 1, 2))
    assert match.piles is None
    match.format |= 1 << 3
    assert team.piles(match) == team.LIMITED


def test_both_teams_at_once_is_a_question():
    assert team.result(team.LIMITED, 15) == "ask"
    assert team.result((0, 2, 2, 0), 6) == "1"
    assert team.result((0, 2, 2, 0), 9) == "ask"
