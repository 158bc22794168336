"""The whole firmware handed on between two events in the virtual venue, by one lossy radio."""

import asyncio

import pytest

from host.archive import master_key
from host.archive.roster import AWAY, Board, Event, Format, Pairing, Player
from host.audit import inspection
from host.collector.shared_radio import SharedRadio
from host.desk import board_swap
from host.desk.board_handing import Handing
from host.desk.station import Station
from host.sim.clock import VirtualLoop
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.venue import OPENED_UNIX_MS, Venue

SPARE, LEAGUE = 2, 9


class TwoHalls:
    """The cup's venue of one table and a spare, and the league's archive without a board."""

    def __init__(self, folder, seed):
        self.loop = VirtualLoop()
        air, programme = PureAir(self.loop, seed, 0.1), RandomProgramme(1, seed)
        self.venue = Venue(self.loop, air, folder / "cup.db", programme, seed, spares=1)
        self.cup = self.venue.station
        master = master_key.load(folder / "cup.db.key")
        self.league = Station(folder / "league.db", master)
        roster = self.league.archive.roster
        roster.open_event(Event(LEAGUE, "League", OPENED_UNIX_MS))
        pair = Player("1", "Ann Neri"), Player("2", "Bo Blu")
        roster.store_round(1, Format(0, 3 << 1, 50), [Pairing(1, 1, 4, *pair)])
        self.league.refresh()
        self.handing = Handing({"cup": self.cup, "league": self.league})
        radio, now_ms = SharedRadio(), self.venue.now_ms
        shares = [
            radio.share(one.collector, now_ms, lambda said: None) for one in (self.cup, self.league)
        ]
        carrier = air.carrier(radio, now_ms)
        self.tasks = [self.loop.create_task(one.run()) for one in (*shares, carrier)]

    def pass_time(self, seconds):
        self.loop.run_until_complete(asyncio.sleep(seconds))
        for task in self.tasks:
            assert not task.done(), task.result()

    def close(self):
        for task in self.tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*self.tasks, return_exceptions=True))
        self.venue.close()
        self.league.close()
        self.loop.close()


@pytest.mark.parametrize("seed", range(3))
def test_a_board_is_handed_on_and_seats_the_other_events_players(tmp_path, seed):
    halls = TwoHalls(tmp_path, seed)
    board = halls.venue.spares[SPARE]
    halls.pass_time(120)
    assert board.app.journal.event == 1
    halls.handing.hand_on(halls.cup, SPARE, "league", "Ada")
    halls.pass_time(60)
    assert board.app.journal.event == LEAGUE
    assert {one.device: one.table for one in halls.cup.archive.roster.boards}[SPARE] == AWAY
    board_swap.swap(halls.league, 4, SPARE, "Bea")
    halls.league.desk.publish(1)
    halls.pass_time(60)
    match = board.app.match
    assert (match.round, match.table) == (1, 4)
    assert board.app.face.table.names == ["Ann N.", "Bo B."]
    assert halls.league.hall.fold_at(4).match.round == 1 and not halls.league.hall.waiting
    for station, numbers in ((halls.cup, {0, 1}), (halls.league, {0, LEAGUE})):
        records = station.archive.records_of(SPARE, 1)
        assert {one.event for one in records} == numbers
        assert not inspection.inspect(station.archive, station.keyring).faults
    assert halls.cup.archive.roster.board_at(1) == Board(1, 1, 1), "the table's board stays"
    halls.close()
