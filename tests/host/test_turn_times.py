"""Each counted turn's length and who held it: on the judge's card and in the incident log."""

import pytest

from firmware.core import events as e
from firmware.core import intents
from host.archive.records import Position
from host.event import turn_times
from host.event.incident_log import incidents
from host.event.turn_times import PlacedEvent
from host.web import tablecard

pytestmark = pytest.mark.venue(begun=True)
MIN = 60_000


def measured(*happened):
    """Return who held each turn, and its seconds; the events are at whole seconds."""
    placed = [
        PlacedEvent(Position(1, i), event.at(event.at_ms * 1000))
        for i, event in enumerate(happened)
    ]
    return [(turn.who, turn.lasted_ms // 1000) for turn in turn_times.turns(placed)]


def test_a_turn_lasts_from_its_start_to_its_end():
    assert measured(
        e.StarterSet(0, 0, 1), e.TurnStarted(10, 0), e.TurnEnded(70, 1, 0, 0),
        e.TurnStarted(75, 1), e.TurnEnded(100, 0, 0, 0),
    ) == [("▲", 60), ("●", 25)]  # fmt: skip


def test_after_time_one_press_begins_and_ends_a_turn():
    assert measured(
        e.TimeCalled(3000, 5, 0, 2, 0), e.TurnTold(3010, 0, 1, 1, 0, 0, 0), e.TurnTold(3012, 0, 0, 1, 0, 6, 0),
        e.TurnEnded(3040, 1, 1, 0), e.TurnStarted(3240, 1), e.TurnEnded(3240, 0, 2, 0),
    ) == [("▲", 40), ("●", 200)]  # fmt: skip


def test_a_stopped_clock_costs_nobody_time():
    assert measured(
        e.TurnStarted(10, 0), e.Frozen(20, 3), e.Resumed(320, 3, 0), e.TurnEnded(330, 1, 0, 0)
    ) == [("▲", 20)]


def test_what_was_taken_back_is_no_turn():
    told = e.TurnStarted(10, 0), e.TurnEnded(20, 1, 0, 0), e.TakenBack(25, 3, 1, 1)
    assert measured(*told) == []
    assert measured(*told, e.TurnEnded(70, 1, 0, 0)) == [("▲", 60)]


def test_changed_seats_and_teams_are_named_as_paired():
    swap = e.SeatConfirmed(0, 2, 1)
    assert measured(swap, e.TurnStarted(0, 0), e.TurnEnded(5, 1, 0, 0)) == [("●", 5)]
    team = e.FormatSet(0, 1, 130, 50)
    assert measured(team, e.TurnStarted(0, 3), e.TurnEnded(5, 0, 0, 0)) == [("1B", 5)]


def test_a_game_that_is_over_ends_its_turn():
    assert measured(
        e.TurnStarted(0, 0),
        e.TurnEnded(9, 1, 0, 0),
        e.TurnStarted(9, 1),
        e.GameWon(30, 1, 0, 0, 0, 0),
    ) == [("▲", 9), ("●", 21)]


def test_a_judge_sees_them_on_the_card_and_in_the_log(venue):
    board, air = venue.boards[0], venue.air
    assert board.ask(air.now_ms, intents.SET_STARTER, 1)
    for seat, seconds in ((1, 90), (0, 200)):
        assert board.ask(air.now_ms, intents.START_TURN, seat)
        air.run(seconds * 1000)
        assert board.ask(air.now_ms, intents.END_TURN)
    venue.drain()
    fold = venue.station.hall.fold_at(1)
    pairing = venue.archive.roster.pairings_of(1)[0]
    card = tablecard.card(pairing, fold, None, [], None, {}, None, air.now_ms)
    assert card["turn_times"] == [("●", 90), ("▲", 200)]
    [line] = [one for one in incidents(venue.archive) if one.what == "turns"]
    assert (line.table, line.numbers, line.reason) == (1, (0, 2, 200), "● 1:30, ▲ 3:20")
