"""The results panel belongs to the round that runs: nothing goes to another one."""

import json

import pytest
import webevening
from playwright.sync_api import expect

from host.desk import paper_entry
from host.desk.staff import Staff

NAMES = ["Ada Bianchi", "Bo Conti", "Carla D’Angelo", "Dario Esposito"]
ROUND_1 = [{"player1": NAMES[0], "player2": NAMES[1]}, {"player1": NAMES[2], "player2": NAMES[3]}]
READ = "**/api/results*"


@pytest.fixture
def desk(tmp_path):
    """Four players of X-Wing, whose round 1 is over."""
    one = {"round-type": "swiss", "round-number": 1, "matches": ROUND_1}
    text = json.dumps({"name": "Cup", "players": [{"name": one} for one in NAMES], "rounds": [one]})
    webevening.imported(tmp_path, "cup.json", text)
    with webevening.EveningDesk(tmp_path) as desk:
        desk.ask(_play)
        desk.advance(2)
        yield desk


def _play(station):
    station.desk.publish(1)
    for table in (1, 2):
        paper_entry.enter(Staff(station, "Ada"), table, "A", (60, 0), "slip", sure=True)


def _results(desk, number):
    found = desk.ask(lambda station: station.hall.results(number))
    return {pairing: (one.outcome, one.author) for pairing, one in found.items()}


def test_results_are_of_the_round_that_runs(chromium, desk):
    person = webevening.Person(chromium, desk, "organiser", "laptop", "en-GB")
    page, panel = person.page, person.panel("results")
    line = panel.locator("[data-form=result]")
    first = panel.locator("tbody tr").first
    expect(first).to_contain_text(NAMES[1])
    before = _results(desk, 1)
    judge = webevening.Person(chromium, desk, "judge", "phone", "en-GB")
    judge.open_sheet(1)
    sheet = judge.page.locator("dialog.sheet")
    sheet.locator("[data-form=result] label", has=judge.page.locator("[value=B]")).click()
    person.panel("rounds").locator("[data-form=draft] [type=submit]").click()
    person.done()
    desk.ask(lambda station: station.desk.publish(2))
    desk.advance(2)
    expect(page.locator(".bar .round")).to_contain_text("2")
    expect(sheet.locator(".player").nth(1)).to_contain_text(NAMES[2])
    # what was chosen for the last two players is not chosen for these, and it says so
    expect(sheet.locator("[data-form=result] [value=B]")).not_to_be_checked()
    expect(sheet.locator(".note.ask")).to_have_text(
        "Round 2 is published: this is table 1 in that round. Nothing typed here for the round"
        " before was sent."
    )
    judge.page.context.close()

    held = []
    page.route(READ, lambda route: held.append(route))
    person.panel("results")
    expect(line).to_have_attribute("data-round", "2")
    expect(line.locator("h2")).to_contain_text("Round 2")
    expect(first).to_have_count(0)  # what was read of round 1 is not shown as round 2's
    person.submit(line, table=1, outcome="B", number_a=10, number_b=60)
    person.done()
    expect(line.locator("[name=table]")).to_have_value("")
    assert _results(desk, 1) == before and [*_results(desk, 2).values()] == [("B", "Organiser")]

    for one in held:
        one.continue_()
    page.unroute(READ)
    expect(page.locator("[data-what=round]")).to_have_value("2")
    expect(first).to_contain_text(NAMES[0])
    expect(first).to_contain_text(NAMES[2])
    with page.expect_request(READ) as asked:
        page.reload()
    assert asked.value.url == f"{desk.url}/api/results?round=2"
    expect(first).to_contain_text(NAMES[2])
