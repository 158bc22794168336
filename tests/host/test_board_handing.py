"""A board handed on from one event to another that the same program serves."""

import pytest
from twoevents import NUMBERS, TwoEvents

from firmware.core import events
from host.archive.roster import AWAY, SPARE
from host.audit import inspection
from host.base.errors import UserError
from host.desk import board_swap

pytestmark = pytest.mark.archives


@pytest.fixture
def two(tmp_path):
    found = TwoEvents(tmp_path)
    yield found
    found.close()


def hand_on(two, device, giver="cup", taker="league"):
    return two.handing.hand_on(two.stations[giver], device, taker, "Ada")


def played(two, word):
    """Return the event's result at table 1, and what an audit finds."""
    station = two.stations[word]
    report = inspection.inspect(station.archive, station.keyring)
    return station.hall.results(1)[1].outcome, report.faults


def test_a_board_plays_at_one_event_and_then_at_the_other(two):
    two.drain()
    two.play("cup", 7)
    before = len(two.records("cup", 7))
    assert "goes to league" in str(hand_on(two, 7))
    two.drain()
    cup, league = (one.archive.roster for one in two.stations.values())
    assert 7 not in cup.current_boards and league.current_boards[7].table == SPARE
    assert two.boards[7].journal.event == NUMBERS["league"]
    board_swap.swap(two.stations["league"], 1, 7, "Bea")
    two.drain()
    two.play("league", 7, seat=1)
    assert played(two, "cup") == ("A", []) and played(two, "league") == ("B", [])
    here, there = two.records("cup", 7), two.records("league", 7)
    assert {one.event for one in here} <= {0, NUMBERS["cup"]} and len(here) <= before + 4
    assert {one.event for one in there} <= {0, NUMBERS["league"]}
    shared = {one.id for one in here} & {one.id for one in there}
    assert len(shared) <= 2, "that it has joined, and its answer"
