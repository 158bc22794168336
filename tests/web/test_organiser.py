"""What an organiser does in the web desk: rounds, people, boards, checks, links."""

import pytest
import tree
from webclient import Browser, office_of, state

from firmware.core import intents
from host.archive.roster import SPARE, Board, Format, Pairing, Player
from host.event import event_log
from host.server.console import Console
from host.tournament import deck_checks, rule_packs

pytestmark = [pytest.mark.venue(tables=4), pytest.mark.archives]

PACK = rule_packs.load(tree.ROOT / "host" / "tournament" / "rulepacks" / "pokemon-swiss.toml")


@pytest.fixture
def service(venue):
    return office_of(venue, packs={PACK.name: PACK}, address="http://desk.test:8080")


@pytest.fixture
def organiser(service):
    return Browser(service, "organiser", name="Olga")


def play(venue, service, organiser, winners="AAAA"):
    """Rule the present round, and let the pages see it; return what they are told."""
    for board, won in zip(venue.boards, winners, strict=True):
        ruled = {"outcome": won, "games": [2, 0] if won == "A" else [0, 2], "reason": "slip"}
        told = organiser.act("rule", table=board.device - 100, final=True, **ruled)
        assert told.status == 200, told.body
    return state(venue, service)


def play_first(venue, service, organiser, winners="AAAA"):
    """Publish round 1 and play it."""
    organiser.act("publish", round=1)
    state(venue, service)
    return play(venue, service, organiser, winners)


def test_a_round_from_draft_to_closed(venue, service, organiser):
    assert state(venue, service)["round"]["state"] == "draft"
    assert len(organiser.act("publish", round=1).json["orders"]) == 8
    assert state(venue, service)["round"]["state"] == "published"
    for board in venue.boards:
        for seat in (0, 1):
            board.ask(venue.air.now_ms, intents.CONFIRM_SEAT, seat)
    assert state(venue, service)["round"]["state"] == "seated"
    assert len(organiser.act("start").json["orders"]) == 4
    told = state(venue, service)["round"]
    assert told["state"] == "seated" and told["zero_ms"] - told["start_ms"] == 50 * 60_000
    assert told["start_ms"] > venue.air.now_ms
    venue.air.run(told["start_ms"] - venue.air.now_ms)
    told = state(venue, service)
    assert told["round"]["state"] == told["rounds"]["1"]["state"] == "running"
    assert organiser.act("start").status == 409
    assert play(venue, service, organiser)["round"]["state"] == "closed"
    assert organiser.act("say", message=6, minutes=15).status == 200
    told = state(venue, service)["message"]
    assert told["number"] == 6 and told["next_ms"] > venue.air.now_ms


def test_the_next_round_leaves_out_who_dropped_and_takes_in_who_came(venue, service, organiser):
    play_first(venue, service, organiser, "ABAB")
    asked = organiser.act("drop", number="family given0", reason="ill").json
    assert asked["ask"] == "Drop Given0 Family, 0?"  # nothing is done before somebody is sure
    assert organiser.act("drop", number="0", reason="ill", sure=True).status == 200
    assert organiser.act("drop", number="0", sure=True).status == 409
    assert organiser.act("add_player", number="77", name="Zoë Late").status == 200
    assert organiser.act("add_player", number="77", name="Again").status == 409
    assert organiser.act("rename", number="1", name="Chiara Corretta").status == 200
    told = {one["number"]: one for one in organiser.get("/api/people").json["people"]}
    late = {"number": "77", "name": "Zoë Late", "dropped": False, "late": True, "squads": ""}
    assert told["0"]["dropped"] and told["77"] == late | {"rounds": [], "missed": {}}
    asked = organiser.get("/api/standings").json
    assert "rule pack" in asked["ask"] and asked["packs"] == [PACK.name]
    answer = organiser.act("draft", pack=PACK.name, seed=5)
    assert answer.status == 200 and answer.json["round"] == 2 and answer.json["seed"] == 5
    pairings = service.archive.roster.pairings_of(2)
    numbers = {one.number for pairing in pairings for one in (pairing.a, pairing.b) if one}
    assert "0" not in numbers and "77" in numbers
    assert state(venue, service)["rounds"]["2"]["state"] == "draft"
    assert organiser.act("draft", pack=PACK.name).status == 409
    assert organiser.act("drop_draft", round=2).status == 200
    assert organiser.act("drop_draft", round=1).status == 409
    assert "2" not in state(venue, service)["rounds"]
    assert "share rank" in organiser.act("draft", pack=PACK.name, cut=4).json["error"]
    assert "one of 2, 4, 8" in organiser.act("draft", pack=PACK.name, cut=6).json["error"]


def drafted(service, number):
    return {
        one.number
        for pairing in service.archive.roster.pairings_of(number)
        for one in (pairing.a, pairing.b)
        if one
    }


def met(service, number):
    return {
        frozenset((pairing.a.number, pairing.b.number))
        for pairing in service.archive.roster.pairings_of(number)
        if pairing.b
    }


def test_who_comes_back_is_paired_again_with_all_that_was_played(venue, service, organiser):
    organiser.act("choose_pack", pack=PACK.name)
    play_first(venue, service, organiser, "ABAB")
    organiser.act("drop", number="0", sure=True)
    organiser.act("drop", number="2", sure=True)
    assert organiser.act("draft", seed=5).json["round"] == 2
    organiser.act("undrop", number="2")
    assert drafted(service, 2) & {"0", "2"} == set()
    organiser.act("publish", round=2)
    state(venue, service)
    for pairing in service.archive.roster.pairings_of(2):
        if pairing.b is not None:
            told = {"table": pairing.table, "outcome": "A", "numbers": [2, 0], "reason": "slip"}
            assert organiser.act("result", **told).status == 200
    told = organiser.act("undrop", number="Given0").json["told"]
    assert told.startswith("Given0 Family, 0 is back, with points")
    answer = organiser.act("draft", seed=6).json
    assert answer["round"] == 3 and not [one for one in answer["said"] if "missed" in one]
    assert {"0", "2"} <= drafted(service, 3)
    lines = {one["number"]: one for one in organiser.get("/api/standings").json["lines"]}
    assert lines["0"]["values"][0] == "3"  # the win of round 1
    assert not met(service, 1) & met(service, 3)


DRAWN_BEFORE = (
    "round 2 is drawn by the results as they were: to have this one count there, drop that draft"
    " and draw it again"
)


def test_a_result_that_changes_after_the_next_draft_says_that_it_was_drawn_before(
    venue, service, organiser
):
    organiser.act("choose_pack", pack=PACK.name)
    play_first(venue, service, organiser, "ABAB")
    changed = {"table": 1, "outcome": "B", "numbers": [0, 2], "reason": "slip", "round": 1}
    assert organiser.act("result", **changed).json["said"] == []
    organiser.act("draft", seed=5)
    service.archive.notices.add(event_log.DRAFTED, "{", "nobody", 1)  # no program of ours
    venue.air.run(1000)
    back = {"table": 1, "outcome": "A", "numbers": [2, 0], "reason": "slip", "sure": True}
    assert organiser.act("result", **back).json["said"] == [DRAWN_BEFORE]
    assert organiser.act("publish", round=2).json["ask"] == (
        "Round 2 was drawn before the result of table 1 in round 1 came in: to have it count, drop"
        " that draft and draw it again. Publish round 2 as it is?"
    )
    assert service.desk.round == 1
    organiser.act("publish", round=2, sure=True)
    assert organiser.act("result", **changed, sure=True).json["said"] == []


def test_a_correction_at_the_board_says_so_too_and_is_asked_about(venue, service, organiser):
    organiser.act("choose_pack", pack=PACK.name)
    play_first(venue, service, organiser, "ABAB")
    organiser.act("draft", seed=5)
    venue.air.run(1000)
    remark = [DRAWN_BEFORE]
    ruled = {"table": 2, "outcome": "A", "games": [2, 0], "final": True, "reason": "misread"}
    assert organiser.act("rule", **ruled).json["said"] == remark
    assert organiser.act("take_back", table=1).json["said"] == remark
    asked = "reopen: asked of table 3"
    assert Console(service.station, "Olga").run("reopen 3 misread") == [asked, *remark]
    state(venue, service)
    assert organiser.act("approve", table=3).json["said"] == remark
    assert (
        organiser.act("publish", round=2).json["ask"].startswith("Round 1 is not over at table 3")
    )
    assert organiser.act("rule", **ruled | {"table": 3}).status == 200
    state(venue, service)
    assert "of table 2, 3 in round 1" in organiser.act("publish", round=2).json["ask"]
    organiser.act("drop_draft", round=2)
    organiser.act("draft", seed=5)
    assert "ask" not in organiser.act("publish", round=2).json


def test_who_lost_a_semi_final_after_all_is_not_in_the_final_unsaid(venue, service, organiser):
    for number, winners in ((1, "AAAA"), (2, "AAAA")):
        organiser.act("publish", round=number)
        state(venue, service)
        play(venue, service, organiser, winners)
        organiser.act("draft", pack=PACK.name, cut=8 if number == 1 else None, seed=1)
    organiser.act("publish", round=3)
    state(venue, service)
    first = service.archive.roster.pairings_of(2)[0]
    slip = {"table": first.table, "reason": "misread", "round": 2, "sure": True}
    said = organiser.act("result", outcome="B", numbers=[0, 2], **slip).json["said"]
    assert said == [
        f"round 3 is published with {first.a.name}, who lost to {first.b.name}: before it starts,"
        " let the two change places there"
    ]
    assert organiser.act("start").json["ask"] == (
        f"Round 3 has {first.a.name}, who lost to {first.b.name} in the round before: let the two"
        " change places there first. Start it as it is?"
    )
    places = {"round": 3, "a": first.a.number, "b": first.b.number, "sure": True}
    told = organiser.act("swap_players", **places).json["told"]
    assert f"{first.a.name} does not play in this round" in told, "and has no bye in the final"
    state(venue, service)
    assert "ask" not in organiser.act("start").json
    said = organiser.act("result", outcome="A", numbers=[2, 0], **slip).json["said"]
    assert said == [
        f"round 3 began with {first.b.name}, who lost to {first.a.name}: a judge decides there"
    ]


def test_a_final_and_its_match_for_third_place_trade_two_players(venue, service, organiser):
    for number in (1, 2):
        organiser.act("publish", round=number)
        state(venue, service)
        tables = [one.table for one in service.archive.roster.pairings_of(number)]
        for table in tables:
            told = {"table": table, "outcome": "A", "games": [2, 0], "reason": "slip"}
            organiser.act("rule", final=True, **told)
        state(venue, service)
        organiser.act("draft", pack=PACK.name, cut=4 if number == 1 else None, seed=1)
    archive, places = service.archive, {"round": 3, "sure": True}
    losers = [one.b.number for one in archive.roster.pairings_of(2)]
    organiser.act("swap_players", a=losers[0], b=losers[1], **places)
    final, third = archive.roster.pairings_of(3)
    assert "ask" not in organiser.act("publish", round=3).json
    organiser.act("swap_players", a=final.b.number, b=third.b.number, **places)
    assert organiser.act("start").json["ask"] == (
        f"Round 3 has {third.b.name}, who lost to {final.b.name} in the round before: let the two"
        " change places there first. Start it as it is?"
    )
    organiser.act("swap_players", a=final.b.number, b=third.b.number, **places)
    assert "ask" not in organiser.act("start").json


def test_who_lost_plays_on_for_a_winner_who_has_dropped(venue, service, organiser):
    for number in (1, 2):
        organiser.act("publish", round=number)
        state(venue, service)
        play(venue, service, organiser)
        organiser.act("draft", pack=PACK.name, cut=8 if number == 1 else None, seed=1)
    first = service.archive.roster.pairings_of(2)[0]
    places = {"round": 3, "a": first.a.number, "b": first.b.number, "sure": True}
    organiser.act("swap_players", **places)
    organiser.act("publish", round=3)
    state(venue, service)
    assert "who lost to" in organiser.act("start").json["ask"]
    organiser.act("drop", number=first.a.number, sure=True)
    assert "ask" not in organiser.act("start").json


def test_a_board_that_says_the_same_later_as_the_slip_changes_nothing(venue, service, organiser):
    organiser.act("choose_pack", pack=PACK.name)
    organiser.act("publish", round=1)
    state(venue, service)
    for table in range(1, 5):
        told = {"table": table, "outcome": "A", "numbers": [2, 0], "reason": "slip"}
        assert organiser.act("result", **told).status == 200
    organiser.act("draft", seed=5)
    venue.air.run(1000)
    play(venue, service, organiser)
    assert "ask" not in organiser.act("publish", round=2).json


def test_a_board_leaves_a_match_that_is_not_over_once_somebody_is_sure(venue, service, organiser):
    organiser.act("choose_pack", pack=PACK.name)
    play_first(venue, service, organiser, "ABAB")
    organiser.act("draft", seed=5)
    organiser.act("reopen", table=3, reason="misread")
    state(venue, service)
    assert organiser.act("publish", round=2).json == {
        "orders": [],
        "said": [],
        "ask": "Round 1 is not over at table 3: its match ends there without a result, which can"
        " still be typed from paper. Publish round 2 all the same?",
    }
    assert organiser.act("publish", round=2, sure=True).status == 200
    state(venue, service)
    assert {board.match.round for board in venue.boards} == {2}


def test_a_draft_that_seats_somebody_who_left_is_not_published(venue, service, organiser):
    organiser.act("drop", number="5", sure=True)
    refused = organiser.act("publish", round=1)
    assert refused.status == 409
    assert "Given5 Family, 5 has dropped and sits at table 3 of round 1" in refused.json["error"]
    assert service.desk.round is None
    organiser.act("undrop", number="5")
    assert organiser.act("drop", number="5").json["ask"] == (
        "Drop Given5 Family, 5, at table 3 of the draft?"
    )
    assert organiser.act("publish", round=1).status == 200


def test_the_rules_of_an_event_are_chosen_once(venue, service, organiser):
    assert organiser.act("choose_pack", pack="no such").status == 409
    assert Browser(service, "head").act("choose_pack", pack=PACK.name).status == 403
    # before the first round is published
    assert organiser.act("choose_pack", pack=PACK.name).status == 200
    play_first(venue, service, organiser, "ABAB")
    told = organiser.get("/api/standings").json
    assert told["pack"] == PACK.name and told["ask"] == "" and told["lines"][0]["values"][0] == "3"
    assert b'"source": "Pok' in organiser.get("/api/export/json").body
    assert organiser.act("draft", seed=5).json["round"] == 2
    lines = organiser.get("/api/log").json["lines"]
    assert [line["value"] for line in lines if line["what"] == "rule pack"] == [PACK.name]
    assert organiser.act("choose_pack", pack="").status == 200
    assert "choose a rule pack" in organiser.get("/api/standings").json["ask"]


def test_the_hall_is_laid_out(venue, service, organiser):
    for plan, sentence in (
        ("1 2\n2", "table 2 stands in line 1"),
        ("1 x", "neither a table's number"),
        (7, "must be text"),
        ("1 " * 7000, "12000"),
    ):
        assert sentence in organiser.act("lay_out", plan=plan).json["error"]
    assert state(venue, service)["hall"] == {"rows": [], "wide": 0, "turning": False}
    assert organiser.act("lay_out", plan="1 2 .\n3 4", turning=True).status == 200
    assert state(venue, service)["hall"] == {
        "rows": [[1, 2, 0], [3, 4]], "wide": 0, "turning": True,
    }  # fmt: skip
    told = service.change_feed.state("plain", venue.air.now_ms)
    assert told["hall"]["rows"] == [[1, 2, 0], [3, 4]]


def test_a_bracket_of_everybody_and_a_draft_set_right_by_hand(venue, service, organiser):
    play_first(venue, service, organiser)
    assert organiser.act("draft", pack=PACK.name, cut=8, minutes=75, seed=1).json["round"] == 2
    told = state(venue, service)["rounds"]["2"]
    assert told["elimination"] and told["tables"] == 4 and told["minutes"] == 75
    assert organiser.act("untimed", round=2).status == 200
    told = state(venue, service)["rounds"]["2"]
    assert told["minutes"] == 999 and told["untimed"]
    first, second = service.archive.roster.pairings_of(2)[:2]
    places = {"round": 2, "a": first.a.number, "b": second.a.number}
    assert organiser.act("swap_players", **places, sure=True).json["orders"] == []
    swapped = [one.a.number for one in service.archive.roster.pairings_of(2)[:2]]
    assert swapped == [second.a.number, first.a.number]


def test_a_bracket_wants_a_judges_word_and_misses_nobody_who_is_out(venue, service, organiser):
    organiser.act("publish", round=1)
    state(venue, service)
    for number in (2, 3):
        play(venue, service, organiser)
        told = organiser.act("draft", pack=PACK.name, cut=8 if number == 2 else None, seed=1).json
        assert (told["round"], told["said"]) == (number, [])
        form = state(venue, service)["rounds"][str(number)]["format"]
        assert form == "p18 elimination bo3 constructed 50", "not unjudged"
        organiser.act("untimed", round=number)  # which the next does not take over
        organiser.act("publish", round=number)
        state(venue, service)


def test_a_round_without_a_limit_has_no_clock_and_leaves_the_next_its_own(
    venue, service, organiser
):
    organiser.act("untimed", round=1)
    organiser.act("publish", round=1)
    state(venue, service)
    organiser.act("start")
    venue.air.run(150_000)
    told = state(venue, service)
    assert told["round"]["untimed"] and told["round"]["start_ms"]
    assert told["round"]["zero_ms"] is None
    assert {table["zero_ms"] for table in told["tables"].values()} == {None}
    assert told["forecast"] == {"end_ms": None, "holding": []}
    play(venue, service, organiser)
    assert organiser.act("draft", pack=PACK.name, minutes=40).json["round"] == 2
    organiser.act("untimed", round=2)
    organiser.act("publish", round=2)
    state(venue, service)
    play(venue, service, organiser)
    organiser.act("draft", pack=PACK.name)
    assert state(venue, service)["rounds"]["3"]["minutes"] == 999, "no round has had a limit yet"


def test_no_match_is_drafted_at_a_spare(venue, service, organiser):
    venue.archive.roster.add_board(Board(200, 1, SPARE), 0)
    organiser.act("publish", round=1)
    settle_without(venue, service)
    for table in range(1, 5):
        organiser.act("rule", table=table, outcome="A", games=[2, 0], final=True, reason="slip")
    settle_without(venue, service)
    organiser.act("draft", pack=PACK.name)
    told = organiser.get("/api/results?round=2").json["lines"]
    assert [line["table"] for line in told] == [1, 2, 3, 4]


def test_nothing_is_cleared_while_a_result_is_to_come(venue, service, organiser):
    organiser.act("publish", round=1)
    state(venue, service)
    organiser.act("start")
    state(venue, service)
    assert not (told := organiser.get("/api/packing").json)["ready"] and told["open"] == [
        1, 2, 3, 4,
    ]  # fmt: skip
    organiser.act("rule", table=1, outcome="A", games=[2, 0], final=True, reason="slip")
    state(venue, service)
    left = "results are missing: table 2, 3, 4"
    assert (
        organiser.act("clear").json["error"] == organiser.act("close_event").json["error"] == left
    )
    assert organiser.act("clear", table=1).status == 200
    assert organiser.act("clear", table=2).status == 409
    play(venue, service, organiser)
    assert (told := organiser.get("/api/packing").json)["ready"] and told["open"] == []
    assert organiser.act("clear").status == organiser.act("close_event").status == 200


def test_an_event_is_closed_with_a_result_to_come_where_somebody_says_so(venue, service, organiser):
    organiser.act("publish", round=1)
    state(venue, service)
    assert organiser.act("close_event").status == 409
    assert organiser.act("close_event", anyway=True).status == 200


def test_a_change_is_asked_about_and_sent_to_the_tables_of_a_published_round(
    venue, service, organiser
):
    organiser.act("publish", round=1)
    state(venue, service)
    card = organiser.get("/api/rounds").json["open"]["1"]
    swap = {"round": 1, "version": card["version"], "a": "1", "b": "2"}
    asked = organiser.act("swap_players", **swap).json
    assert asked["does"] == [
        "table 1: Given0 Family – Given2 Family",
        "table 2: Given1 Family – Given3 Family",
    ]
    assert [one.partition(":")[0] for one in asked["warns"]] == [
        "round 1 is published",
        "the board of table 1, 2 gets the new pairing",
    ]
    assert asked["ask"].endswith("Do this?")
    assert state(venue, service)["tables"]["1"]["b"]["number"] == "1"
    made = organiser.act("swap_players", **swap, sure=True).json["orders"]
    assert len(made) == 4  # tables 1 and 2, round and format each
    told = state(venue, service)["tables"]
    assert [told["1"][seat]["number"] for seat in "ab"] == ["0", "2"]
    assert [told["2"][seat]["number"] for seat in "ab"] == ["1", "3"]
    assert "somebody changed" in organiser.act("swap_players", **swap, sure=True).json["error"]
    assert organiser.act("swap_players", round=1, a="0", b="0").status == 409
    assert organiser.act("swap_players", round=9, a="0", b="1").status == 409
    organiser.act("start")
    assert "has its start" in organiser.act("swap_players", round=1, a="0", b="1").json["error"]
    assert organiser.get("/api/rounds").json["open"] == {}


def test_who_comes_late_takes_a_seat_or_the_bye(venue, service, organiser):
    roster = service.archive.roster
    players = [Player(str(n), f"Given{n} Family") for n in range(3)]
    roster.store_round(
        2,
        Format(0, 3 << 1, 50),
        [Pairing(2, 1, 1, *players[:2]), Pairing(2, 2, None, players[2], None)],
    )
    venue.station.refresh()
    organiser.act("add_player", number="77", name="Zoë Late")
    organiser.act("add_player", number="78", name="Yann Later")
    absent = organiser.get("/api/rounds").json["open"]["2"]["absent"]
    assert [one["number"] for one in absent] == [*"34567", "77", "78"]
    told = organiser.act("swap_players", round=2, a="77", b="2", sure=True).json
    assert told["told"] == "table 2: Zoë Late – Given2 Family"
    assert len(organiser.act("publish", round=2).json["orders"]) == 4
    told = organiser.act("swap_players", round=2, a="78", b="77", sure=True).json
    assert told["told"] == "table 2: Yann Later – Given2 Family, Zoë Late has a bye"
    assert len(told["orders"]) == 2
    organiser.act("drop", number="78", sure=True)
    assert organiser.act("swap_players", round=2, a="78", b="77", sure=True).status == 409
    out = organiser.act("give", round=2, number="78", gives="out", sure=True).json
    assert (
        out["told"] == "table 2: Zoë Late – Given2 Family, Yann Later does not play in this round"
    )


def test_a_late_entry_has_the_losses_or_byes_that_the_organiser_decides(venue, service, organiser):
    organiser.act("publish", round=1)
    state(venue, service)
    late = {"number": "77", "name": "Zoë Late", "missed": "loss"}
    said = organiser.act("add_player", **late).json["said"]
    assert said == ["Zoë Late, 77: round 1 counts as a loss"]
    organiser.act("add_player", number="78", name="Yann Later", missed="bye")
    people = {one["number"]: one["missed"] for one in organiser.get("/api/people").json["people"]}
    assert people["77"] == {"1": "loss"} and people["78"] == {"1": "bye"} and people["0"] == {}
    play(venue, service, organiser)
    organiser.act("choose_pack", pack=PACK.name)
    told = {one["name"]: one for one in organiser.get("/api/standings").json["lines"]}
    assert told["Zoë Late"]["values"][0] == "0" and told["Yann Later"]["values"][0] == "3"
    assert (told["Zoë Late"]["byes"], told["Yann Later"]["byes"]) == (0, 1)
    assert organiser.act("draft", seed=3).json["said"] == []
    assert {"77", "78"} <= drafted(service, 2)
    lines = organiser.get("/api/rounds").json["open"]["2"]["seats"]
    points = {one["number"]: one["points"] for line in lines for one in (line["a"], line["b"])}
    assert points["77"] == 0 and points["78"] == 3
    said = organiser.act("count_missed", number="zoe late", missed="nothing").json["said"]
    assert said == [DRAWN_BEFORE]
    assert organiser.act("count_missed", number="0", missed="loss").status == 409


def test_the_next_draft_keeps_the_tables(venue, service, organiser):
    organiser.act("seat_at", number="6", table=1, stays=True, sure=True)
    organiser.act("feature", table=3)
    assert organiser.get("/api/rounds").json["features"] == [3]
    play_first(venue, service, organiser)
    organiser.act("draft", pack=PACK.name, seed=2)
    here = next(one for one in service.archive.roster.pairings_of(2) if one.table == 1)
    assert "6" in (here.a.number, here.b.number)
    asked = organiser.get("/api/rounds").json
    assert asked["kept"] == [{"table": 1, "number": "6", "name": "Given6 Family"}]
    version = asked["open"]["2"]["version"]
    lost = {"round": 2, "version": version, "number": "6", "gives": "loss"}
    assert organiser.act("give", **lost, sure=True).status == 200
    assert organiser.act("drop_draft", round=2).status == 200
    organiser.act("draft", seed=2)
    assert organiser.get("/api/rounds").json["open"]["2"]["losses"] == [], "it was of that draft"


def test_deck_checks_are_a_tenth_drawn_again_alike_and_never_near_time(venue, service, organiser):
    organiser.act("publish", round=1)
    state(venue, service)
    first = organiser.get("/api/checks").json
    assert first["plan"]["needed"] == 1 and len(first["players"]) == 1
    assert organiser.get("/api/checks").json == first
    assert first["lists"] == {"seen_by": ["organiser", "judge", "owner"], "may_change": False}
    drawn = first["players"][0]
    assert drawn["now"] and drawn["avoid"] == ""
    organiser.act("start")
    venue.air.run(140_000 + 40 * 60_000)
    state(venue, service)
    assert organiser.get("/api/checks").json["players"][0]["avoid"] == "near_time"
    assert organiser.act("checked", player=drawn["number"]).status == 200
    told = organiser.get("/api/checks").json
    assert told["plan"]["left"] == 0 and told["players"] == []
    assert told["done"][0]["number"] == drawn["number"]
    assert organiser.act("plan_checks", premier=True).status == 200
    assert organiser.get("/api/checks").json["plan"]["mandatory"]
    kinds = {order.kind for order in service.archive.orders.all}
    assert kinds == {intents.JOIN_EVENT, intents.SET_ROUND, intents.SET_FORMAT, intents.SET_START}


def test_a_check_does_not_change_whose_deck_is_next():
    decks = [str(number) for number in range(100)]
    order = deck_checks.draw(decks, (), 10, "1 0")
    assert deck_checks.draw(decks, order[:4], 6, "1 0") == order[4:]
    assert deck_checks.draw(decks, order[:4], 6, "1 1") != order[4:], "drawn again, it is another"


def test_the_beacon_is_switched_where_one_is_sent(venue, organiser):
    assert organiser.act("beacon", on=False).json["error"] == (
        "there is no beacon here: plusthree serve sends it"
    )
    venue.station.beacon_on = True
    for on in (False, True):
        assert organiser.act("beacon", on=on).status == 200
        assert venue.station.beacon_on is on
    told = [str(line["what"]) for line in event_log.lines(venue.archive)]
    assert told[-2:] == ["beacon switched off", "beacon switched on"]
    assert organiser.act("beacon").status == 400


def test_boards_are_shown_swapped_and_packed(venue, service, organiser):
    venue.archive.roster.add_board(Board(200, 1, SPARE), 0)
    venue.station.refresh()
    organiser.act("publish", round=1)
    told = settle_without(venue, service)
    assert told["boards"]["200"]["table"] == 0 and told["boards"]["200"]["heard_ms"] is None
    packing = organiser.get("/api/packing").json
    assert packing["unseen"] == [200] and not packing["ready"]
    assert organiser.act("blink", table=2).status == 200
    assert organiser.act("blink", table=99).status == 409
    assert organiser.act("swap", table=1, device=200, reason="coffee").status == 200
    told = settle_without(venue, service)
    assert told["tables"]["1"]["device"] == 200 and "101" not in told["boards"]
    assert organiser.act("revoke", device=102, reason="stolen").status == 200
    assert settle_without(venue, service)["tables"]["2"]["missing_board"]


def test_a_table_without_a_board_is_named_until_its_result_came(venue, service, organiser):
    organiser.act("publish", round=1)
    settle_without(venue, service)
    for device in (101, 102):
        assert organiser.act("revoke", device=device, reason="lost").status == 200
    told = settle_without(venue, service)["tables"]
    assert told["1"]["needs"] == told["2"]["needs"] == ["no_board"]
    organiser.act("plan_checks", premier=True)
    seats = organiser.get("/api/checks").json["players"]
    assert {one["avoid"] for one in seats if one["table"] in (1, 2)} == {"no_board"}
    for outcome in ("A", "none"):
        typed = {"table": 2, "outcome": outcome, "numbers": [1, 0], "reason": "slip"}
        assert organiser.act("result", **typed).status == 200
        one = settle_without(venue, service)["tables"]["2"]
        assert one["missing_board"] and one["needs"] == ["no_board"] * (outcome == "none")
    said = [str(one["value"]) for one in event_log.lines(venue.archive)]
    assert "round 1, table 2: ▲ wins (1–0): slip" in said
    assert "round 1, table 2: withdrawn: slip" in said


def settle_without(venue, service):
    """Let a minute pass; a spare that nobody switched on answers nothing."""
    venue.air.run(60_000)
    service.change_feed.touch()
    service.change_feed.step(venue.air.now_ms)
    return service.change_feed.state("staff", venue.air.now_ms)


def test_a_link_is_told_for_each_network(service, organiser):
    assert organiser.act("make_link", role="judge", name="Ada").json["also"] == []
    service.also.append("https://10.8.0.2:8080")
    made = organiser.act("make_link", role="judge", name="Björn").json
    assert made["also"] == ["https://10.8.0.2:8080/l/" + made["url"].rpartition("/")[2]]


def test_links_are_made_and_revoked(service, organiser):
    made = organiser.act("make_link", role="judge", name="Björn").json
    assert made["qr"].startswith("data:image/svg+xml")
    assert made["url"].startswith("http://desk.test:8080/l/")
    judge = Browser(service)
    judge.enter(made["url"].rpartition("/")[2])
    assert judge.get("/api/me").json["role"] == "judge"
    assert organiser.act("revoke_link", id=made["id"]).status == 200
    assert judge.get("/api/me").status == 401 and judge.act("freeze", table=1).status == 401
    assert Browser(service).get(made["url"].removeprefix("http://desk.test:8080")).status == 401
    told = organiser.get("/api/links").body.decode() + organiser.get("/api/log").body.decode()
    assert "Björn" in told and made["url"].rpartition("/")[2] not in told
