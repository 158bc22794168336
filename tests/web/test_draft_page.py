"""A draft changed by hand in Chromium: two touches and a yes, on a laptop and on a phone."""

import pytest
import webevening
from browser import photograph
from playwright.sync_api import expect

from host.archive import fixed_tables

PLAYERS = 13  # six tables and a bye


def event():
    """Round 1 as an event file; the last player has the bye."""
    rows = [f"{n // 2 + 1},{n},Trainer {n:02},{n + 1},Trainer {n + 1:02}" for n in range(1, PLAYERS, 2)]  # fmt: skip
    heads = ("# event: City Cup", "# round: 1", "# format: p18 swiss bo3 constructed 50")
    return "\n".join((*heads, "table,number_a,name_a,number_b,name_b", *rows, f",{PLAYERS},Trainer {PLAYERS},,")) + "\n"  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("draft")
    webevening.imported(folder, "round1.csv", event())
    with webevening.EveningDesk(folder) as desk:
        yield desk


def seats(desk):
    pairings = desk.ask(lambda station: station.archive.roster.pairings_of(1))
    return {one.table: (one.a.number, one.b and one.b.number) for one in pairings}


def touch(person, number):
    person.page.locator(f".seat[data-number='{number}']").click()


def test_two_players_change_places_with_three_clicks(chromium, desk):
    person = webevening.Person(chromium, desk, "organiser", "laptop", "en-GB")
    person.panel("rounds")
    shown = person.page.locator(".draft-bar")
    with person.clicks("swap two players", 3):
        touch(person, 1)
        touch(person, 4)
        expect(shown.locator(".does li")).to_have_text(
            ["table 1: Trainer 04 – Trainer 02", "table 2: Trainer 03 – Trainer 01"]
        )
        assert seats(desk)[1] == ("1", "2"), "nothing is done before somebody is sure"
        photograph(person.page, "draft-laptop")
        shown.locator("[data-act=do_change]").click()
        person.done()
    assert seats(desk)[1] == ("4", "2") and seats(desk)[2] == ("3", "1")
    undo = person.page.locator("[data-act=undo_pairing]")
    expect(undo).to_have_text("Undo: Trainer 01 and Trainer 04 changed places")
    undo.click()
    person.done()
    assert seats(desk)[1] == ("1", "2")
    expect(undo).to_have_count(0)


def test_two_people_at_one_draft_on_a_phone(chromium, desk):
    person = webevening.Person(chromium, desk, "organiser", "phone", "en-GB")
    other = webevening.Person(chromium, desk, "organiser", "laptop", "en-GB")
    for one in (person, other):
        one.panel("rounds")
    touch(person, 5)
    touch(other, 7)
    form = other.page.locator(".draft-bar [data-form=seat_at]")
    other.fill(form, table=1, stays="true")
    form.locator("[type=submit]").click()
    expect(other.page.locator(".does li").first).to_contain_text("from table 4 to table 1")
    other.page.locator("[data-act=do_change]").click()
    other.done()
    assert desk.ask(lambda station: fixed_tables.fixed(station.archive)) == {"7": 1}
    touch(person, 6)
    expect(person.page.locator(".note.bad")).to_contain_text("Somebody changed round 1 meanwhile")
    chromium.errors.clear()  # a browser says itself that an act was refused
    person.page.locator(".note.bad [data-act=dismiss]").click()
    expect(person.page.locator(".seat[aria-pressed=true]")).to_have_count(0)
    touch(person, 8)
    person.page.locator("[data-act=give_player][data-gives=loss]").click()
    expect(person.page.locator(".does li")).to_have_text(
        ["table 1: Trainer 07 – Trainer 13", "Trainer 08 has a loss in this round"]
    )
    photograph(person.page, "draft-phone")
    person.page.go_back()
    person.page.go_forward()
    expect(person.page.locator(".draft-bar")).to_have_count(0)
