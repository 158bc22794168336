"""The whole room stopped, as in a fire alarm: what stops, what does not and why, and that it runs on."""

import pytest

from firmware.core import intents
from host.archive.roster import REVOKED
from host.base.errors import UserError
from host.desk import room_stop
from host.desk.staff import Staff

pytestmark = [pytest.mark.venue(tables=3, begun=True), pytest.mark.archives]


def stop(venue, reason="fire alarm"):
    return room_stop.stop(Staff(venue.station, "Ann"), reason).orders


def left(venue):
    return room_stop.running(venue.station, room_stop.holding(venue.station))


def frozen(venue):
    return [board.match.frozen_ms is not None for board in venue.boards]


def away(venue, board):
    """Take a board out of reach until nobody has heard it for a while."""
    venue.air.cut(board)
    venue.air.away.add(f"radio {board.device}")
    venue.air.run(40_000)


def back(venue, board):
    venue.air.away.discard(f"radio {board.device}")
    venue.drain()


def test_the_room_stands_still_from_the_moment_it_is_asked(venue):
    assert room_stop.holding(venue.station) is None
    stop(venue)
    held = room_stop.holding(venue.station)
    assert (held.by, held.reason) == ("Ann", "fire alarm")
    assert set(left(venue).values()) == {"asked"}
    venue.drain()
    assert frozen(venue) == [True] * 3 and left(venue) == {}
    with pytest.raises(UserError, match="stopped already"):
        stop(venue)
    venue.air.run(60_000)
    assert len(room_stop.resume(Staff(venue.station, "Ann"))) == 3
    venue.drain()
    assert frozen(venue) == [False] * 3 and room_stop.holding(venue.station) is None
    assert {board.match.lost_ms > 60_000 for board in venue.boards} == {True}


def test_of_each_table_that_could_not_be_stopped_it_says_why(venue):
    venue.archive.roster.move(101, REVOKED, "Ann", "broken", 0)
    venue.station.refresh()
    away(venue, venue.boards[1])
    assert len(stop(venue)) == 2
    venue.air.run(5_000)
    assert left(venue) == {1: "no_board", 2: "silent"}
    assert [str(line) for line in room_stop.lines(venue.station)] == [
        "table 1: it has no board: stop its clock by hand",
        "table 2: its board is not heard: it stops as soon as it is",
    ]


def test_a_table_in_overtime_is_not_asked_and_said_so(venue):
    venue.air.run(3_020_000)
    for board in venue.boards[1:]:
        board.tick(venue.air.now_ms)
    venue.drain()
    assert len(stop(venue)) == 1
    assert left(venue) == {1: "asked", 2: "overtime", 3: "overtime"}


def test_a_table_that_is_reached_only_when_the_room_runs_on_does_not_stay_stopped(venue):
    board = venue.boards[1]
    away(venue, board)
    stop(venue)
    venue.air.run(30_000)
    assert 2 in left(venue)
    assert len(room_stop.resume(Staff(venue.station, "Ann"))) == 3
    back(venue, board)
    assert frozen(venue) == [False] * 3
    assert 0 < board.match.lost_ms <= venue.boards[0].match.lost_ms  # to its last CLOCK record


def test_who_was_stopped_alone_waits_for_its_judge(venue):
    venue.station.desk.freeze(3, "Bea", "deck check")
    venue.drain()
    assert len(stop(venue)) == 2
    venue.drain()
    assert len(room_stop.resume(Staff(venue.station, "Ann"))) == 2
    venue.drain()
    assert frozen(venue) == [False, False, True]
    assert len(room_stop.resume(Staff(venue.station, "Ann"))) == 1  # now it is meant
    venue.drain()
    with pytest.raises(UserError, match="no table is stopped"):
        room_stop.resume(Staff(venue.station, "Ann"))


def test_one_table_that_a_judge_let_run_on_is_named(venue):
    stop(venue)
    venue.drain()
    venue.station.desk.resume(2, "Bea")
    venue.drain()
    assert left(venue) == {2: "runs"}


def test_it_lasts_no_longer_than_its_tables_stand(venue):
    stop(venue)
    venue.drain()
    for table in (1, 2, 3):
        venue.station.desk.resume(table, "Bea")
    venue.drain()
    assert room_stop.holding(venue.station) is None
    assert len(stop(venue, "again")) == 3


def test_before_a_round_begins_its_start_waits(venue):
    board = venue.boards[0]
    assert board.ask(venue.air.now_ms, intents.CONCEDE, 0)  # a table that only decides
    venue.drain()
    assert len(stop(venue)) == 2 and left(venue)[1] == "no_clock"


def test_typed_it_says_the_same(venue, console):
    venue.archive.roster.move(101, REVOKED, "Ann", "broken", 0)
    venue.station.refresh()
    assert console.run("freeze all fire alarm") == [
        "freeze: asked of 2 tables",
        "table 1: it has no board: stop its clock by hand",
    ]
    venue.drain()
    console.news()
    assert console.run("resume all") == ["resume: asked of 2 tables"]
    assert "say why the whole room" in console.run("freeze all")[0]
