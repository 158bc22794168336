"""The desk knows which boards listen to the beacon: from what they say, and from their journals."""

import json

import pytest
from commands import plusthree

from firmware.core import events, frames, intents
from host.event import table_rows

pytestmark = pytest.mark.venue(seed=3, begun=True)


def lines(venue):
    told = table_rows.board_lines(venue.station.collector)
    return [line for line in told if "listens to the beacon" in line]


def test_a_board_that_asks_for_the_chain_listens(venue):
    board = venue.boards[0]
    frame = board.sync.status_frame(board.match, frames.ANCHOR_WANTED, venue.air.now_ms)
    assert not lines(venue)
    venue.station.collector.on_advert(None, frame, venue.air.now_ms)
    (line,) = lines(venue)
    assert line.startswith(f"board {board.device} ")


def test_one_that_has_answered_the_beacon_is_known_after_a_restart_and_in_status(venue, capsys):
    board = venue.boards[1]
    answer = events.Answered(venue.air.now_ms, 0, 9, intents.SET_START, 1)
    board.happen(answer)
    venue.drain()
    assert len(lines(venue)) == 1
    venue.restart()
    assert len(lines(venue)) == 1
    venue.station.close()
    assert plusthree("show", "status", venue.path, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert "one board takes its start from the beacon" in told["said"]
