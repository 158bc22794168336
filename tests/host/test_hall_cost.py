"""What the collector does for a frame or a link costs the same in a hall ten times as large."""

import pytest
from crowd import Crowd

from host.collector.collector import MOST_CONNECTIONS
from host.sim.prices import counted

FEW, MANY = 20, 200
MORE = 1.02
BOARDS = range(5, 15)  # whose frames are counted; the first five hold the links


def hear(crowd, board):
    """A status that says nothing new, while every link is in use."""
    crowd.status(board)
    return crowd.station.collector.poll(crowd.now_ms)


def fail(crowd, board):
    """A connection could not be made, so that the next board gets the link."""
    collector = crowd.station.collector
    collector.on_disconnected(next(iter(collector._connecting)))
    return collector.poll(crowd.now_ms)


def work(crowd, act, board):
    """Return how many bytecodes ``act`` takes, and what the collector asks its carrier for."""
    bytecodes = []
    crowd.now_ms += 1
    with counted(lambda frame: True, lambda: bytecodes.append(1)):
        asked = act(crowd, board)
    return len(bytecodes), asked


@pytest.fixture(scope="module")
def crowds(tmp_path_factory):
    """A hall of few boards and one of many, each heard once."""
    folder, found = tmp_path_factory.mktemp("crowds"), {}
    for tables in (FEW, MANY):
        crowd = found[tables] = Crowd(folder / f"{tables}.db", tables)
        for board in crowd.boards:
            crowd.status(board)
        asked = crowd.station.collector.poll(crowd.now_ms)
        assert len(asked) == MOST_CONNECTIONS
    yield found
    for crowd in found.values():
        crowd.venue.station.close()


@pytest.mark.parametrize("act", [hear, fail])
def test_a_frame_costs_the_same_in_a_hall_ten_times_as_large(crowds, act):
    costs = {}
    for tables, crowd in crowds.items():
        for board in crowd.boards[: BOARDS.start]:
            work(crowd, act, board)  # what is made once
        found = [work(crowd, act, crowd.boards[number]) for number in BOARDS]
        assert all(len(asked) == (act is fail) for _, asked in found)
        costs[tables] = sum(cost for cost, _ in found)
    assert 0 < costs[MANY] <= MORE * costs[FEW]


def test_whoever_is_not_heard_for_long_waits_aside_until_it_is_heard(crowds):
    crowd = crowds[FEW]
    collector = crowd.station.collector
    crowd.now_ms += 60_000
    assert fail(crowd, None) == []
    busy = {*collector._connecting.values()}
    board = next(one for one in crowd.boards if one.device not in busy)
    crowd.status(board)
    assert collector.poll(crowd.now_ms) == [("connect", f"radio {board.device}")]


def test_who_could_not_be_reached_twice_keeps_its_turn_and_then_loses_it(tmp_path):
    crowd = Crowd(tmp_path / "turns.db", FEW)
    for board in crowd.boards:
        crowd.status(board)
    collector = crowd.station.collector
    collector.poll(crowd.now_ms)
    address, device = next(iter(collector._connecting.items()))
    turns = []
    for _ in range(3):
        collector._connecting[address] = device
        collector.on_disconnected(address)
        turns.append(collector.statuses[device].served_ms)
    assert turns[0] == turns[1] < turns[2]
