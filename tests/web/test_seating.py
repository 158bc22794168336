"""What the host tells of seats: to whom which numbers, and lists on paper from the desk."""

import pytest
from webclient import Browser, office_of

pytestmark = pytest.mark.venue(tables=4)


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
