"""Turns counted before time: who switches that, and how long each turn was."""

import pytest

from firmware.core import events as e
from firmware.core import intents, play
from host.archive.decoded_frames import BoardEvent
from host.archive.records import Position
from host.event import roll_policy, turn_times
from host.event.press_log import PlacedEvent

pytestmark = pytest.mark.venue(begun=True)


def measured(*happened):
    """Return who held each turn, and its seconds."""
    placed = [
        PlacedEvent(Position(1, i), BoardEvent(kind, at_s * 1000, *(*numbers, 0, 0, 0)[:3]))
        for i, (kind, at_s, *numbers) in enumerate(happened)
    ]
    return [(turn.who, turn.lasted_s) for turn in turn_times.turns(placed)]


def test_before_time_a_counted_turn_lasts_from_the_one_before_also_beyond_zero():
    counted = (
        (e.STARTER_SET, 0, 0, 1), (e.POLICY_SET, 100, 16), (e.TURN_STARTED, 110, 0),
        (e.TURN_ENDED, 140, 1), (e.TURN_STARTED, 200, 1), (e.TURN_ENDED, 200, 0),
        (e.TIME_CALLED, 300, 5, 2 << 8), (e.TURN_TOLD, 305, 0, 1, 6), (e.TURN_ENDED, 320, 1, 1),
    )  # fmt: skip
    assert measured(*counted) == [("▲", 30), ("●", 60), ("▲", 120)]


def test_where_counting_begins_anew_the_turns_between_are_nobodys():
    stopped = (e.TURN_STARTED, 10, 0), (e.TURN_ENDED, 40, 1), (e.POLICY_SET, 50, 0)
    again = (e.POLICY_SET, 900, 16), (e.TURN_STARTED, 910, 1), (e.TURN_ENDED, 930, 0)
    assert measured((e.POLICY_SET, 5, 16), *stopped, *again) == [("▲", 30), ("●", 20)]
    assert measured((e.TURN_STARTED, 10, 0), (e.POLICY_SET, 20, 8), (e.TURN_ENDED, 40, 1)) == [
        ("▲", 30)
    ]


def test_turns_are_counted_as_the_desk_or_the_players_have_it(venue, console):
    board, air = venue.boards[0], venue.air
    assert board.ask(air.now_ms, intents.SET_STARTER, 1)
    console.run("turns 1 on")
    venue.drain()
    assert board.match.policy == play.COUNTED
    assert not board.ask(air.now_ms, intents.COUNT_TURNS, 1), "takes both"
    assert board.ask(air.now_ms, intents.COUNT_TURNS, 3)
    venue.drain()
    console.run("sound all on")
    venue.drain()
    assert board.match.policy == 8, "the players stopped it"
    assert roll_policy.switches_of(venue.archive, 1) == 8, "a new round begins without it"
