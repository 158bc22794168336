"""XW15 squads from their lists to the tables: who decides the initiative, and mirror matches."""

import pytest
from escalation import Escalation, keep
from tabletop import Venue

from firmware.core import events, intents, luck
from host.desk import board_swap, pairing_changes

SPARE = 200

pytestmark = pytest.mark.venue(of=Escalation)


def decides(venue):
    return [luck.initiative(board.match) for board in venue.boards]


def test_the_rounds_order_goes_to_a_table_with_its_squads(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58), p2=("Scum", 60), p3=("scum ", 60))
    venue.publish(1)
    assert decides(venue) == [2, luck.TOSS]
    assert [board.match.squads for board in venue.boards] == [(60, 58), (60, 60)]
    assert [board.match.mirror for board in venue.boards] == [0, 1]
    assert venue.station.hall.fold_at(2).match.mirror == 1


def test_a_list_that_came_later_is_told_with_the_start(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58), p2=("Scum", 60))
    venue.publish(1)
    assert decides(venue) == [2, 0]
    keep(venue, p3=("Scum", 57))
    told = venue.station.desk.start(venue.station.collector.now_ms + 60_000)
    kinds = [venue.archive.orders.get(one).kind for one in told]
    assert kinds == [intents.SET_SQUADS, intents.SET_START, intents.SET_START]
    venue.drain()
    assert decides(venue) == [2, 2]


def test_who_is_paired_anew_has_other_squads(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58), p2=("Scum", 60), p3=("Scum", 55))
    venue.publish(1)
    change = pairing_changes.swap(venue.station, 1, "", "1", "2")
    pairing_changes.carry_out(venue.station, change, "Ann", 1)
    venue.drain()
    assert decides(venue) == [luck.TOSS, 2]


def test_seats_that_change_places_keep_their_squads(venue):
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58))
    venue.publish(1)
    board = venue.boards[0]
    assert board.ask(venue.air.now_ms, intents.CONFIRM_SEAT, 2)
    assert decides(venue)[0] == 2 and board.match.swapped


def test_another_system_has_no_squads(tmp_path):
    venue = Venue(tmp_path / "p18.db")
    keep(venue, p0=("Rebel", 60), p1=("Imperial", 58))
    told = venue.station.desk.publish(1)
    assert intents.SET_SQUADS not in {venue.archive.orders.get(one).kind for one in told}
    venue.station.close()


@pytest.fixture
def spare(venue):
    return venue.add_spare(SPARE)


def test_a_spare_is_told_whom_the_toss_chose(venue, spare):
    keep(venue, p2=("Scum", 60), p3=("Scum", 60))
    venue.publish(1)
    tossed = 2 | 1 << 2  # player 2 chose who has the initiative, player 1 the colours
    venue.boards[1].happen(events.RollAgreed(venue.air.now_ms, 1, luck.AGREED, tossed))
    venue.drain()
    board_swap.swap(venue.station, 2, SPARE, "judge")
    venue.drain()
    assert spare.match.table == 2 and spare.match.squads == (60, 60)
    assert spare.match.mirror == 1 and spare.match.tossed == tossed
    assert venue.station.hall.fold_at(2).match.tossed == tossed
    venue.station.desk.start(venue.station.collector.now_ms + 60_000)
    venue.drain()
    assert spare.match.tossed == tossed  # the same squads, told again, undo no toss


@pytest.mark.parametrize("swapped", (0, 1))
def test_a_spare_is_told_which_obstacle_is_next_and_whose(venue, spare, swapped):
    venue.publish(1)
    old, now_ms = venue.boards[1], venue.air.now_ms
    if swapped:
        assert old.ask(now_ms, intents.CONFIRM_SEAT, 2)
    for seat in (0, 0, 1):  # ▲ has the initiative; two lie on the table
        assert old.ask(now_ms, intents.PLACE_OBSTACLE, seat)
    venue.drain()
    board_swap.swap(venue.station, 2, SPARE, "judge")
    venue.drain()
    told = spare.match
    assert (told.obstacle, told.placing, told.swapped) == (3, 0, swapped)
    assert not spare.ask(now_ms, intents.PLACE_OBSTACLE, 1)
    assert spare.ask(now_ms, intents.PLACE_OBSTACLE, 0) and told.obstacle == 4
