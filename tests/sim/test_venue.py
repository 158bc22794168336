"""Evenings in the venue: they end, they repeat, and the audit sees what is wrong with one."""

import asyncio

import pytest

from firmware.core import frames, intents
from host.archive import master_key
from host.archive.roster import AWAY, Board, Event, Format, Pairing, Player
from host.audit import inspection
from host.collector.shared_radio import SharedRadio
from host.desk import board_swap
from host.desk.board_handing import Handing
from host.desk.station import Station
from host.keys import signatures
from host.sim import clock
from host.sim.clock import VirtualLoop
from host.sim.evening import Evening, percentile
from host.sim.people import SEATING
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.table import Tap
from host.sim.venue import OPENED_UNIX_MS, Venue


def held(path, meddle=lambda evening: None, tables=3, seed=4, loss=0.2):
    """Hold an evening of one round and return its Facts."""

    async def main():
        loop = asyncio.get_running_loop()
        evening = Evening(
            loop, PureAir(loop, seed, loss), path, RandomProgramme(tables, seed), seed
        )
        meddle(evening)
        try:
            return await evening.play([1])
        finally:
            evening.venue.close()

    return clock.run(main())


def test_a_round_is_played_by_keys_alone_and_archived(tmp_path):
    seen = held(tmp_path / "a.db")
    assert seen.sound and seen.archived == seen.expected == 3
    assert seen.clock_errors_ms and len(seen.starts_ms[1]) == 3 and seen.last_results_s


def test_who_has_no_key_left_to_turn_the_names_round_changes_chairs(tmp_path):
    """The seats were taken the wrong way round, and the board answered nothing until the round
    began.
    """

    def meddle(evening):
        table = evening.venue.tables[1]
        press = table.press

        def turned(one):
            app = one.app
            if one.face.screen in SEATING and not app.match.swapped:
                app._ask(intents.ConfirmSeat(0, 2), app.timebase.now_ms(one.board.clock.now_ms()))

        table.changed.append(turned)
        table.press = lambda *push: table.face.screen in SEATING or press(*push)

    seen = held(tmp_path / "a.db", meddle)
    assert seen.sound and seen.archived == seen.expected == 3


def test_the_audit_sees_a_result_that_nobody_played(tmp_path):
    def meddle(evening):
        def cheat(table):
            if table.face.screen in ("agreed", "not_sent"):
                evening.people[2].truth.games = [0, 0]

        evening.venue.tables[2].changed.append(cheat)

    seen = held(tmp_path / "a.db", meddle)
    assert not seen.sound
    assert [one for one in seen.violations if one.startswith("table 2: archived")]


def test_the_audit_sees_a_clock_that_lies(tmp_path):
    def meddle(evening):
        board = evening.venue.tables[1].board
        board.clock.drift(2000)  # ppm, far beyond what its settings declare

    seen = held(tmp_path / "a.db", meddle, tables=1)
    assert [one for one in seen.violations if "clock off by" in one]


def test_a_program_that_crashes_ends_the_evening(tmp_path):
    class Broken(Exception):
        pass

    def meddle(evening):
        def fail():
            raise Broken

        evening.venue.tables[1].board.keys.poll = fail

    with pytest.raises(Broken):
        held(tmp_path / "a.db", meddle)


def test_the_tap_notes_a_number_used_twice():
    class Wire:
        sent = []

        def send(self, frame):
            self.sent.append(frame)
            return True

    def frame(kind, counter, payload):
        return signatures.sign(b"k" * 32, kind, 7, 1, counter, payload)

    tap = Tap(Wire())
    tap.send(frame(20, 5, bytes(9)))
    tap.send(frame(20, 5, bytes(9)))  # the same again is no second use
    tap.send(frame(frames.TIME_ASKED, 5, bytes(9)))  # another stream
    assert not tap.reused
    tap.send(frame(20, 5, b"other one"))
    assert tap.reused == [(True, 1, 5)] and len(Wire.sent) == 4


def test_the_tap_notes_a_number_that_goes_back():
    class Wire:
        def advertise(self, frame, welcome):
            pass

    def frame(counter, payload=bytes(9)):
        return signatures.sign(b"k" * 32, frames.STATUS, 7, 1, counter, payload)

    late = Tap(Wire())
    for counter in (3, 2, *range(4, 40)):  # signed earlier, sent later
        late.advertise(frame(counter))
    assert not late.reused and late.signed == 38
    tap = Tap(Wire())
    for counter in range(2, 100):
        tap.advertise(frame(counter))
        tap.advertise(frame(counter - 1 if counter > 2 else counter))  # repeated
    assert not tap.reused and tap.signed == 98
    tap.advertise(frame(99, b"other one"))
    tap.advertise(frame(1))
    assert tap.reused == [(False, 1, 99), (False, 1, 1)]


def test_percentiles_are_ranks():
    assert percentile([], 99) == 0
    assert percentile([3, 1, 2], 50) == 2
    assert percentile(range(1, 101), 99) == 99


def test_a_board_pays_for_every_tag():
    paid = []

    class Link:
        heard = [bytes(24), None]

        def advertise(self, frame, welcome=True):
            pass

        def receive(self):
            return self.heard.pop(0)

    tap = Tap(Link(), lambda price, times=1: paid.append((price, times)))
    signed = bytes([66]) + bytes(23)
    tap.advertise(signed)
    tap.advertise(signed)
    assert tap.receive() and tap.receive() is None
    assert paid == [("hmac_us", 1), ("hmac_us", 2)]


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
