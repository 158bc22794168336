"""Judges among themselves: the register of penalties, the head judge's calls, tables by range."""

import csv

import pytest
from webclient import Browser, state

from firmware.core import intents
from host.archive.roster import REVOKED
from host.event import incident_log, penalties
from host.reports.export_forms import FORMS

pytestmark = pytest.mark.venue(tables=2, begun=True)
MIN = 60_000


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
    assert judge.act("zone", name="Ada", first=1, last=2).status == 403
