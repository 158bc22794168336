"""What was asked in a transaction that came to nothing: no order of it is left anywhere."""

import sqlite3

import pytest

from firmware.core import intents
from host.archive.orders import NewOrder
from host.desk.acts.act import Staff
from host.desk.acts.room_acts import _each
from host.event.archive_view import ArchiveView

pytestmark = pytest.mark.archives

FIRST = intents.SetRound(0, 0, 0, 0)
FAILS_AT_2 = (
    "CREATE TEMP TRIGGER full BEFORE INSERT ON commands WHEN NEW.table_number = 2 "
    "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
)  # fmt: skip


def left(venue):
    """Return the orders that the host's memory holds and the archive does not."""
    scheduler, orders = venue.station.collector.orders, venue.archive.orders
    return [
        order
        for table in (1, 2)
        for order in scheduler.waiting(table)
        if orders.get(order.id) != order
    ]


def asked(venue):
    return [(order.table, order.kind, order.state) for order in venue.archive.orders.all]


@pytest.mark.venue(begun=True)
def test_an_act_undone_half_way_is_told_to_no_board_and_its_number_is_free_again(venue):
    before, archive = asked(venue), venue.archive
    with pytest.raises(RuntimeError), archive.transaction():
        (undone,) = venue.station.desk.freeze(1)
        raise RuntimeError("whatever it was")
    assert not left(venue)
    assert venue.station.desk.extend(2, 5) == [undone]
    venue.drain()
    assert [board.match.frozen_ms for board in venue.boards] == [None, None]
    assert asked(venue) == [*before, (2, intents.EXTEND, "done")]


@pytest.mark.archives(only="sqlite")
def test_a_round_published_or_started_half_way_leaves_no_order_of_any_table(venue):
    desk, start_ms = venue.station.desk, venue.air.now_ms + 121_000
    for act in (lambda: desk.publish(1), lambda: desk.start(start_ms)):
        before = asked(venue)
        venue.archive.write(FAILS_AT_2)
        with pytest.raises(sqlite3.IntegrityError):
            act()
        assert not left(venue) and asked(venue) == before
        venue.archive.write("DROP TRIGGER full")
        act()
        venue.drain()
    assert all(board.match.start_ms for board in venue.boards)


@pytest.mark.venue(begun=True)
@pytest.mark.archives(only="sqlite")
def test_an_act_on_the_whole_room_that_fails_at_one_table_is_done_at_none(venue):
    venue.archive.write(FAILS_AT_2)
    desk = venue.station.desk
    with pytest.raises(sqlite3.IntegrityError):
        _each(Staff(venue.station, "Ann"), [1, 2], desk.freeze)
    assert not left(venue) and not venue.archive.orders.pending
    assert not venue.station.collector.orders.waiting(1)


@pytest.mark.archives(only="sqlite")
def test_a_commit_that_fails_holds_nothing_open(venue):
    archive = venue.archive
    with pytest.raises(sqlite3.IntegrityError), archive.transaction():
        archive.write("PRAGMA defer_foreign_keys = ON")
        archive.write("INSERT INTO sends VALUES (1, 1, 1, 1, 4711)")
        venue.station.desk.publish(1)
    assert not archive.query("SELECT * FROM sends") and not archive.orders.all and not left(venue)
    venue.begin()
    with sqlite3.connect(venue.path) as other:
        assert other.execute("SELECT count(*) FROM records").fetchone()[0], (
            "later transactions reach the disk"
        )
    other.close()


def test_the_last_round_is_found_without_a_walk_over_all_orders_each_time(venue):
    orders, walks = venue.archive.orders, []
    select = venue.archive.select

    def counted(make, sql, *values):
        walks.extend([sql] * ("SELECT round" in sql))
        return select(make, sql, *values)

    venue.archive.select = counted
    assert [orders.last_round(intents.SET_ROUND) for _ in range(9)] == [None] * 9
    assert len(walks) == 1
    orders.add(NewOrder(2, 1, FIRST, "Ann"), 0)
    orders.add(NewOrder(1, 1, FIRST, "Ann"), 0)
    assert [orders.last_round(intents.SET_ROUND) for _ in range(9)] == [2] * 9
    assert len(walks) == 2


def test_the_last_round_is_never_one_that_was_undone_nor_an_older_one(venue):
    orders = venue.archive.orders
    with ArchiveView(venue.path) as view:
        assert orders.last_round(intents.SET_ROUND) is view.orders.last_round(FIRST.kind) is None
        with pytest.raises(RuntimeError), venue.archive.transaction():
            orders.add(NewOrder(1, 1, FIRST, "Ann"), 0)
            assert orders.last_round(intents.SET_ROUND) == 1
            raise RuntimeError("whatever it was")
        assert orders.last_round(intents.SET_ROUND) is None
        orders.add(NewOrder(3, 1, FIRST, "Ann"), 0)
        assert orders.last_round(intents.SET_ROUND) == view.orders.last_round(FIRST.kind) == 3
