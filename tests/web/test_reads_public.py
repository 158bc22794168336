"""What players are told: seats and numbers, the standings that were published, and their own rounds."""

import playedrounds
import pytest
from webclient import Browser, office_of

from host.archive.access_links import ROLES
from host.archive.people import DROPPED, People
from host.tournament import event_pack, rule_packs
from host.web.recent_results import KEPT_MS

pytestmark = pytest.mark.venue(tables=4)


@pytest.fixture
def players(venue):
    """Who plays; round 1 is over, under a rule pack."""
    event_pack.choose(venue.archive, rule_packs.load("pokemon-swiss"), "Olga", 0)
    venue.station.desk.publish(1)
    pairings = venue.archive.roster.pairings_of(1)
    playedrounds.play(venue.archive, 1, pairings)
    return [one for pairing in pairings for one in (pairing.a, pairing.b)]


@pytest.fixture
def viewer(venue, players, service):
    return Browser(service, "viewer")


@pytest.fixture
def organiser(venue, players, service):
    return Browser(service, "organiser", "Olga")


def told(browser):
    answer = browser.get("/api/published")
    assert answer.status == 200
    return answer.json


def test_players_see_nothing_until_the_organiser_publishes(viewer, organiser):
    assert told(viewer)["round"] is None and told(viewer)["lines"] == []
    assert viewer.get("/api/standings").status == 403
    answer = organiser.act("publish_standings")
    assert answer.json["told"] == "players see the standings after round 1 now"
    assert told(viewer)["round"] == 1 and len(told(viewer)["lines"]) == 8
    organiser.act("withdraw_standings")
    assert told(viewer)["round"] is None and told(viewer)["lines"] == []


def test_what_they_see_is_the_published_rounds_while_the_next_is_played(
    venue, players, viewer, organiser
):
    organiser.act("publish_standings", round=1)
    before = told(viewer)
    pairings = playedrounds.store(venue.station, 2, players[::-1])
    playedrounds.play(venue.archive, 2, pairings)
    assert told(viewer) == before
    answer = organiser.act("publish_standings", round=2)
    assert answer.status == 200 and told(viewer)["round"] == 2


def test_a_line_has_place_points_won_lost_tied_and_who_has_dropped(
    venue, players, viewer, organiser
):
    People(venue.archive).mark(players[2].number, DROPPED, "Olga", 0)
    organiser.act("publish_standings", round=1)
    lines = {line["name"]: line for line in told(viewer)["lines"]}
    first, left, tied = (lines[players[at].name] for at in (0, 2, 6))
    assert (first["place"], first["tally"], first["dropped"]) == ("1", [1, 0, 0], False)
    assert (left["tally"], left["dropped"]) == ([1, 0, 0], True)
    assert tied["tally"] == [0, 0, 1]
    points = told(viewer)["columns"].index("points")
    assert [one["values"][points] for one in (first, left, tied)] == ["3", "3", "1"]
    assert not any("number" in line for line in lines.values())


def test_a_round_that_is_not_over_is_refused_with_what_is_missing(venue, players, organiser):
    playedrounds.store(venue.station, 2, players[::-1])
    answer = organiser.act("publish_standings", round=2)
    assert answer.status == 409
    assert answer.json["error"].startswith("round 2 is not over: no result yet at table 1, 2, 3, 4")


def test_a_corrected_result_is_corrected_there_too(venue, players, viewer, organiser):
    organiser.act("publish_standings", round=1)
    assert told(viewer)["lines"][0]["tally"] == [1, 0, 0]
    venue.station.collector.now_ms += KEPT_MS
    pairings = venue.archive.roster.pairings_of(1)
    playedrounds.play(venue.archive, 1, pairings, [("tie", (1, 1))])
    assert {tuple(line["tally"]) for line in told(viewer)["lines"]} == {(0, 0, 1)}


def test_after_a_cut_they_see_final_places_and_the_bracket(venue, players, viewer, organiser):
    last = playedrounds.bracket(venue.station, players[:4], 2, 2)
    playedrounds.play(venue.archive, 3, last, [("B", (1, 2))])
    organiser.act("publish_standings")
    found = told(viewer)
    assert found["bracket"]["champion"] == last[0].b.name
    assert [line["name"] for line in found["lines"][:2]] == [last[0].b.name, last[0].a.name]
    assert [line["place"] for line in found["lines"][:3]] == ["1", "2", "3"]
    assert "number" not in found["bracket"]["rounds"][0]["boxes"][0]["players"][0]


def test_the_page_learns_what_is_published_with_the_state(venue, service, organiser):
    feed = service.change_feed
    assert feed.state("plain", 0)["standings"] is None
    organiser.act("publish_standings")
    feed.step(venue.air.now_ms)
    assert feed.state("plain", 0)["standings"] == 1


def test_a_pack_that_was_taken_back_leaves_players_nothing(viewer, organiser):
    organiser.act("publish_standings")
    organiser.act("choose_pack", pack="")
    assert told(viewer)["round"] is None


def own(browser, pairing, seat):
    return browser.get(f"/api/player?pairing={pairing}&seat={seat}")


def test_a_player_sees_the_own_rounds_points_and_score(venue, players, viewer):
    playedrounds.store(venue.station, 2, players[::-1][:-1])  # who was first has no seat
    found = own(viewer, 1, "A").json
    assert (found["tally"], found["points"]) == ([0, 0, 1], "1")
    assert found["rounds"] == [
        {"round": 1, "table": 4, "opponent": players[6].name, "how": "tied", "figures": [1, 1]},
        {"round": 2, "table": 1, "opponent": players[6].name, "how": "open", "figures": None},
    ]
    bye = own(viewer, 4, "").json
    assert bye["rounds"][-1] == {
        "round": 2, "table": None, "opponent": None, "how": "bye", "figures": None
    }  # fmt: skip
    assert viewer.get("/api/seating").json["lines"][0]["pairing"] in range(1, 5)


def test_without_a_pack_there_are_no_points_and_the_rounds_are_there(venue):
    venue.station.desk.publish(1)
    playedrounds.play(venue.archive, 1, venue.archive.roster.pairings_of(1))
    found = own(Browser(office_of(venue), "viewer"), 1, "B").json
    assert (found["tally"], found["points"]) == ([0, 1, 0], None)


@pytest.mark.parametrize("query", ["", "?pairing=9", "?pairing=x&seat=A", "?pairing=1&seat=C"])
def test_a_seat_that_is_none_gets_a_sentence(viewer, query):
    answer = viewer.get(f"/api/player{query}")
    assert answer.status == 409
    assert answer.json["error"] == "nobody sits there in this round: look for the name again"


def test_a_draft_is_in_nobodys_rounds(venue, players, viewer):
    form = venue.archive.roster.format_of(1)
    venue.archive.roster.store_round(2, form, venue.archive.roster.pairings_of(1))
    assert [one["round"] for one in own(viewer, 1, "A").json["rounds"]] == [1]


@pytest.mark.parametrize("role", ROLES[:-1])
def test_nobody_below_an_organiser_publishes(service, players, role):
    browser = Browser(service, role)
    assert browser.act("publish_standings").status == 403
    assert browser.act("withdraw_standings").status == 403


def test_a_viewer_is_told_no_numbers_but_the_one_that_was_asked_for(venue):
    service = office_of(venue)
    venue.station.desk.publish(1)
    viewer, judge = Browser(service, "viewer"), Browser(service, "judge")
    assert not any("number" in line for line in viewer.get("/api/seating").json["lines"])
    lines = judge.get("/api/seating").json["lines"]
    assert len(lines) == 8 and all(line["number"] for line in lines)
    found = viewer.get(f"/api/seating?number={lines[0]['number']}").json["lines"]
    assert [one["table"] for one in found] == [lines[0]["table"]]


def test_a_draft_is_nobodys_seat_yet(venue):
    told = Browser(office_of(venue), "viewer").get("/api/seating").json
    assert told == {"round": None, "lines": []}


def test_lists_and_slips_are_printed_from_the_desk(venue):
    service = office_of(venue)
    venue.station.desk.publish(1)
    organiser = Browser(service, "organiser")
    answer = organiser.get("/api/paper/names?language=it")
    assert "<h1>Posti per cognome</h1>" in answer.body.decode()
    assert "Family, Given0" in answer.body.decode()
    assert "style-src 'unsafe-inline'" in answer.headers["content-security-policy"]
    assert organiser.get("/api/paper/codes").status == 409
    assert Browser(service, "judge").get("/api/paper/slips").status == 403
