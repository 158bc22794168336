"""Judges among themselves: the queue of calls, the register of penalties, tables by range."""

import csv

import pytest
from webclient import Browser, state

from firmware.core import events, intents, outcome, phases
from host.archive.roster import REVOKED
from host.event import incident_log, penalties
from host.reports.export_forms import FORMS

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


@pytest.mark.parametrize("claimed", [False, True])
def test_whoever_is_at_the_table_has_the_call(venue, service, claimed):
    ada, bo = Browser(service, "judge", name="Ada"), Browser(service, "judge", name="Bo")
    assert venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE)
    state(venue, service)
    if claimed:
        ada.act("claim", table=1)
    venue.air.run(MIN)
    assert len(bo.act("arrive", table=1).json["orders"]) == 1
    call = state(venue, service)["calls"]["1"]
    assert call["arrived_ms"] and call["claimed"]["by"] == "Bo"


def test_of_two_judges_who_rule_otherwise_at_once_the_second_is_asked(venue, service):
    ada, bo = Browser(service, "judge", name="Ada"), Browser(service, "judge", name="Bo")
    ruled = {"table": 1, "outcome": "A", "games": [2, 0], "final": True, "reason": "seen"}
    other = ruled | {"outcome": "B", "games": [1, 2]}
    assert ada.act("rule", **ruled).json["orders"]
    assert bo.act("rule", **other).json["ask"] == (
        "table 1: Ada has just ruled otherwise, and the board has not answered yet. Rule this"
        " instead?"
    )
    assert "ask" not in bo.act("rule", **ruled).json
    state(venue, service)
    assert "ask" not in bo.act("rule", **other).json  # the page shows what Ada ruled


@pytest.fixture
def judge(service):
    return Browser(service, "judge")


@pytest.fixture
def head(service):
    return Browser(service, "head", name="Hugo")


def given(**changed):
    return {"number": "1", "level": "warning", "category": "slow", "reason": "game 2"} | changed


def test_a_penalty_is_in_the_register_the_incident_log_and_the_export(venue, service, judge):
    assert judge.act("penalize", **given()).json["told"] == (
        "the penalty of Given1 Family, 1 is in the register"
    )
    (told,) = state(venue, service)["penalties"]
    assert (told["name"], told["table"], told["level"], told["by"]) == (
        "Given1 Family", 1, "warning", "Ada"
    )  # fmt: skip
    (line,) = [one for one in incident_log.incidents(venue.archive) if one.what == "penalty"]
    assert (line.table, line.numbers, line.author, line.reason) == (1, (1, 1, 2), "Ada", "game 2")
    name, text = FORMS["penalties"](venue.archive, venue.station.hall, None)
    (row,) = csv.DictReader(text.lstrip("\ufeff").splitlines())
    assert name == "penalties.csv" and (row["number"], row["state"]) == ("1", "in force")


def test_a_game_loss_of_the_register_is_given_at_the_table(venue, service, judge):
    told = judge.act("penalize", **given(level="game_loss", category="deck"))
    assert len(told.json["orders"]) == 1
    venue.drain()
    assert venue.boards[0].match.games == (1, 0)
    order = venue.archive.orders.all[-1]
    assert (order.kind, order.reason, order.author) == (intents.LOSE_GAME, "game 2", "Ada")


def test_a_game_loss_at_a_table_without_a_board_is_counted_in_its_result(venue, service, judge):
    venue.archive.roster.move(venue.boards[0].device, REVOKED, "Olga", "broken")
    venue.station.refresh()
    told = judge.act("penalize", **given(level="game_loss")).json
    assert told["orders"] == [] and "Table 1 has no board: count the lost game" in told["told"]
    assert [one.level for one in penalties.standing(venue.archive)] == ["game_loss"]


def test_a_game_loss_that_no_table_takes_is_in_no_register(venue, service, judge):
    assert judge.act("add_player").status == 403  # a judge enters nobody
    Browser(service, "organiser").act("add_player", number="77", name="Late Lee")
    refused = judge.act("penalize", **given(number="77", level="game_loss"))
    assert refused.status == 409 and "does not play now" in refused.json["error"]
    assert not state(venue, service)["penalties"]
    assert judge.act("penalize", **given(number="77")).status == 200
    (told,) = state(venue, service)["penalties"]
    assert (told["name"], told["table"]) == ("Late Lee", 0)


RULE = "the match at table 1 goes on: rule its result there"
DROP = "Given1 Family, 1 stays in the event: drop the player (Players on the desk's page)"
SET = "the board at table 1 does not know it: set it under More on the table's sheet, too"


@pytest.mark.parametrize("level, remarks", [
    ("warning", []), ("prizes", [SET]), ("match_loss", [RULE]), ("disqualification", [RULE, DROP]),
])  # fmt: skip
def test_a_penalty_that_does_nothing_by_itself_says_what_is_left(
    venue, service, judge, level, remarks
):
    assert judge.act("penalize", **given(level=level)).json["said"] == remarks
    venue.win(venue.boards[0])
    state(venue, service)
    left = [DROP] if level == "disqualification" else []
    assert judge.act("penalize", **given(level=level)).json["said"] == left
    Browser(service, "organiser").act("drop", number="1", sure=True)
    assert judge.act("penalize", **given(level=level)).json["said"] == []


def test_a_withdrawn_penalty_leaves_the_register_and_stays_in_the_log(venue, service, judge, head):
    judge.act("penalize", **given())
    (told,) = state(venue, service)["penalties"]
    assert judge.act("withdraw_penalty", id=told["id"]).status == 403
    assert head.act("withdraw_penalty", id=told["id"]).json["told"] == "the penalty is withdrawn"
    assert head.act("withdraw_penalty", id=told["id"]).status == 409
    assert state(venue, service)["penalties"] == []
    (line,) = [one for one in incident_log.incidents(venue.archive) if one.what == "penalty"]
    assert line.state == "dropped"


@pytest.mark.parametrize(("changed", "why"), [
    ({"number": "nobody"}, "there is no player nobody"),
    ({"level": "death"}, "level: must be one of"),
    ({"category": "fun"}, "category: must be one of"),
    ({"reason": ""}, "reason: must have 1 to 200 characters"),
])  # fmt: skip
def test_what_is_no_penalty_is_refused(venue, service, judge, changed, why):
    answer = judge.act("penalize", **given(**changed))
    assert answer.status in (400, 409) and why in answer.json["error"]
    assert not state(venue, service)["penalties"]


@pytest.mark.parametrize("text", ["", "[]", '{"player": 3}', '{"level": "warning"}', "[" * 9000])
def test_a_notice_that_is_no_penalty_stops_nothing(venue, service, judge, text):
    venue.archive.notices.add("penalty", text, "x", 0)
    venue.archive.notices.add("zone", text, "x", 0)
    judge.act("penalize", **given())
    told = state(venue, service)
    assert len(told["penalties"]) == 1 and told["zones"] == {}


def test_penalties_and_zones_are_no_viewers(venue, service, judge):
    judge.act("penalize", **given())
    told = state(venue, service, "plain")
    assert told["penalties"] is None and told["zones"] is None


def test_a_call_passed_on_waits_anew_for_the_head_judge(venue, service, judge, head):
    venue.boards[0].ask(venue.air.now_ms, intents.CALL_JUDGE, 1)
    since_ms = state(venue, service)["calls"]["1"]["since_ms"]
    judge.act("claim", table=1)
    venue.air.run(3 * MIN)
    assert judge.act("to_head", table=1).json["told"] == "table 1 waits for the head judge"
    call = state(venue, service)["calls"]["1"]
    assert call["since_ms"] == since_ms and call["claimed"]["head"] and not call["claimed"]["by"]
    assert call["claimed"]["at_ms"] >= since_ms + 3 * MIN
    assert judge.act("to_head", table=1).status == 409
    assert head.act("claim", table=1).status == 200
    call = state(venue, service)["calls"]["1"]
    assert call["claimed"]["by"] == "Hugo" and not call["claimed"]["head"]


def test_only_a_call_is_passed_on(venue, service, judge):
    state(venue, service)
    assert judge.act("to_head", table=1).json["error"] == "no call of table 1 waits"


def test_tables_are_given_to_a_judge_by_range(venue, service, judge, head):
    assert head.act("zone", name="ada", first=1, last=24).json["told"] == "Ada has tables 1 to 24"
    (zone,) = state(venue, service)["zones"].values()
    assert zone == {"name": "Ada", "first": 1, "last": 24}
    assert head.act("zone", name="Ada", first=0, last=0).json["told"] == "Ada has all tables"
    assert state(venue, service)["zones"] == {}
    assert (
        "no judge has the name Zoe" in head.act("zone", name="Zoe", first=1, last=2).json["error"]
    )
    assert head.act("zone", name="Ada", first=9, last=2).status == 409
    head.act("zone", name="Ada", first=1, last=24)
    Browser(service, "organiser").act("revoke_link", id=judge.get("/api/me").json["id"])
    assert state(venue, service)["zones"] == {}
    judge = Browser(service, "judge", name="Eva")
    assert judge.act("zone", name="Ada", first=1, last=2).status == 403
