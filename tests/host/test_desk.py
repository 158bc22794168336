"""The desk's acts are absolutes, kept before they are sent, and undone with their transaction; odd ones are asked about."""

import sqlite3
from dataclasses import replace

import pytest
from webclient import Browser

from firmware.core import intents
from host.archive.orders import NewOrder
from host.base.errors import UserError
from host.desk import paper_entry, rulings
from host.desk.acts.room_acts import _each
from host.desk.staff import Staff
from host.event import table_rows
from host.event.archive_view import ArchiveView
from host.event.incident_log import incidents

pytestmark = pytest.mark.archives

HOUR_MS = 3_600_000


def intent(venue, ids):
    return venue.archive.orders.get(ids[0]).intent


def test_a_round_is_told_once(venue):
    assert len(venue.station.desk.publish(1)) == 4
    assert venue.station.desk.publish(1) == []
    assert venue.station.desk.tables == [1, 2]


def numbers(ruling):
    """Return whom a ruling names, and the numbers of seat 0 and seat 1."""
    return ruling.outcome, ruling.first, ruling.second


def test_a_table_keeps_its_switches_from_round_to_round(venue):
    venue.begin()
    venue.station.desk.set_policy(1, 1)
    venue.drain()
    roster = venue.archive.roster
    roster.store_round(
        2, roster.format_of(1), [replace(one, round=2) for one in roster.pairings_of(1)]
    )
    told = [venue.archive.orders.get(one).intent for one in venue.station.desk.publish(2)]
    assert [one.switches for one in told if one.kind == intents.SET_POLICY] == [1]


def test_no_act_of_a_round_reaches_a_board_that_is_still_in_the_round_before(venue):
    venue.begin()
    roster = venue.archive.roster
    again = [replace(one, round=2) for one in roster.pairings_of(1)]
    roster.store_round(2, roster.format_of(1), again)
    venue.publish(2)  # as a file's round is, while both tables play
    assert {board.match.round for board in venue.boards} == {1}
    with pytest.raises(UserError, match="still in round 1: type that result from paper"):
        venue.station.desk.rule(1, "A", (2, 0), "Ada", "seen", final=True)
    venue.win(venue.boards[0])
    venue.drain()
    venue.publish(2)
    assert [board.match.round for board in venue.boards] == [2, 1]
    assert venue.station.desk.freeze(1)


def test_extensions_are_totals(venue):
    desk = venue.station.desk
    venue.begin()
    assert intent(venue, desk.extend(1, 5)).total_s == 300
    assert intent(venue, desk.extend(1, 3)).total_s == 480  # while the first is still on its way
    venue.drain()
    assert intent(venue, desk.extend(1, 2)).total_s == 600
    assert intent(venue, desk.extend(2, 1)).total_s == 60
    venue.drain()
    assert venue.station.hall.fold_at(1).match.extension_s == 600
    with pytest.raises(UserError, match="cannot have"):
        desk.extend(1, 1100)
    with pytest.raises(UserError, match="whole minutes"):
        desk.extend(1, 0)


def test_time_that_no_board_was_sent_is_taken_back(venue):
    desk = venue.station.desk
    venue.begin()
    with pytest.raises(UserError, match="no time that could be taken back"):
        desk.extend(1, -2)
    (order,) = desk.extend(1, 8)
    assert desk.extend(1, -8) == [] and desk.extension_s(1) == 0
    assert venue.archive.orders.get(order).state == "dropped"
    desk.extend(1, 8)
    assert intent(venue, desk.extend(1, -4)).total_s == 240 and desk.extension_s(1) == 240
    venue.drain()
    assert venue.boards[0].match.extension_s == 240


def test_less_time_is_asked_of_a_board_that_has_it_and_a_refusal_leaves_it_as_it_was(venue):
    desk = venue.station.desk
    venue.begin()
    desk.extend(1, 8)
    venue.drain()
    (order,) = desk.extend(1, -4)
    assert venue.archive.orders.get(order).intent.total_s == 240
    venue.drain()
    held_s = venue.boards[0].match.extension_s
    assert desk.extension_s(1) == held_s
    assert (venue.archive.orders.get(order).state == "done") == (held_s == 240)


def test_a_refused_extension_does_not_count(venue):
    desk = venue.station.desk
    venue.begin()
    venue.win(venue.boards[0])
    order = desk.extend(1, 5)[0]  # the host has not heard yet that it is over
    venue.drain()
    assert venue.archive.orders.get(order).state == "refused"
    assert desk.extension_s(1) == 0
    with pytest.raises(UserError, match="table 1 has its result"):
        desk.extend(1, 3)


def test_a_result_from_paper_bars_acts_at_its_own_table_alone(venue):
    roster = venue.archive.roster
    first, second = roster.pairings_of(1)
    roster.replace_pairings(1, [replace(first, table=2), replace(second, table=1)])
    venue.begin()
    paper_entry.enter(Staff(venue.station, "Ada"), 1, "A", (2, 0), "slip", sure=True)
    with pytest.raises(UserError, match="table 1 has its result"):
        venue.station.desk.extend(1, 3)
    assert venue.station.desk.extend(2, 3)


def test_late_stamps_add_up_and_can_be_taken_back(venue):
    desk = venue.station.desk
    venue.begin()
    assert intent(venue, desk.stamp_late(1, "A")).seats == 1
    assert intent(venue, desk.stamp_late(1, "B")).seats == 3
    assert intent(venue, desk.stamp_late(1, "-")).seats == 0


def test_freeze_and_resume_name_their_instants(venue):
    desk = venue.station.desk
    venue.begin()
    left_ms = venue.station.hall.fold_at(1).match.remaining_ms(venue.air.now_ms)
    frozen_ms = intent(venue, desk.freeze(1)).at_ms
    venue.air.run(60_000)
    resumed_ms = intent(venue, desk.resume(1)).at_ms
    venue.drain()
    assert resumed_ms - frozen_ms == 60_000
    assert venue.station.hall.fold_at(1).match.remaining_ms(resumed_ms) == left_ms


def test_acts_are_attributed(venue):
    venue.begin()
    order = venue.station.desk.freeze(1, author="Ann", reason="deck check")[0]
    kept = venue.archive.orders.get(order)
    assert (kept.author, kept.reason, kept.kind) == ("Ann", "deck check", intents.FREEZE)


def test_a_rule_asks_both_seats_unless_it_is_final(venue):
    desk = venue.station.desk
    desk.publish(1)
    assert numbers(intent(venue, desk.rule(1, "B", (1, 2)))) == (2, 1, 2)
    ruled = intent(venue, desk.rule(1, "tie", final=True))
    assert (ruled.outcome, ruled.final) == (3, 1)


def test_acts_name_players_as_they_were_paired_wherever_they_sit(venue):
    desk = venue.station.desk
    desk.publish(1)
    venue.drain()
    assert venue.boards[0].ask(venue.air.now_ms, intents.CONFIRM_SEAT, 2)
    venue.drain()
    assert intent(venue, desk.stamp_late(1, "A")).seats == 2
    assert numbers(intent(venue, desk.rule(1, "A", (2, 1)))) == (2, 1, 2)
    assert numbers(intent(venue, desk.rule(1, "tie", (1, 1)))) == (3, 1, 1)
    adjusted = intent(venue, desk.set_penalties(1, (1, 0)))
    assert (adjusted.first, adjusted.second) == (0, 1)
    assert numbers(intent(venue, desk.rule(2, "A", (2, 1)))) == (1, 2, 1)
    row = table_rows.rows(
        venue.archive, venue.station.hall, venue.station.collector, 1, venue.air.now_ms
    )[0]
    assert row.notes[-1] == "seats changed"


def test_a_round_does_not_start_now(venue):
    venue.station.desk.publish(1)
    with pytest.raises(UserError, match="time to come"):
        venue.station.desk.start(venue.station.collector.now_ms)


def test_boards_that_refuse_the_hosts_time_take_it_when_the_desk_means_it(venue):
    venue.begin()
    board = venue.boards[0]
    board.timebase.offset_ms += HOUR_MS  # as when this PC's clock is an hour behind what it was
    venue.station.collector.identify(board.device, 1)  # any reason for a link
    venue.air.run(30_000)
    assert board.sync.time_refused
    assert board.now_ms(venue.air.now_ms) > venue.air.now_ms + HOUR_MS / 2
    order = venue.station.desk.trust(1, author="Ann")[0]
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert not board.sync.time_refused
    assert abs(board.now_ms(venue.air.now_ms) - venue.air.now_ms) < 1000


def test_a_game_loss_is_given_with_its_reason_and_stands_in_the_log(venue):
    desk, board = venue.station.desk, venue.boards[0]
    venue.begin()
    with pytest.raises(UserError, match="reason"):
        desk.lose_game(1, "A", "Ada")
    [order] = desk.lose_game(1, "A", "Ada", "illegal deck")
    venue.drain()
    assert venue.archive.orders.get(order).state == "done"
    assert board.match.score == (0, 1) and board.match.won == 1
    told = [(one.what, one.numbers[0], one.author, one.reason) for one in incidents(venue.archive)]
    assert told == [("game_loss", 0, "Ada", "illegal deck")]


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


SWISS3, CUT3, SWISS1, CUT1 = 3 << 1, 3 << 1 | 1, 1 << 1, 1 << 1 | 1
CANNOT = [(SWISS3, "A", (0, 2)), (SWISS3, "tie", (2, 0)), (SWISS3, "B", (2, 1)),
          (SWISS3, "tie", (9, 9)), (SWISS3, "A", (3, 0)),
          (SWISS3, "A", (2, 2)), (CUT3, "tie", (1, 1)), (CUT1, "tie", (0, 0)),
          (SWISS1, "A", (0, 1)), (SWISS1, "A", (2, 0))]  # fmt: skip
ODD = [(SWISS3, "B", (0, 0)), (SWISS3, "A", (0, 1)), (CUT3, "A", (1, 1)), (SWISS3, "tie", (1, 0))]
PLAIN = [(SWISS3, "A", (1, 0)), (SWISS3, "A", (2, 1)), (SWISS3, "tie", (0, 0)),
         (SWISS3, "tie", (1, 1)), (SWISS1, "B", (0, 0)), (SWISS1, "tie", (0, 0)),
         (CUT1, "A", (1, 0))]  # fmt: skip


@pytest.mark.parametrize("told", CANNOT)
def test_what_cannot_be_is_refused_in_one_sentence(told):
    with pytest.raises(UserError):
        rulings.check(*told, told[0] >> 1 & 3)


@pytest.mark.parametrize("told", ODD + PLAIN)
def test_what_the_rules_allow_is_allowed_and_only_the_odd_is_asked_about(told):
    rulings.check(*told, told[0] >> 1 & 3)
    assert bool(rulings.question(*told, told[0] >> 1 & 3)) == (told in ODD)


@pytest.mark.venue(begun=True)
def test_the_page_refuses_and_asks(venue, service):
    judge = Browser(service, "judge")
    told = {"table": 1, "final": True, "reason": "seen"}
    for outcome, games in (("A", [0, 2]), ("tie", [2, 0]), ("tie", [9, 9])):
        answer = judge.act("rule", outcome=outcome, games=games, **told)
        assert answer.status == 409 and answer.json["error"]
    asked = judge.act("rule", outcome="B", games=[0, 0], **told)
    assert asked.json["orders"] == [] and "concession" in asked.json["ask"]
    assert not service.archive.orders.pending
    assert judge.act("rule", outcome="B", games=[0, 0], sure=True, **told).json["orders"]
    venue.drain()
    assert venue.station.hall.results(1)[1].outcome == "B"


@pytest.mark.venue(begun=True)
def test_without_games_the_tables_own_count(venue, console):
    from firmware.core import intents

    board = venue.boards[0]
    assert board.ask(venue.air.now_ms, intents.SET_STARTER, 0)
    assert board.ask(venue.air.now_ms, intents.WIN_GAME, 1)
    venue.drain()
    assert "●" not in console.run("rule 1 B time was called")[0]
    order = venue.archive.orders.all[-1]
    assert order.intent == intents.RuleResult(order.at_ms, 2, 0, 0, 0, 1)
    assert order.reason == "time was called"


@pytest.mark.venue(begun=True)
def test_typed_it_is_refused_and_asked_alike(venue, console):
    before = len(venue.archive.orders.all)
    assert "cannot be" in console.run("rule 1 tie 9 9 final")[0]
    assert "has won" in console.run("rule 1 A 0 2 final")[0]
    assert "sure" in console.run("rule 1 B 0 0 final left")[0]
    assert len(venue.archive.orders.all) == before
    console.run("rule 1 B 0 0 final sure left")
    assert venue.archive.orders.all[-1].reason == "left"
