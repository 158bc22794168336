"""The standings page of an evening with a cut, clicked from the first round to the champion."""

import pytest
from browser import expect, photograph, sized
from virtualdesk import VirtualDesk

from host.server.console import Console

PACK = "Pokémon Swiss, 3-1-0"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=4, seed=7) as desk:
        yield desk


@pytest.fixture(scope="module")
def organiser(module_chromium, desk):
    page = module_chromium.open(desk.links["organiser"], "laptop")
    page.on("dialog", lambda dialog: dialog.accept())
    return page


def typed(desk, *lines):
    told = desk.ask(lambda station: [Console(station, "Olga").run(one) for one in lines])
    assert not [one for one in told if str(one).startswith("['not done")], told


def won_by_a(desk, tables, games="2 0"):
    typed(desk, *(f"result {table} A {games} slip" for table in tables))


def panel(page, desk, name):
    page.goto(f"{desk.url}/desk#{name}")
    found = page.locator(f".panel-{name}")
    expect(found).to_be_visible()
    return found


def ranked(found):
    expect(found.locator("tbody tr")).to_have_count(8)
    rows = found.locator("tbody tr")
    cells = [rows.nth(at).locator("td").all_inner_texts() for at in range(8)]
    return {name: place for place, name, *_ in cells}


def next_round(page, desk, cut=""):
    form = panel(page, desk, "rounds").locator("[data-form=draft]")
    form.locator("[name=cut]").select_option(cut)
    form.locator("[type=submit]").click()
    page.locator("[data-act=publish]").click()
    expect(page.locator("[data-act=publish]")).to_have_count(0)


def test_a_cut_is_played_to_its_champion(desk, organiser):
    page = organiser
    choose = panel(page, desk, "rounds").locator("[data-form=choose_pack]")
    choose.locator("[name=pack]").select_option(PACK)
    choose.locator("[type=submit]").click()
    expect(page.locator(".note.good").last).to_be_visible()
    page.locator("[data-act=publish]").click()
    expect(page.locator("[data-act=publish]")).to_have_count(0)
    found = panel(page, desk, "standings")
    expect(found).to_contain_text("no round is finished yet")
    found.locator("[name=round]").select_option("1")
    ranked(found)  # one step away: as it stands
    won_by_a(desk, range(1, 5))
    page.reload()
    next_round(page, desk)
    found = panel(page, desk, "standings")
    expect(found.locator("[name=round]")).to_have_value("1")
    expect(found).to_contain_text("after round 1; choose round 2 to see it as it stands")
    won_by_a(desk, range(1, 5))
    page.reload()
    expect(found.locator("[name=round]")).to_have_value("2")
    swiss = ranked(found)
    expect(found.locator(".bracket")).to_have_count(0)
    next_round(page, desk, "2")
    found = panel(page, desk, "standings")
    expect(found.locator(".bracket .column")).to_have_count(1)
    told = ranked(found)
    assert {name for name, place in told.items() if place == "1–2"} == set(list(swiss)[:2])
    expect(found.locator(".ask", has_text="places 1 to 2 are open")).to_have_count(1)
    seats = desk.ask(lambda station: station.archive.roster.pairings_of(3))[0]
    typed(desk, f"result {seats.table} B 1 2 slip")
    page.reload()
    expect(found.locator(".champion")).to_have_text(f"Champion: {seats.b.name}")
    expect(found.locator(".match .won .name title")).to_have_text(seats.b.name)
    told = ranked(found)
    assert (told[seats.b.name], told[seats.a.name]) == ("1", "2")
    assert swiss[seats.a.name] == "1", "who lost the final led after Swiss"


@pytest.mark.parametrize(("locale", "word"), [("en-GB", "Final"), ("it-IT", "Finale")])
def test_it_is_whole_at_every_size(chromium, desk, locale, word):
    page = chromium.open(desk.links["organiser"], locale=locale, at=f"{desk.url}/desk#standings")
    expect(page.locator(".panel-standings .bracket .head").first).to_have_text(word)
    for size in sized(page):
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, "the page scrolls sideways"
        photograph(page, f"standings-{size}-{locale[:2]}")
