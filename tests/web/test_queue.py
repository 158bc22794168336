"""The queue of the judge's page: calls, and what waits for a judge without one."""

import pytest
from webclient import Browser, state

from firmware.core import events, intents, outcome, phases

pytestmark = pytest.mark.venue(tables=2, begun=True)
MIN = 60_000


def happened(venue, *found):
    board = venue.boards[0]
    at_ms = board.tick(venue.air.now_ms)
    board.happen(*(event.at(at_ms) for event in found))
    return at_ms


def refused(venue):
    return happened(venue, events.ResultClaimed(0, 1, 2, 0), events.ResultRefused(0, 1))


def rolled(venue):
    return happened(venue, events.Rolled(0, 0, 0, 1, 0, 1), events.RollDisputed(0, 0))


def confirmed(venue):
    return happened(venue, events.FormatSet(0, 0, 3 << 1 | 1 << 15, 50),
                    events.ResultClaimed(0, 1, 2, 0),
                    events.ResultConfirmed(0, 1),
                    events.ResultConfirmed(0, 0))  # fmt: skip


def test_what_both_seats_opened_again_waits_for_them_and_not_for_a_judge(venue, service):
    board = venue.boards[0]
    venue.win(board)
    assert board.ask(venue.air.now_ms, intents.REOPEN_RESULT, 3)
    told = state(venue, service)
    assert board.match.phase == phases.RESOLVING and told["tables"]["1"]["result"] is None
    assert "1" not in {table for table, call in told["calls"].items() if call}
    assert "ruling" not in told["tables"]["1"]["needs"]
    refused(venue)
    assert state(venue, service)["calls"]["1"]["type"] == "ruling"


@pytest.mark.parametrize("waits, kind, act", [
    (refused, "ruling", ("rule", {"outcome": "A", "games": [2, 0], "final": True, "reason": "seen"})),
    (rolled, "roll", ("roll", {"ruling": "conclusive"})),
    (confirmed, "approval", ("approve", {})),
])  # fmt: skip
def test_what_waits_for_a_judge_is_in_the_queue_until_it_is_ruled(venue, service, waits, kind, act):
    judge = Browser(service, "judge")
    since_ms = waits(venue)
    venue.air.run(2 * MIN)
    told = state(venue, service)
    call = told["calls"]["1"]
    assert (call["type"], call["asked"], call["since_ms"]) == (kind, True, since_ms)
    assert call["claimed"] is None and call["arrived_ms"] is None
    assert told["tables"]["1"]["call"] == call
    assert set(state(venue, service, "plain")["calls"]["1"]) == {"table", "since_ms", "arrived_ms"}
    assert judge.act("claim", table=1).status == 200
    assert state(venue, service)["calls"]["1"]["claimed"]["by"] == "Ada"
    venue.air.run(MIN)
    # its board was not asked to call anybody
    assert judge.act("arrive", table=1).json["orders"] == []
    assert state(venue, service)["calls"]["1"]["arrived_ms"] > since_ms + 2 * MIN
    assert venue.boards[0].match.call is None
    assert judge.act(act[0], table=1, **act[1]).status == 200
    assert state(venue, service)["calls"] == {}


def test_players_who_count_wait_for_nobody(venue, service):
    happened(venue, events.OutcomeProposed(0, outcome.ASK, 0, phases.PRIZES, 0))
    told = state(venue, service)
    assert told["tables"]["1"]["phase"] == "resolving" and told["calls"] == {}
    assert told["tables"]["1"]["needs"] == []


def test_a_call_stands_before_what_it_is_about(venue, service):
    refused(venue)
    assert venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE, 3)
    call = state(venue, service)["calls"]["1"]
    assert call["type"] == "result" and not call["asked"]
    Browser(service, "judge").act("resolve", table=1)
    assert state(venue, service)["calls"]["1"]["type"] == "ruling"


def test_the_second_judge_is_told_who_goes_already(venue, service):
    ada, other = Browser(service, "judge", name="Ada"), Browser(service, "judge", name="Ada")
    assert ada.get("/api/me").json["id"] != other.get("/api/me").json["id"]
    assert venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE)
    state(venue, service)
    assert ada.act("claim", table=1).status == 200
    late = other.act("claim", table=1)
    assert late.status == 409 and late.json["error"] == "table 1: Ada is on the way already"
    other.language = "it"
    assert other.act("claim", table=1).json["error"] == "tavolo 1: sta già andando Ada"
    assert other.act("unclaim", table=1).status == 409
    assert state(venue, service)["calls"]["1"]["claimed"]["link"] == ada.get("/api/me").json["id"]
    assert ada.act("claim", table=1).status == 200  # pressing twice is no quarrel
    assert other.act("claim", table=1, instead=True).status == 200
    assert state(venue, service)["calls"]["1"]["claimed"]["link"] == other.get("/api/me").json["id"]
    assert other.act("unclaim", table=1).status == 200
    assert state(venue, service)["calls"]["1"]["claimed"] is None
    assert ada.act("claim", table=1).status == 200
