"""One radio for two events: whose a frame and a connection is, and what the adapter holds."""

import asyncio
import contextlib
import random
import sqlite3

import pytest
from tabletop import MASTER, Tabletop
from twoevents import TwoEvents

from firmware.core import frames
from host.archive.roster import Board
from host.collector.shared_radio import SharedRadio


@pytest.fixture
def two(tmp_path):
    found = TwoEvents(tmp_path)
    add(found, 9, 1)
    yield found
    found.close()


def add(two, device, table, master=MASTER):
    board = Tabletop(device, frames.board_key(master, device, 1), random.Random(device))
    two.stations["league"].archive.roster.add_board(Board(device, 1, table), 0)
    two.stations["league"].refresh()
    address = f"radio {device}" if f"radio {device}" not in two.air.boards else f"other {device}"
    two.air.boards[address] = two.boards[address] = board
    return board


def test_no_more_connections_than_the_adapter_holds_and_each_event_has_its_turn(two):
    two.radio.links = 1
    most, connected = 0, set()

    def look():
        nonlocal most
        taken = [board for board in two.boards.values() if board.open]
        most = max(most, len(taken))
        connected.update(board.device for board in taken)
        return False

    two.run(30_000, look)
    assert most == 1 and connected == {7, 8, 9}
    assert two.boards[7].journal.event == 5 and two.boards["radio 9"].journal.event == 9


def test_a_frame_goes_to_the_event_of_its_board_alone(two):
    two.drain()
    for word, own in (("cup", {7, 8}), ("league", {9})):
        collector = two.stations[word].collector
        assert collector.statuses.keys() == own and not collector.refused
        assert {one.device for one in two.stations[word].archive.records()} == own


def test_one_number_under_two_master_keys_is_told_apart(tmp_path):
    other = bytes(32)
    two = TwoEvents(tmp_path, masters=(MASTER, other))
    seven = add(two, 7, 1, other)
    two.drain()
    assert seven.journal.event == 9 and two.boards[7].journal.event == 5
    for station in two.stations.values():
        assert len(station.archive.records_of(7, 1)) > 3 and not station.collector.refused
    two.close()


def test_frames_of_nobody_are_counted(two):
    stranger = Tabletop(77, bytes(32), random.Random(1))
    two.radio.on_advert("radio 77", stranger.status(0), 0)
    for station in two.stations.values():
        assert station.collector.refused == {(None, "board"): 1}


def test_an_archive_that_cannot_be_written_ends_its_share_alone(two, monkeypatch):
    """The other event goes on, and the connections of the one that failed are ended."""

    async def run():
        radio = SharedRadio()
        radio.set_radio_down(False, 0)
        tasks = {}
        for word, station in two.stations.items():
            share = radio.share(station.collector, two.shares[word].now_ms, two.said.append)
            tasks[word] = asyncio.ensure_future(share.run())
        await asyncio.wait(tasks.values(), timeout=0)  # each takes part
        two.air.collector = radio
        two.run(5000, lambda: two.boards[7].open)

        def full(records):
            raise sqlite3.OperationalError("disk full")

        monkeypatch.setattr(two.stations["cup"].archive, "commit", full)
        two.run(20_000)
        with pytest.raises(sqlite3.OperationalError):
            await tasks["cup"]
        two.run(30_000)
        assert not tasks["league"].done() and two.boards["radio 9"].journal.event == 9
        assert not (two.boards[7].open or two.boards[8].open)
        tasks["league"].cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await tasks["league"]

    asyncio.run(run())
