"""What a record costs the host does not grow with the hall: a thousand tables, as many as eight."""

import sys

from crowd import Crowd
from tabletop import Venue

from firmware.core import events

FEW, MANY = 4, 64
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
        crowd.say(board, (events.JUDGE_CALLED, crowd.now_ms, 2, 0, 0))  # what is read once is read
        board.happen((events.JUDGE_ARRIVED, crowd.now_ms, 0, 0, 0))
        return calls(lambda: crowd.say(board))
    finally:
        crowd.station.close()


def test_a_record_costs_the_same_in_a_large_hall(tmp_path):
    few, many = (calls_for_a_record(tmp_path / f"{size}.db", size) for size in (FEW, MANY))
    assert many - few <= SLACK


def test_a_round_is_published_as_one_change(tmp_path):
    """Each change waits for the disk: a thousand of them kept the desk still for seconds."""
    venue, statements = Venue(tmp_path / "a.db", FEW), []
    venue.station.archive._db.set_trace_callback(statements.append)
    assert len(venue.station.desk.publish(1)) == 2 * FEW
    venue.station.archive._db.set_trace_callback(None)
    venue.station.close()
    assert statements.count("COMMIT") == 1
