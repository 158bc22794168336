"""The desk's acts are absolutes, kept before they are sent."""

from dataclasses import replace

import pytest

from firmware.core import intents
from host.base.errors import UserError
from host.desk import paper_entry
from host.event import table_rows
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
    paper_entry.enter(venue.station, 1, "A", (2, 0), "Ada", "slip", sure=True)
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
