"""Two events of one program over one virtual air: a Station each, on a SharedRadio."""

import random

from tabletop import MASTER, Air, Tabletop

from firmware.core import frames, intents
from host.archive.roster import Board, Event, Format, Pairing, Player
from host.collector.shared_radio import SharedRadio
from host.desk.board_handing import Handing
from host.desk.station import Station

ORIGINS_MS = {"cup": 0, "league": 5_000_000}  # of their event times: the league's began before
NUMBERS = {"cup": 5, "league": 9}


class TwoEvents:
    """``cup`` has board 7 at table 1 and a spare, 8; ``league`` has no board. Both play a round."""

    def __init__(self, folder, loss=0.0, masters=(MASTER, MASTER)):
        self._folder = folder
        self.masters = dict(zip(NUMBERS, masters, strict=True))
        self.boards = {
            device: Tabletop(device, frames.board_key(MASTER, device, 1), random.Random(device))
            for device in (7, 8)
        }
        self.air = Air(None, list(self.boards.values()), loss=loss)
        self.open()
        for word, station in self.stations.items():
            self._fill(word, station.archive.roster)
            station.refresh()

    def _fill(self, word, roster):
        if word == "cup":
            roster.add_board(Board(7, 1, 1), 0)
            roster.add_board(Board(8, 1, 0), 0)
        roster.open_event(Event(NUMBERS[word], word.title(), 0))
        pair = Player("1", f"Ann {word}"), Player("2", f"Bo {word}")
        roster.store_round(1, Format(0, 3 << 1, 50), [Pairing(1, 1, 1, *pair)])

    def open(self, *words):
        self.stations = {
            word: Station(self._folder / f"{word}.db", self.masters[word])
            for word in words or NUMBERS
        }
        self.radio = SharedRadio()
        self.said = []
        self.shares = {
            word: self.radio.share(one.collector, self._clock(word), self.said.append)
            for word, one in self.stations.items()
        }
        self.handing = Handing(self.stations) if len(self.stations) > 1 else None
        for word, share in self.shares.items():
            self.radio.join(share)
            self.stations[word].collector.now_ms = share.now_ms()
        self.radio.set_radio_down(False, 0)
        self.air.collector = self.radio
        if self.handing:
            self.handing.complete()

    def _clock(self, word):
        return lambda: self.air.now_ms + ORIGINS_MS[word]

    def close(self):
        for board in self.boards.values():
            self.air.cut(board)
        for station in self.stations.values():
            station.close()

    def run(self, ms, until=lambda: False):
        return self.air.run(ms, until)

    def drain(self):
        """Run until every order is answered and every record is here."""

        def drained():
            waiting = any(board.sync.waiting for board in self.boards.values())
            stations = self.stations.values()
            idle = all(one.collector.idle and not one.archive.orders.pending for one in stations)
            return idle and not waiting

        assert self.run(300_000, drained), "it never drained"

    def play(self, word, device, seat=0):
        station, board = self.stations[word], self.boards[device]
        station.desk.publish(1)
        self.drain()
        station.desk.start(station.collector.now_ms + 121_000)
        self.drain()
        for one in (0, 1):
            assert board.ask(self.air.now_ms, intents.CONFIRM_SEAT, one)
        self.run(125_000)
        board.win(self.air.now_ms, seat)
        self.drain()

    def records(self, word, device):
        return self.stations[word].archive.records_of(device, 1)
