"""What a whole event leaves in the host's memory."""

import pathlib
import random
import sys

import pytest
from forger import blocks
from tabletop import EVENT, MASTER, Tabletop, Venue
from webclient import KEY

from firmware.core import events, frames, intents, seeds
from host.archive.roster import Format, Pairing, Player
from host.sim import stored_records
from host.web import views
from host.web.desk_service import DeskService
from host.web.sessions import Sessions
from host.web.streams import Listener

ROUND_MS, BEGIN_MS = 70 * 60_000, 7_200_000
MINUTES, CALLED = 50, 5  # minutes of a round; one table in so many calls a judge
_SIZE = 24


def start_ms(number):
    return BEGIN_MS + number * ROUND_MS


class DayScript:
    """``rounds`` rounds at ``tables`` tables, each of some 75 records, as one file of batches."""

    def __init__(self, path, tables, rounds):
        self.path, self.tables, self.rounds = path, tables, rounds
        self._places = {}  # (round, part, device) -> (offset, size)
        with open(path, "wb") as file:
            for device in range(101, 101 + tables):
                self._live(file, device)
        self.records = path.stat().st_size // _SIZE

    def _live(self, file, device):
        board = Tabletop(device, frames.board_key(MASTER, device, 1), random.Random(device))
        board.happen(events.EventJoined(BEGIN_MS, EVENT, 0))
        told = 0
        for number in range(1, self.rounds + 1):
            for part, play in enumerate(PARTS):
                play(board, device - 100, number)
                first = board.journal.ring.oldest
                records = [record for _, record in stored_records.walk(board.journal.ring, first)][
                    told:
                ]
                told += len(records)
                self._places[number, part, device] = file.tell(), len(records)
                file.write(b"".join(records))

    def batch(self, number, part, device):
        offset, count = self._places[number, part, device]
        with open(self.path, "rb") as file:
            file.seek(offset)
            raw = file.read(count * _SIZE)
        return [raw[at : at + _SIZE] for at in range(0, len(raw), _SIZE)]


def _sit(board, table, number):
    at_ms = start_ms(number) - 300_000
    board.happen(
        events.RoundSet(at_ms, number, table, table), events.FormatSet(at_ms, 0, 3 << 1, MINUTES)
    )
    board.happen(
        *(
            seeds.seed_event(part, bytes([part, number, table % 256] + [7] * 5))
            for part in (4, 5, 6, 7, 0, 1, 2)
        )
    )
    board.happen(events.StartSet(start_ms(number)))
    for seat in (0, 1):
        board.happen(*board.match.decide(intents.ConfirmSeat(at_ms + 1000, seat), at_ms + 1000))


def _play(board, table, number):
    for minute in range(1, MINUTES):
        at_ms = start_ms(number) + minute * 60_000
        board.happen(*board.match.decide(intents.Tick(at_ms), at_ms))
        board.happen(events.Clock(at_ms, (MINUTES - minute) * 60))
        if minute == 20 and table % CALLED == number % CALLED:
            board.happen(events.JudgeCalled(at_ms, 1), events.JudgeArrived(at_ms + 60_000))
            board.happen(
                events.CallEnded(at_ms + 240_000), events.Extended(at_ms + 250_000, 0, 240)
            )


def _end(board, table, number):
    at_ms = start_ms(number) + 55 * 60_000
    won = 1 + (table + number) % 2
    games = (2, table % 2) if won == 1 else (number % 2, 2)
    board.happen(*board.match.decide(intents.Tick(at_ms), at_ms))
    ruling = intents.RuleResult(at_ms, won, 0, 1, *games)
    board.happen(*board.match.decide(ruling, at_ms))
    board.happen(events.RoundCleared(at_ms + 60_000))


PARTS = (_sit, _play, _end)


PAGES = 50
STATUS_MS = 30_000
# what a table's round may leave behind: its Result, and which commitment it made; a few tables
# carry more of the whole
BLOCKS_A_TABLE = 25
MIB = 1 << 20


class Host:
    """The host with its pages, fed from a DayScript; its boards are gone."""

    def __init__(self, path, script):
        self._script, venue = script, Venue(path, script.tables)
        self.station, self.now_ms = venue.station, start_ms(0)
        self.service = DeskService(self.station, Sessions(KEY, False), lambda: self.now_ms)
        self._listeners, self.seen = [], 0

    def round(self, number):
        """Live through a round: publish it, hear it, close it."""
        if number > 1:
            self._store(number)
        self._come_and_go()
        self.station.desk.publish(number)
        for part in range(len(PARTS)):
            for device in range(101, 101 + self._script.tables):
                self.now_ms = start_ms(number) + part * 1000 + device
                self._hear(number, part, device)
            self._settle()
        for _ in range(20):
            self.now_ms += STATUS_MS
            self._look()
        assert len(self.station.hall.results(number)) == self._script.tables

    def _store(self, number):
        tables, roster = self._script.tables, self.station.archive.roster
        players = [Player(str(at), f"Given{at} Family") for at in range(2 * tables)]
        turned = players[number:] + players[:number]
        pairings = [
            Pairing(number, at + 1, at + 1, turned[2 * at], turned[2 * at + 1])
            for at in range(tables)
        ]
        roster.store_round(number, Format(0, 3 << 1, 50), pairings)
        self.station.refresh()

    def _hear(self, number, part, device):
        collector = self.station.collector
        for record in self._script.batch(number, part, device):
            collector.on_advert(f"radio {device}", record, self.now_ms)
        collector.poll(self.now_ms)
        self._look()

    def _settle(self):
        with self.station.archive.transaction():
            for order in self.station.archive.orders.pending:
                self.station.archive.orders.drop(order.id)
        self.station.collector.refresh()

    def _look(self):
        """Pages are told what is new; one in ten never reads."""
        self.seen += self.service.change_feed.step(self.now_ms)
        for number, one in enumerate(self._listeners):
            if number % 10:
                one.take(lambda view=one.view: self.service.change_feed.message(view, self.now_ms))

    def _come_and_go(self):
        streams = self.service.change_feed.streams
        for one in self._listeners:
            streams.remove(one)
        self._listeners = [
            Listener(1, view, lambda: None)
            for view in views.VIEWS
            for _ in range(PAGES // len(views.VIEWS))
        ]
        for one in self._listeners:
            streams.join(one)


def resident_bytes():
    """Return how much memory the system gives this process, 0 where it does not tell."""
    told = pathlib.Path("/proc/self/statm")
    return int(told.read_text("ascii").split()[1]) * 4096 if told.exists() else 0


@pytest.mark.skipif(sys.implementation.name != "cpython", reason="counts CPython's blocks")
def test_an_event_grows_on_the_disk_and_not_in_memory(tmp_path, printed, proving, progress):
    tables, rounds, full, limit = (
        (200, 9, 3, BLOCKS_A_TABLE) if proving else (12, 7, 4, 3 * BLOCKS_A_TABLE)
    )
    script = DayScript(tmp_path / "day.bin", tables, rounds)
    host, held = Host(tmp_path / "a.db", script), []
    for number in range(1, rounds + 1):
        host.round(number)
        held.append((blocks(), resident_bytes()))
        progress(f"round {number}: {held[-1][0]} blocks, {held[-1][1] / MIB:.1f} MiB")
    # by then queues and caches are full, which happens once
    settled, (last, bytes_last) = (held[full - 1], held[-1])
    left = (last - settled[0]) / (tables * (rounds - full))
    stored = host.station.archive.query("SELECT count(*) FROM records")[0][0]
    calls = sum(
        table % CALLED == number % CALLED
        for table in range(1, tables + 1)
        for number in range(1, rounds + 1)
    )
    host.station.close()
    assert stored == script.records
    printed(
        f"web desk: an event of {rounds} rounds at {tables} tables, {PAGES} pages",
        [f"{stored} records, {calls} calls, {tables * rounds} results, {host.seen} changed parts told to pages",
         f"memory after round {full}: {settled[1] / MIB:.1f} MiB, after round {rounds}: {bytes_last / MIB:.1f} MiB",
         f"left behind by a table's round: {left:.1f} objects of {stored / tables / rounds:.0f} records (limit {limit})"],
    )  # fmt: skip
    assert left < limit
