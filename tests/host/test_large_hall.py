"""What a record costs the host does not grow with the hall: a thousand tables, as many as eight."""

import sys

from crowd import Crowd
from tabletop import Venue

from firmware.core import events
from host.collector.collector import MOST_CONNECTIONS

FEW, MANY = MOST_CONNECTIONS, 64
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
    few, many = (calls_for_a_record(tmp_path / f"{size}.db", size) for size in (FEW, MANY))
    assert many - few <= SLACK


def calls_for_a_poll(path, tables):
    crowd = Crowd(path, tables)
    try:
        for board in crowd.boards:
            crowd.status(board)
        connecting = crowd.station.collector.poll(crowd.now_ms)  # all links are taken
        assert len(connecting) == FEW
        crowd.station.collector.poll(crowd.now_ms)
        return calls(lambda: crowd.station.collector.poll(crowd.now_ms))
    finally:
        crowd.station.close()


def test_a_poll_costs_the_same_however_many_boards_wait(tmp_path):
    few, many = (calls_for_a_poll(tmp_path / f"{size}.db", size) for size in (FEW, MANY))
    assert many - few <= SLACK


def test_an_archived_record_that_is_advertised_again_costs_no_disk_and_no_check(tmp_path):
    """A board that waits for its turn repeats its records every 2.5 s: in a large hall, all do."""
    crowd = Crowd(tmp_path / "a.db", FEW)
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
    venue, statements = Venue(tmp_path / "a.db", FEW), []
    venue.station.archive._db.set_trace_callback(statements.append)
    assert len(venue.station.desk.publish(1)) == 2 * FEW
    venue.station.archive._db.set_trace_callback(None)
    venue.station.close()
    assert statements.count("COMMIT") == 1
