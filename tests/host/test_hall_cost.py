"""What a record, a frame or a free link costs the host does not grow with the hall."""

import sys

import pytest
from crowd import Crowd
from tabletop import Venue

from firmware.core import events
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


AS_CONNECTIONS, MORE_TABLES = MOST_CONNECTIONS, 64
SLACK = 8  # function calls


def calls(action):
    """Return how many functions of Python's and C's an action called."""
    found = 0

    def count(frame, event, argument):
        nonlocal found
        found += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return found


def calls_for_a_record(path, tables):
    crowd = Crowd(path, tables)
    board = crowd.boards[1]
    try:
        crowd.say(board, events.JudgeCalled(crowd.now_ms, 2))  # what is read once is read
        board.happen(events.JudgeArrived(crowd.now_ms))
        return calls(lambda: crowd.say(board))
    finally:
        crowd.station.close()


def test_a_record_costs_the_same_in_a_large_hall(tmp_path):
    few, many = (
        calls_for_a_record(tmp_path / f"{size}.db", size) for size in (AS_CONNECTIONS, MORE_TABLES)
    )
    assert many - few <= SLACK


def calls_for_a_poll(path, tables):
    crowd = Crowd(path, tables)
    try:
        for board in crowd.boards:
            crowd.status(board)
        connecting = crowd.station.collector.poll(crowd.now_ms)  # all links are taken
        assert len(connecting) == AS_CONNECTIONS
        crowd.station.collector.poll(crowd.now_ms)
        return calls(lambda: crowd.station.collector.poll(crowd.now_ms))
    finally:
        crowd.station.close()


def test_a_poll_costs_the_same_however_many_boards_wait(tmp_path):
    few, many = (
        calls_for_a_poll(tmp_path / f"{size}.db", size) for size in (AS_CONNECTIONS, MORE_TABLES)
    )
    assert many - few <= SLACK


def test_an_archived_record_that_is_advertised_again_costs_no_disk_and_no_check(tmp_path):
    """A board that waits for its turn repeats its records every 2.5 s: in a large hall, all do."""
    crowd = Crowd(tmp_path / "a.db", AS_CONNECTIONS)
    collector, record = crowd.station.collector, crowd.boards[0].history()[-1]
    address, statements = f"radio {crowd.boards[0].device}", []
    crowd.station.archive._db.set_trace_callback(statements.append)
    collector.on_advert(address, record, crowd.now_ms + 2500)
    collector.poll(crowd.now_ms + 2500)
    assert not statements and collector.heard_ms == crowd.now_ms + 2500
    other = bytes((*record[:-1], record[-1] ^ 1))
    collector.on_advert(address, other, crowd.now_ms + 5000)
    assert sum(collector.refused.values()) == 1  # a byte is wrong: it is checked as ever
    assert collector.heard_ms == crowd.now_ms + 2500
    crowd.station.archive._db.set_trace_callback(None)
    crowd.station.close()


def test_a_round_is_published_as_one_change(tmp_path):
    """Each change waits for the disk: a thousand of them kept the desk still for seconds."""
    venue, statements = Venue(tmp_path / "a.db", AS_CONNECTIONS), []
    venue.station.archive._db.set_trace_callback(statements.append)
    assert len(venue.station.desk.publish(1)) == 2 * AS_CONNECTIONS
    venue.station.archive._db.set_trace_callback(None)
    venue.station.close()
    assert statements.count("COMMIT") == 1
