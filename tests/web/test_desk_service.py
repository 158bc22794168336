"""Acts and reads of the web desk over a tabletop venue: who did what, and what came of it."""

import json
from dataclasses import replace

import pytest
from webclient import Browser

from firmware.core import intents
from host.event import event_log

pytestmark = [pytest.mark.venue(tables=3, begun=True), pytest.mark.archives]


def step(venue, service):
    """Let the boards notice the time and answer, and tell the pages."""
    for board in venue.boards:
        board.tick(venue.air.now_ms)
    venue.drain()
    service.change_feed.step(venue.air.now_ms)
    return service.change_feed.state("staff", venue.air.now_ms)


def test_the_state_shows_the_round(venue, service):
    told = step(venue, service)
    assert told["round"]["state"] == "running" and told["round"]["seated"] == 3
    table = told["tables"]["2"]
    assert table["phase"] == "playing" and table["a"]["name"] == "Given2 Family"
    assert table["zero_ms"] - told["now_ms"] < 50 * 60_000
    assert told["boards"]["101"]["battery"] == "ok" and told["boards"]["101"]["unarchived"] == 0


def test_a_call_from_board_to_resolved(venue, service):
    judge = Browser(service, "judge")
    assert venue.boards[1].ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    call = step(venue, service)["tables"]["2"]["call"]
    assert call["type"] == "rules" and call["arrived_ms"] is None
    assert judge.act("claim", table=2).status == 200
    assert step(venue, service)["calls"]["2"]["claimed"]["by"] == "Ada"
    assert judge.act("arrive", table=2).json["orders"]
    assert step(venue, service)["calls"]["2"]["arrived_ms"] is not None
    venue.air.run(130_000)
    assert judge.act("resolve", table=2).json["extend_proposed"] == 3
    told = step(venue, service)
    assert told["tables"]["2"]["call"] is None and told["calls"] == {}
    assert told["tables"]["2"]["extend_proposed"] == 3
    judge.act("extend", table=2, minutes=3, reason="the call")
    told = step(venue, service)
    assert told["tables"]["2"]["extension_s"] == 180
    assert told["tables"]["2"]["extend_proposed"] is None


def test_a_past_call_of_a_table_that_no_longer_plays_is_not_shown(venue, service):
    board = venue.boards[1]
    assert board.ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    venue.air.run(5000)
    Browser(service, "judge").act("arrive", table=2)
    Browser(service, "judge").act("resolve", table=2)
    assert [call["table"] for call in step(venue, service)["past_calls"]] == [2]
    roster = venue.archive.roster
    roster.store_round(2, roster.format_of(1), [replace(roster.pairings_of(1)[0], round=2)])
    venue.station.desk.publish(2)
    assert step(venue, service)["past_calls"] == []


def test_a_judge_who_came_by_himself_has_not_arrived_for_the_next_call(venue, service):
    board = venue.boards[1]
    for kind in (intents.ARRIVE, intents.END_CALL):
        assert board.ask(venue.air.now_ms, kind)
    venue.air.run(5000)
    assert board.ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    venue.air.run(5000)
    assert board.ask(venue.air.now_ms, intents.END_CALL)
    assert [call["arrived_ms"] for call in step(venue, service)["past_calls"]] == [None]


def test_a_judge_sees_who_has_acknowledged_the_time(venue, service):
    Browser(service, "judge").act("extend", table=2, minutes=3, reason="the call")
    assert step(venue, service)["tables"]["2"]["seen"] == 0
    assert venue.boards[1].ask(venue.air.now_ms, intents.SEE_EXTENSION, 1)
    assert step(venue, service)["tables"]["2"]["seen"] == 2


def test_an_act_is_an_order_of_a_person(venue, service):
    judge = Browser(service, "judge", name="Björn")
    made = judge.act("freeze", table=1, reason="deck check").json["orders"]
    assert service.archive.orders.get(made[0]).author == "Björn"
    told = step(venue, service)
    assert told["orders"][str(made[0])] | {"asked_ms": 0} == {
        "id": made[0], "table": 1, "what": "freeze", "state": "done", "why": "", "author": "Björn",
        "reason": "deck check", "asked_ms": 0,
    }  # fmt: skip
    assert told["tables"]["1"]["frozen_ms"] is not None
    made = judge.act("freeze", table=1).json["orders"]
    assert step(venue, service)["orders"][str(made[0])]["why"] == "illegal"


def test_a_page_that_slept_through_a_new_round_acts_at_no_table_of_it(venue, service):
    roster = venue.archive.roster
    again = [replace(one, round=2) for one in roster.pairings_of(1)]
    roster.store_round(2, roster.format_of(1), again)
    judge = Browser(service, "judge")
    told = {"table": 1, "outcome": "A", "numbers": [2, 0], "reason": "slip", "round": 1}
    for table in (1, 2):
        assert judge.act("result", **told | {"table": table}).status == 200
    venue.publish(2)
    asked = b'{"table": 1, "minutes": 3, "reason": "late"}'
    refused = judge.post("/api/acts/extend", asked, x_round="1")
    assert refused.status == 409 and refused.json["error"] == (
        "this page still showed round 1, and round 2 is published: look at table 1 again"
    )
    assert judge.post("/api/acts/extend", asked, x_round="nonsense").status == 400
    assert judge.post("/api/acts/extend", asked, x_round="2").status == 200
    # an act that names its round itself is of that round
    body = json.dumps(told | {"reason": "misread", "sure": True}).encode()
    assert judge.post("/api/acts/result", body, x_round="1").status == 200


def test_the_whole_room_keeps_each_tables_own_time(venue, service):
    head = Browser(service, "head")
    head.act("extend", table=2, minutes=5, reason="judge call")
    step(venue, service)
    assert len(head.act("extend_all", minutes=2, reason="fire drill").json["orders"]) == 3
    told = step(venue, service)
    assert [told["tables"][str(n)]["extension_s"] for n in (1, 2, 3)] == [120, 420, 120]
    head.act("freeze", table=3)
    step(venue, service)
    assert len(head.act("pause_all", reason="alarm").json["orders"]) == 2
    assert step(venue, service)["paused"]
    assert len(head.act("resume_all").json["orders"]) == 2, "table 3 was stopped for itself"
    told = step(venue, service)
    assert not told["paused"]
    assert [bool(told["tables"][str(n)]["frozen_ms"]) for n in (1, 2, 3)] == [False, False, True]
    assert [one["what"] for one in service.archive.notices.all] == [
        "room extended", "room paused", "room resumed",
    ]  # fmt: skip


def test_tables_stopped_one_by_one_run_on_together_where_nobody_paused_the_room(venue, service):
    head = Browser(service, "head")
    for table in (1, 2, 3):
        head.act("freeze", table=table)
    assert step(venue, service)["paused"]
    assert len(head.act("resume_all").json["orders"]) == 3
    step(venue, service)
    head.act("pause_all", reason="alarm")
    step(venue, service)
    head.act("resume", table=2)
    step(venue, service)
    head.act("freeze", table=2, reason="deck check")
    step(venue, service)
    assert len(head.act("resume_all").json["orders"]) == 2, "table 2 was stopped anew, for itself"


def test_more_time_for_all_names_the_table_that_cannot_have_it(venue, service):
    head = Browser(service, "head")
    for _ in range(9):
        head.act("extend", table=2, minutes=120, reason="a very long day", sure=True)
    step(venue, service)
    asked = head.act("extend_all", minutes=120, reason="storm").json
    assert "120 minutes at once" in asked["ask"] and not asked["orders"]
    made = head.act("extend_all", minutes=120, reason="storm", sure=True).json
    assert len(made["orders"]) == 2
    assert made["said"] == ["table 2 cannot have 1200 minutes of extension: give fewer"]
    step(venue, service)
    refused = head.act("extend", table=2, minutes=0, reason="storm").json["error"]
    assert refused.startswith("table 2: an extension is some whole minutes")
    assert head.act("policy", bits=1, reason="no dice here").status == 200
    told = step(venue, service)["tables"]
    assert [told[str(n)]["policy"] & 1 for n in (1, 2, 3)] == [1, 1, 1]
    assert head.act("policy", table=9, bits=1).status == 409
    assert [head.act("policy", bits=both).status for both in (5, 6, 7)] == [
        409
    ] * 3  # allowed and barred at once
    (line,) = [one for one in event_log.lines(service.archive) if one["what"] == "coins and dice"]
    assert line["value"] == "the hall: the head judge allows them no dice here"


def test_a_result_is_ruled_and_corrected_by_new_events(venue, service):
    judge = Browser(service, "judge")
    judge.act("rule", table=1, outcome="A", games=[2, 0], final=True, reason="left")
    assert step(venue, service)["tables"]["1"]["result"]["outcome"] == "A"
    judge.act("rule", table=1, outcome="B", games=[0, 2], final=True, reason="slip misread")
    told = step(venue, service)["tables"]["1"]["result"]
    assert told["outcome"] == "B" and told["by"] == "ruled" and told["games"] == [0, 2]
    assert judge.get("/api/results").json["lines"][0]["outcome"] == "B"
    history = judge.get("/api/table/1").json["history"]
    assert [one["reason"] for one in history if one["what"] == "ruling"] == ["left", "slip misread"]


MALFORMED = (
    ("freeze", {"table": 99}, 409),
    ("freeze", {"table": "1"}, 400),
    ("freeze", {"table": True}, 400),
    ("freeze", {}, 400),
    ("freeze", {"table": 1, "more": 1}, 400),
    ("freeze", {"table": 1, "reason": "x" * 201}, 400),
    ("freeze", {"table": 1, "reason": "a\u202eb"}, 400),
    ("extend", {"table": 1, "minutes": 0, "reason": "x"}, 409),
    ("extend", {"table": 1, "minutes": 10**30, "reason": "x"}, 400),
    ("extend", {"table": 1, "minutes": 5}, 400),
    ("rule", {"table": 1, "outcome": "C", "reason": "x"}, 400),
    ("rule", {"table": 1, "outcome": "A", "games": [1], "reason": "x"}, 400),
    ("nothing", {}, 404),
)  # fmt: skip


def test_a_request_that_makes_no_sense_gets_one_sentence(service):
    judge = Browser(service, "judge")
    before = service.archive.changes
    for name, body, status in MALFORMED:
        answer = judge.act(name, **body)
        assert answer.status == status, (name, body, answer.body)
        assert "\n" not in answer.json["error"] and len(answer.json["error"]) < 120
    assert service.archive.changes == before
