"""What a record, a frame or a stolen key's signature costs the host does not grow, with the hall or with itself."""

import struct
import sys

import pytest
from crowd import Crowd
from hypothesis import given
from hypothesis import strategies as st
from tabletop import Venue
from thief import EVENT, MASTER, Thief

from firmware.core import events, frames, ring
from host.archive.records import BoardKey
from host.archive.store import MOST_QUARANTINED
from host.collector import intake
from host.collector.collector import MOST_CONNECTIONS
from host.desk import board_swap
from host.event import nonces
from host.keys import signatures
from host.sim.board import RamStore
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


@pytest.mark.parametrize("asked", (calls_for_a_record, calls_for_a_poll))
def test_a_record_and_a_poll_cost_the_same_in_a_large_hall(tmp_path, asked):
    few, many = (asked(tmp_path / f"{size}.db", size) for size in (AS_CONNECTIONS, MORE_TABLES))
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


# the event of record i, and how far its counter leaps
SAID = {
    "sparse": (lambda i: events.Clock(1000, 0), 1),
    "calls": (lambda i: events.JudgeCalled(1000, 1), 1),
    "answers": (lambda i: events.Answered(1000, 0, i, 12, 0), 1),
    "commitments": (lambda i: events.SeedStored(i.to_bytes(4, "little"), i % 3, struct.pack("<HH", i, 3)), 0),
    "boots": (lambda i: events.Booted(1000, 0, 1, 0), 0),
    "contradictions": (lambda i: events.Clock(i, 0), -1),
}  # fmt: skip
EARLY, LATE = range(500, 506), range(1500, 1506)


@pytest.fixture
def thief(tmp_path):
    made = Thief(tmp_path / "a.db")
    made.begin()
    key = frames.stream_key(made._key, EVENT, frames.UP, 1)
    status = signatures.sign(key, frames.STATUS, 1, 1, 0, frames.pack_status(0, 2, 0, 0, 5))
    made.station.collector.on_advert("a radio", status, made.now_ms)
    yield made
    made.station.close()


def work_of(thief, event):
    """Return the bytecodes and SQLite's instructions of one record, with what a page asks then."""
    bytecodes, steps, db = [], [], thief.station.archive._db
    collector = thief.station.collector
    db.set_progress_handler(lambda: steps.append(1), 1)
    with counted(lambda frame: True, lambda: bytecodes.append(1)):
        thief.say(event)
        collector.missing(collector.statuses[thief.device])
    db.set_progress_handler(None, 1)
    return len(bytecodes), len(steps)


@pytest.mark.parametrize("what", SAID)
def test_the_next_record_costs_what_those_before_it_cost(thief, what):
    (event_of, leap), found = SAID[what], {}
    for i in range(LATE.stop):
        thief._counter += leap
        if i in EARLY or i in LATE:
            found[i] = work_of(thief, event_of(i))
            continue
        thief.hear(event_of(i))
        if i % 100 > 90:
            thief.station.collector.poll(thief.now_ms)
    for kind in (0, 1):
        early, late = (max(found[i][kind] for i in some) for some in (EARLY, LATE))
        assert 0 < late <= 1.02 * early


STEPS = st.tuples(st.integers(-100_000_000, 100_000_000), st.integers(0, 2 * intake.MOST))


@given(st.lists(STEPS, max_size=4))
def test_no_more_is_let_in_than_time_allows_whatever_the_clock_does(steps):
    here, there, board = intake.Intake(), intake.Intake(), BoardKey(7, 1)
    now_ms, passed_ms, stored = 100_000, 0, 0
    for step_ms, count in steps:
        now_ms, passed_ms = now_ms + step_ms, passed_ms + max(step_ms, 0)
        for _ in range(count):
            if not here.has_room(board, now_ms):
                break
            here.fill(board, now_ms)
            stored += 1
        assert stored <= intake.MOST + passed_ms // intake.EACH_MS
        assert here.has_room(BoardKey(8, 1), now_ms)
        assert there.has_room(board, now_ms), "a board that writes few is never refused"
        there.fill(board, now_ms)


def test_a_boards_nonces_end(thief):
    for i in range(3 * nonces.MOST_GIVEN + 30):
        thief.say(SAID["commitments"][0](i))
    assert len(nonces.all_given(thief.station.archive)) == nonces.MOST_GIVEN


def contradict(thief, count):
    for i in range(count):
        thief._counter = 3
        thief.say(events.Clock(5000 + i, 0))


def test_contradictions_are_counted_and_kept_up_to_a_bound(thief):
    archive, collector = thief.station.archive, thief.station.collector
    contradict(thief, MOST_QUARANTINED + 5)
    written = archive._db.total_changes
    contradict(thief, 200)
    assert archive._db.total_changes == written
    assert len(archive.quarantined) == MOST_QUARANTINED
    assert collector.refused[1, "contradiction"] == MOST_QUARANTINED + 205
    told = [str(sentence) for _, device, sentence in collector.alarms if device == 1]
    assert len(told) == 8 and "somebody may have its key" in told[-1]


def flood(thief, count):
    """Have the host hear so many new records, as many at a time as it takes."""
    for i in range(count):
        thief.hear(events.Clock(1000, 0))
        if i % 500 == 499 or i == count - 1:
            thief.station.collector.poll(thief.now_ms)


def crowded(collector):
    """Return the boards of which an alarm says that they send too many records."""
    told = "more records than any board writes"
    return [alarm.device for alarm in collector.alarms if told in str(alarm.sentence)]


def test_new_records_are_stored_as_fast_as_a_board_can_write_them(thief):
    archive, collector = thief.station.archive, thief.station.collector
    room, began_ms = intake.MOST - thief.said, thief.now_ms
    flood(thief, room)
    assert len(archive.records()) == intake.MOST > RamStore.blocks * ring.ROOM, "a whole journal"
    assert not crowded(collector) and not collector.refused
    flood(thief, 500)
    spent = 1 + (thief.now_ms - began_ms) // intake.EACH_MS  # their own time made room for some
    assert 0 < len(archive.records()) - intake.MOST <= spent + 512  # one poll may overstep it
    flood(thief, 1000)
    written = archive._db.total_changes
    flood(thief, 500)
    assert archive._db.total_changes - written <= 4, "for one that has become due"
    assert collector.refused[1, "crowd"] > 1000
    assert crowded(collector) == [1], "one alarm"


def test_what_was_refused_for_its_number_is_stored_later_and_others_are_at_once(thief):
    archive, collector = thief.station.archive, thief.station.collector
    flood(thief, intake.MOST + 1200)
    held = len(archive.records())
    last = thief.said
    thief.say(events.Clock(1000, 0))
    assert len(archive.records()) == held, "never acknowledged, so its board keeps it"
    thief._counter = 3
    thief.say(events.Clock(7777, 0))
    assert collector.refused[1, "contradiction"] == 1, "what is known there is looked at as ever"
    key = frames.stream_key(frames.board_key(MASTER, 2, 1), EVENT, frames.UP, 1)
    other = signatures.sign(key, events.JUDGE_CALLED, 2, 1, 9, bytes(9))
    collector.on_advert("another radio", other, thief.now_ms)
    collector.poll(thief.now_ms)
    assert len(archive.records()) == held + 1
    thief.now_ms += 600 * intake.EACH_MS
    thief._counter = last
    thief.say(events.Clock(1000, 0))
    assert len(archive.records()) == held + 2


def test_a_revocation_ends_it(thief):
    contradict(thief, 3)
    board_swap.revoke(thief.station, 1, "Olga")
    before = thief.station.archive._db.total_changes
    contradict(thief, 50)
    thief.say(events.Clock(1, 0))
    assert thief.station.archive._db.total_changes == before
    assert thief.station.collector.refused[1, "revoked"] == 51
