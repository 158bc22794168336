"""The event's close: no board of it keeps a name, and none is sent one again."""

from dataclasses import replace

import pytest

from firmware.core import frames, phases

pytestmark = [pytest.mark.venue(begun=True), pytest.mark.archives]


def nameless(board):
    """Whether a board holds no part of a name and no number."""
    return not any(any(names) for names in board.sync.names)


def test_names_are_forgotten_at_the_events_close_for_good(venue, console):
    board, given = venue.boards[0], []
    assert not nameless(board)
    assert console.run("close") == ["not done: results are missing: table 1, 2"]
    assert console.run("close anyway") == ["close: asked of 2 tables"]
    venue.drain()
    assert board.match.phase == phases.IDLE
    put = venue.air._put
    venue.air._put = lambda address, frame: (
        given.append(frames.head(frame)[0]),
        put(address, frame),
    )
    venue.air.run(60_000)
    assert all(map(nameless, venue.boards)) and frames.NAME not in given
    assert not any(
        status.has(frames.NAMES_WANTED) for status in venue.station.collector.statuses.values()
    )


def test_the_close_reaches_tables_that_a_cut_left_out_and_boards_that_were_moved(venue, console):
    roster = venue.archive.roster
    roster.store_round(2, roster.format_of(1), [replace(roster.pairing_at(1, 1), round=2)])
    venue.station.desk.publish(2)
    roster.move(102, 0, "judge")  # its table is not needed any more
    venue.station.refresh()
    venue.drain()
    assert not nameless(venue.boards[1])
    assert console.run("close anyway") == ["close: asked of 2 tables"]
    venue.drain()
    venue.air.run(60_000)
    assert all(map(nameless, venue.boards))
    assert [board.match.phase for board in venue.boards] == [phases.IDLE] * 2


def test_names_on_their_way_stay_behind_when_the_event_closes(venue, console):
    board = venue.boards[0]
    board.sync.forget()  # it asks for them again
    sent, write = [], venue.air._write

    def first_name(address, frame):
        if frames.head(frame)[0] == frames.NAME and not sent:
            sent.append(console.run("close anyway"))
        write(address, frame)

    venue.air._doing["write"] = first_name
    venue.drain()
    venue.air.run(60_000)
    assert sent and board.match.phase == phases.IDLE and nameless(board)
