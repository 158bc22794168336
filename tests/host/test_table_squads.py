"""XW15 squads from their lists to the tables: who decides the initiative, and mirror matches."""

import pytest
from tabletop import Tabletop, Venue

from firmware.core import intents, luck
from firmware.core.systems import xw15
from host.desk import pairing_changes
from host.event import squad_lists
from host.event.squad_lists import SquadList


class Escalation(Venue):
    """Two X-Wing tables and their players 0 to 3."""

    system = xw15.NUMBER

    def _fill(self, tables):
        for board in self.boards:
            board.rules = xw15
            board.match = Tabletop(1, bytes(32), board._luck, xw15).match
        super()._fill(tables)


def keep(venue, **totals):
    """Keep a list of a player: ``p0=("Rebel", 60)`` has that total in every round."""
    lists = {
        number[1:]: SquadList(faction, ((total - 20, 20),) * 4)
        for number, (faction, total) in totals.items()
    }
    squad_lists.store(venue.archive, lists, "Olga", 1, begun=False)


@pytest.fixture
def venue(tmp_path):
    made = Escalation(tmp_path / "a.db")
    yield made
    made.station.close()


def decides(venue):
    """Who decides at each table, as its board says."""
    return [luck.initiative(board.match) for board in venue.boards]


def test_the_rounds_order_goes_to_a_table_with_its_squads(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58), p2=("Scum", 60), p3=("scum ", 60))
    venue.station.desk.publish(1)
    venue.drain()
    assert decides(venue) == [2, luck.TOSS]
    assert [board.match.squads for board in venue.boards] == [(60, 58), (60, 60)]
    assert [board.match.mirror for board in venue.boards] == [0, 1]
    assert venue.station.hall.fold_at(2).match.mirror == 1


def test_a_list_that_came_later_is_told_with_the_start(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58), p2=("Scum", 60))
    venue.station.desk.publish(1)
    venue.drain()
    assert decides(venue) == [2, 0]
    keep(venue, p3=("Scum", 57))
    told = venue.station.desk.start(venue.station.collector.now_ms + 60_000)
    kinds = [venue.archive.orders.get(one).kind for one in told]
    assert kinds == [intents.SET_SQUADS, intents.SET_START, intents.SET_START]
    venue.drain()
    assert decides(venue) == [2, 2]


def test_who_is_paired_anew_has_other_squads(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58), p2=("Scum", 60), p3=("Scum", 55))
    venue.station.desk.publish(1)
    venue.drain()
    pairing_changes.change_pairing(venue.station, 1, 1, "0", "2", "Ann", 1)
    venue.drain()
    assert decides(venue) == [luck.TOSS, 2]


def test_seats_that_change_places_keep_their_squads(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58))
    venue.station.desk.publish(1)
    venue.drain()
    board = venue.boards[0]
    assert board.ask(venue.air.now_ms, intents.CONFIRM_SEAT, 2)
    assert decides(venue)[0] == 2 and board.match.swapped


def test_another_system_has_no_squads(tmp_path):
    venue = Venue(tmp_path / "p18.db")
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58))
    told = venue.station.desk.publish(1)
    assert intents.SET_SQUADS not in {venue.archive.orders.get(one).kind for one in told}
    venue.station.close()
