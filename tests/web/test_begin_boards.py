"""Boards that are on before there is an event wait, and are given round 1."""

import random

import pytest
from tabletop import MASTER, Air, Tabletop
from webclient import Browser, office_of

from firmware.core import frames
from host.archive.roster import Board
from host.desk.station import Station
from host.tournament.rule_packs import shipped_packs


class Room:
    """A Station without an event, and two boards on the air."""

    def __init__(self, path):
        self.station = Station(path, MASTER)
        self.station.planned_origin_unix_ms = 1_790_000_000_000
        self.boards = [
            Tabletop(100 + n, frames.board_key(MASTER, 100 + n, 1), random.Random(n))
            for n in (1, 2)
        ]
        for n, board in enumerate(self.boards, 1):
            self.station.archive.roster.add_board(Board(board.device, 1, n), 0)
        self.station.refresh()
        self.air = Air(self.station.collector, self.boards)


@pytest.fixture
def room(tmp_path):
    made = Room(tmp_path / "a.db")
    yield made
    made.station.close()


def test_boards_wait_for_the_event_and_take_its_first_round(room):
    service = office_of(room, packs=shipped_packs())
    ada = Browser(service, "organiser")
    room.air.run(20_000)
    service.change_feed.step(room.air.now_ms)
    assert len(ada.get("/api/state").json["boards"]) == 2
    cup = {"name": "Cup", "format": "p18 bo1 constructed 30", "pack": "Pokémon Swiss, 3-1-0"}
    assert ada.act("begin", **cup, players="Ada\nUgo\nZoe\nBo").status == 200
    room.air.run(60_000)
    assert ada.act("draw_first").status == 200
    assert ada.act("publish", round=1).status == 200
    room.air.run(120_000, lambda: all(board.match.round == 1 for board in room.boards))
    assert [board.match.table for board in room.boards] == [1, 2]
    assert room.station.unix_ms == 1_790_000_000_000 + room.station.collector.now_ms
