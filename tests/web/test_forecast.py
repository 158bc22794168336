"""When a round will end and what a call has cost: sums that anybody can check by hand."""

import pytest
from webclient import Browser, office_of

from firmware.core import intents, phases
from host.event import call_minutes
from host.web import forecast
from host.web.forecast import Expected

pytestmark = pytest.mark.venue(begun=True)

MIN = 60_000
ZERO = 50 * MIN


class Table:
    """As much of a match as an estimate reads."""

    start_ms, zero_ms, frozen_ms, extension_s, overtime, turn = 0, ZERO, None, 0, (3, 0), 0
    missing = confirmed = needs_approval = claimed = 0

    def __init__(self, phase=phases.PLAYING, **state):
        self.phase = phase
        vars(self).update(state)


@pytest.mark.parametrize("table, now_ms, expected", [
    (Table(), 10 * MIN, (ZERO + 4.5 * MIN, "playing")),
    (Table(extension_s=300, zero_ms=ZERO + 5 * MIN), 10 * MIN, (ZERO + 9.5 * MIN, "extension")),
    (Table(phases.FROZEN, frozen_ms=8 * MIN), 10 * MIN, (ZERO + 6.5 * MIN, "frozen")),
    (Table(phases.TIME), ZERO + 2 * MIN, (ZERO + 6.5 * MIN, "waiting")),
    (Table(phases.OVERTIME, turn=2), ZERO + 5 * MIN, (ZERO + 8.5 * MIN, "overtime")),
    (Table(phases.OVERTIME, turn=9), ZERO + 5 * MIN, (ZERO + 7.5 * MIN, "overtime")),
    (Table(phases.RESOLVING, missing=phases.PRIZES), ZERO + 5 * MIN, (ZERO + 6.5 * MIN, "result")),
    (Table(phases.PROPOSED), ZERO + 5 * MIN, (ZERO + 6.5 * MIN, "result")),
    (Table(phases.RESOLVING), ZERO + 5 * MIN, (ZERO + 10 * MIN, "judge")),
    (Table(phases.PROPOSED, confirmed=3, needs_approval=1), ZERO + 5 * MIN, (ZERO + 10 * MIN, "judge")),
    (Table(overtime=(3, 900)), 10 * MIN, (ZERO + 16.5 * MIN, "playing")),
    (Table(start_ms=None), 0, None),
    (None, 0, None),
])  # fmt: skip
def test_a_tables_end_is_reckoned_from_what_its_board_said(table, now_ms, expected):
    assert forecast.expected_end(table, now_ms) == expected


@pytest.mark.parametrize("table", [None, Table(start_ms=None)])
@pytest.mark.parametrize(("board", "why"), [(True, "unheard"), (False, "paper")])
def test_a_table_that_tells_nothing_ends_with_the_room(table, board, why):
    for now_ms, end_ms in ((10, ZERO), (ZERO - 1, ZERO), (ZERO, ZERO + 1.5 * MIN)):
        assert forecast.expected_end(table, now_ms, ZERO, board) == (end_ms, why)
    assert forecast.expected_end(table, 10, None, board) is None
    assert forecast.card(Expected(ZERO, why))["end_ms"] is None


def test_a_room_without_boards_is_held_up_by_none_before_its_zero():
    ends = dict.fromkeys((1, 2, 3), Expected(ZERO, "paper"))
    assert forecast.forecast(ends, ZERO, 10) == {"end_ms": ZERO, "holding": []}
    assert forecast.forecast(ends, ZERO, ZERO + 1)["holding"] == [1, 2, 3]
    ends[2] = Expected(ZERO + 4.5 * MIN, "playing")  # the one with a board
    assert forecast.forecast(ends, ZERO, 10)["holding"] == [2]


def test_the_latest_tables_hold_the_round_up():
    ends = {
        1: Expected(ZERO + 4 * MIN, "playing"), 2: Expected(ZERO + 9 * MIN, "extension"),
        3: Expected(ZERO + 10 * MIN, "frozen"), 4: None,
    }  # fmt: skip
    assert forecast.forecast(ends, ZERO) == {"end_ms": ZERO + 10 * MIN, "holding": [2, 3]}
    alike = dict.fromkeys((1, 2, 3), Expected(ZERO + 4 * MIN, "playing"))
    assert forecast.forecast(alike, ZERO)["holding"] == []  # nobody is late
    waiting = {
        1: Expected(ZERO + 4 * MIN, "judge"), 2: Expected(ZERO + 30 * MIN, "extension"),
        3: Expected(ZERO + 4 * MIN, "judge"), 4: Expected(ZERO, "playing"),
    }  # fmt: skip
    # nobody knows when a judge comes
    assert forecast.forecast(waiting, ZERO)["holding"] == [1, 2, 3]
    assert forecast.forecast({1: Expected(ZERO, "judge"), 2: Expected(ZERO, "judge")}, ZERO)[
        "holding"
    ] == [1, 2]
    assert forecast.card(Expected(ZERO, "judge")) == {"end_ms": None, "why": "judge"}
    assert forecast.forecast({1: None}, ZERO) == {"end_ms": None, "holding": []}
    assert forecast.card(None) is None
    assert forecast.card(Expected(ZERO + 1, "playing"))["end_ms"] == ZERO + 10_000


def ask(venue, kind, a=0):
    assert venue.boards[0].ask(venue.air.now_ms, kind, a)
    venue.drain()
    return venue.station.hall.fold_at(1)


def test_a_call_costs_whole_minutes_less_what_the_clock_stood_still(venue):
    fold = ask(venue, intents.SET_STARTER)
    assert call_minutes.proposed_minutes(fold) is None
    ask(venue, intents.CALL_JUDGE)
    venue.air.run(5000)
    ask(venue, intents.CALL_JUDGE, 1)  # the reason comes later, the stopwatch runs on
    venue.air.run(2 * MIN)
    fold = ask(venue, intents.END_CALL)
    assert call_minutes.proposed_minutes(fold) == 3
    ask(venue, intents.CALL_JUDGE, 2)
    venue.station.desk.freeze(1)
    venue.air.run(10 * MIN)
    venue.station.desk.resume(1)
    venue.drain()
    fold = ask(venue, intents.END_CALL)
    assert call_minutes.proposed_minutes(fold) is None  # the table got its time back
    ask(venue, intents.CALL_JUDGE, 2)
    venue.air.run(90_000)
    assert call_minutes.proposed_minutes(fold) is None
    assert call_minutes.proposed_minutes(fold, venue.air.now_ms) == 2


def test_a_claim_is_of_one_call_and_can_be_given_back(venue):
    service = office_of(venue)
    ada, bo = Browser(service, "judge"), Browser(service, "judge", name="Bo")

    def claimed():
        service.change_feed.touch()
        service.change_feed.step(venue.air.now_ms)
        return service.change_feed.state("staff", venue.air.now_ms)["calls"]["1"]["claimed"]

    ask(venue, intents.CALL_JUDGE)
    ada.act("claim", table=1)
    bo.act("claim", table=1, instead=True)
    assert claimed()["by"] == "Bo"
    bo.act("unclaim", table=1)
    assert claimed() is None
    ada.act("claim", table=1)
    ask(venue, intents.END_CALL)
    venue.air.run(60)
    ask(venue, intents.CALL_JUDGE)
    assert claimed() is None  # another call
    assert ada.act("claim", table=7).status == 409


@pytest.mark.parametrize("act, body, kind", [
    ("late", {"seats": "B"}, intents.STAMP_LATE),
    ("late", {"seats": "-"}, intents.STAMP_LATE),
    ("roll", {"ruling": "conclusive"}, intents.RULE_ROLL),
    ("approve", {}, intents.APPROVE_RESULT),
    ("reopen", {"reason": "wrong slip"}, intents.REOPEN_RESULT),
    ("take_back", {}, intents.TAKE_BACK),
    ("loss", {"seat": "A", "reason": "illegal deck"}, intents.LOSE_GAME),
    ("prizes", {"a": 1, "b": 0, "reason": "penalty"}, intents.ADJUST_PRIZES),
    ("arrive", {}, intents.ARRIVE),
    ("resolve", {}, intents.END_CALL),
])  # fmt: skip
def test_each_act_of_a_judge_asks_its_own_thing_of_the_table(venue, act, body, kind):
    service = office_of(venue)
    made = Browser(service, "judge", name="Ada").act(act, table=2, **body).json["orders"]
    order = service.archive.orders.get(made[0])
    assert (order.kind, order.table, order.author, order.reason) == (
        kind, 2, "Ada", body.get("reason", ""),
    )  # fmt: skip
