"""A board handed on from one event to another that the same program serves."""

import pytest
from twoevents import NUMBERS, TwoEvents

from firmware.core import events
from host.archive.roster import AWAY, SPARE, Board
from host.audit import inspection
from host.base.errors import UserError
from host.desk import board_swap
from host.server.console import Console


@pytest.fixture
def two(tmp_path):
    found = TwoEvents(tmp_path)
    found.drain()
    yield found
    found.close()


def hand_on(two, device, giver="cup", taker="league"):
    return str(two.handing.hand_on(two.stations[giver], device, taker, "Ada"))


def played(two, word):
    """Return the event's result at table 1, and what an audit finds."""
    station = two.stations[word]
    report = inspection.inspect(station.archive, station.keyring)
    return station.hall.results(1)[1].outcome, report.faults


def places(two, device):
    return {
        word: next(
            (one.table for one in station.archive.roster.boards if one.device == device), None
        )
        for word, station in two.stations.items()
    }


def test_a_board_plays_at_one_event_and_then_at_the_other(two):
    two.play("cup", 7)
    before = len(two.records("cup", 7))
    assert hand_on(two, 7) == "board 7 goes to league when it is reached"
    two.drain()
    assert places(two, 7) == {"cup": AWAY, "league": SPARE}
    assert two.boards[7].journal.event == NUMBERS["league"]
    assert not any(map(any, two.boards[7].sync.names))
    board_swap.swap(two.stations["league"], 1, 7, "Bea")
    two.drain()
    two.play("league", 7, seat=1)
    assert played(two, "cup") == ("A", []) and played(two, "league") == ("B", [])
    here, there = two.records("cup", 7), two.records("league", 7)
    assert {one.event for one in here} == {0, NUMBERS["cup"]} and len(here) == before + 2
    assert {one.event for one in there} == {0, NUMBERS["league"]}
    shared = {one.id for one in here} & {one.id for one in there}
    kinds = {one.kind for one in here if one.id in shared}
    assert kinds <= {events.EVENT_JOINED, events.ANSWERED}, "that it has joined, and its answer"
    for station in two.stations.values():
        assert not station.collector.refused


@pytest.mark.parametrize("reset", [False, True])
def test_a_board_comes_back_also_after_resets(tmp_path, reset):
    two = TwoEvents(tmp_path, loss=0.1)
    two.drain()
    two.play("cup", 7)
    for giver, taker in (("cup", "league"), ("league", "cup"), ("cup", "league")):
        if reset:
            two.air.cut(two.boards[7])
            two.boards[7].boot(two.air.now_ms)
            two.drain()
        hand_on(two, 7, giver, taker)
        two.drain()
        assert places(two, 7)[giver] == AWAY and places(two, 7)[taker] == SPARE
    two.handing.hand_on(two.stations["league"], 7, "cup", "Ada")
    two.drain()
    assert played(two, "cup") == ("A", [])
    assert not two.stations["cup"].hall.waiting and not two.stations["league"].hall.waiting
    two.close()


def test_what_was_cut_short_is_finished_at_the_next_start(two, monkeypatch):
    """The program ends after the board has gone, before the other archive has it."""
    monkeypatch.setattr(two.handing, "complete", lambda: None)
    hand_on(two, 7)
    two.run(60_000)
    assert places(two, 7) == {"cup": AWAY, "league": None}
    two.close()
    two.open()
    assert places(two, 7) == {"cup": AWAY, "league": SPARE}
    two.drain()
    two.close()
    two.open()
    assert places(two, 7) == {"cup": AWAY, "league": SPARE}


def test_what_was_asked_and_not_done_is_withdrawn_where_the_program_ends(two):
    """The other event may not be served next time: the board would belong to nobody."""
    two.air.away.add("radio 7")
    hand_on(two, 7)
    two.run(5000)
    two.close()
    two.air.away.clear()
    two.open("cup")
    two.run(60_000)
    assert two.boards[7].journal.event == NUMBERS["cup"]
    assert places(two, 7) == {"cup": SPARE} and not two.stations["cup"].archive.orders.pending


def test_a_board_that_plays_or_owes_records_stays(two):
    two.stations["cup"].desk.publish(1)
    two.drain()
    with pytest.raises(UserError, match="board 7 plays at table 1"):
        hand_on(two, 7)
    two.boards[8].happen(events.JudgeCalled(two.air.now_ms, 0))
    two.radio.on_advert("radio 8", two.boards[8].status(two.air.now_ms), two.air.now_ms)
    with pytest.raises(UserError, match="has records that are not here yet"):
        hand_on(two, 8)
    with pytest.raises(UserError, match="board 9 is not in use"):
        hand_on(two, 9)
    two.stations["cup"].archive.roster.add_board(Board(9, 1, 0), 0)
    two.stations["cup"].refresh()
    with pytest.raises(UserError, match="board 9 was not heard"):
        hand_on(two, 9)


def test_no_board_goes_where_it_cannot_be_understood(two, tmp_path):
    with pytest.raises(UserError, match="'final' is no other event here; there are: league"):
        hand_on(two, 8, taker="final")
    with pytest.raises(UserError, match="'cup' is no other event here"):
        hand_on(two, 8, taker="cup")
    league = two.stations["league"].archive.roster
    league.add_board(Board(8, 2, 0), 0)
    with pytest.raises(UserError, match="board 8 has a newer key there"):
        hand_on(two, 8)
    two.close()
    (tmp_path / "more").mkdir()
    other = TwoEvents(tmp_path / "more", masters=(two.masters["cup"], bytes(32)))
    other.drain()
    with pytest.raises(UserError, match="whose archive has another master key"):
        hand_on(other, 8)
    other.close()
    two.open()


def test_the_act_is_typed_and_says_so_where_one_event_is_alone(two, tmp_path):
    desk = Console(two.stations["cup"], "Ada")
    assert desk.run("hand on 8 league no use here") == ["board 8 goes to league when it is reached"]
    two.drain()
    assert places(two, 8) == {"cup": AWAY, "league": SPARE}
    two.handing.remove("league")
    two.handing.remove("cup")
    assert "serves several" in desk.run("hand on 7 league")[0]
