"""The kill switch: at once, for a board that is away, one that plays later or is swapped in."""

import pytest
from fair import Fair
from lucky import Lucky
from tabletop import Venue

from firmware.core import intents, luck
from firmware.core.systems import xw15
from host.archive.orders import NewOrder
from host.archive.roster import Board
from host.desk import board_swap
from host.event import roll_policy
from host.server.console import Console

pytestmark = [pytest.mark.venue(of=Fair, begun=True), pytest.mark.archives]


def say(venue, line):
    (told,) = Console(venue.station, "Anna").run(line)
    assert told.startswith("luck: asked of"), told


def may_roll(board):
    return bool(board.match.phase) and luck.needs(board.match, 0, 1) == 0


def rolls(venue, board, a=16):
    return board.ask(venue.air.now_ms, intents.ROLL, a)


CARD = 32  # a coin for one; who is first is flipped for once


def test_a_table_and_the_hall_are_barred_at_once(venue):
    first, second = venue.boards
    assert may_roll(first) and rolls(venue, first)
    say(venue, "luck 1 barred")
    venue.drain()
    assert not may_roll(first) and may_roll(second)
    assert first.ask(venue.air.now_ms, intents.AGREE_ROLL, 0), (
        "what was rolled is still agreed or ruled"
    )
    assert first.ask(venue.air.now_ms, intents.AGREE_ROLL, 1)
    assert not rolls(venue, first) and not rolls(venue, first, CARD)
    say(venue, "luck all barred")
    venue.drain()
    assert not rolls(venue, second)
    say(venue, "luck all on")
    venue.drain()
    assert rolls(venue, first, CARD) and rolls(venue, second)


def test_a_board_out_of_reach_is_barred_when_it_is_heard_again_whatever_crashed(venue):
    board = venue.boards[0]
    venue.air.away.add("radio 101")
    venue.air.cut(board)
    say(venue, "luck all barred")
    venue.air.run(60_000)
    assert may_roll(board)
    venue.restart()
    board.boot(venue.air.now_ms)
    venue.air.away.clear()
    venue.drain()
    assert not may_roll(board)
    board.boot(venue.air.now_ms)
    assert board.match.policy == 4 and not may_roll(board), "a reset does not forget it"


def test_a_board_that_was_never_told_is_off_where_the_rules_say_so(tmp_path):
    official = Venue(tmp_path / "b.db", tables=1)
    official.begin()
    board = official.boards[0]
    for seat in (0, 1):
        board.ask(official.air.now_ms, intents.CONSENT, seat)
    assert board.match.policy == 0
    assert luck.needs(board.match, 0, 2) == luck.needs(board.match, 1, 1) == 1
    official.station.close()
    ships = Lucky(rules=xw15).begin()
    assert ships.roll(0x30) is None and ships.roll(0x40) is None
    assert luck.needs(ships.match, 0, 3) == 1


def test_the_halls_word_holds_for_a_table_that_plays_later(venue):
    archive = venue.archive
    assert roll_policy.switches_of(archive, 9) is None
    say(venue, "luck all barred")
    assert roll_policy.switches_of(archive, 9) == 4
    venue.drain()
    roster = archive.roster
    one = roster.pairings_of(1)[0]
    roster.store_round(2, roster.format_of(1), [type(one)(2, 1, 9, one.a, one.b)])
    made = [archive.orders.get(order) for order in venue.station.desk.publish(2)]
    assert [order.kind for order in made] == [
        intents.SET_ROUND, intents.SET_FORMAT, intents.SET_POLICY,
    ]  # fmt: skip
    assert made[2].a == 4


def test_a_newer_word_of_the_hall_ends_a_tables_own_and_leaves_its_sound(venue):
    sound, on = 8, roll_policy.WORDS["on"]
    intent = intents.SetPolicy(venue.air.now_ms, sound | on)
    venue.station.collector.add_order(NewOrder(1, 9, intent, "Anna", ""))
    venue.air.run(1000)
    roll_policy.announce(venue.archive, roll_policy.WORDS["barred"], "Anna", venue.air.now_ms)
    assert roll_policy.switches_of(venue.archive, 9) == sound | roll_policy.WORDS["barred"]


def test_a_tables_own_word_stands_against_an_older_one_of_the_hall(venue):
    say(venue, "luck all barred")
    venue.air.run(1000)
    say(venue, "luck 2 on")
    venue.drain()
    assert not may_roll(venue.boards[0]) and may_roll(venue.boards[1])
    assert roll_policy.switches_of(venue.archive, 2) == 1


def test_sound_and_the_like_stay_as_they_were(venue):
    venue.station.desk.set_policy(None, 8 | 2)
    venue.air.run(1000)
    say(venue, "luck all barred")
    venue.drain()
    assert {board.match.policy for board in venue.boards} == {12}


def test_the_pages_switch_leaves_sound_as_it_was(venue):
    Console(venue.station, "Anna").run("sound all on")
    venue.drain()
    venue.station.desk.set_policy(None, 1)
    venue.drain()
    assert {board.match.policy for board in venue.boards} == {9}
    venue.station.desk.set_policy(2, 0)
    venue.drain()
    assert [board.match.policy for board in venue.boards] == [9, 8]


def test_a_board_that_takes_a_barred_table_over_is_told_so_also_when_the_old_one_never_was(venue):
    venue.archive.roster.add_board(Board(103, 1, 0), 0)
    venue.station.refresh()
    venue.air.away.add("radio 101")
    say(venue, "luck 1 barred")
    made = board_swap.swap(venue.station, 1, 103, "Anna")
    orders = [venue.archive.orders.get(order) for order in made]
    assert [order.intent.switches for order in orders if order.kind == intents.SET_POLICY] == [4]


def test_a_board_that_joins_anew_is_told_again(venue):
    say(venue, "luck all barred")
    venue.drain()
    board = venue.boards[0]
    before = len(venue.archive.orders.all)
    # as one that was reset to nothing
    board.sync.join_event(intents.JoinEvent(0, 0, 0), venue.air.now_ms)
    board.ledger.restart(board.rules)
    assert not board.match.policy
    venue.air.run(20_000)
    told = [
        o
        for o in venue.archive.orders.all[before:]
        if o.kind == intents.SET_POLICY and o.table == 1
    ]
    assert [order.intent.switches for order in told] == [4]


def test_the_pages_switch_for_the_hall_holds_for_later_tables_too(venue):
    venue.station.desk.set_policy(None, 12)
    assert roll_policy.switches_of(venue.archive, 9) == 4
    venue.drain()
    assert not any(map(may_roll, venue.boards))
    assert Console(venue.station, "Anna").run("luck 1 maybe")[0].startswith("not done: 'maybe'")
