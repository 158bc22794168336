"""The desk log as its readers see it: what was done, by whom and in which role."""

import pytest
from browser import photograph, serious, sized
from playwright.sync_api import expect
from virtualdesk import VirtualDesk


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A round that its organiser published and started on a page, and a judge looked after."""
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=4, seed=7) as desk:
        desk.advance(20)
        yield desk


@pytest.fixture(scope="module")
def played(module_chromium, desk):
    page = module_chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#rounds")
    page.locator("[data-act=publish]").click()
    expect(page.locator(".note.good")).to_be_visible()
    page.locator("[data-form=start] [type=submit]").click()
    expect(page.locator(".note.good")).to_contain_text("The round starts")
    page.context.close()
    desk.advance(200)
    desk.ask(lambda station: station.desk.extend(2, 4, "Jo Weiß, floor judge", "deck check"))
    desk.ask(lambda station: station.desk.freeze(3))
    return desk


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_who_published_and_started_a_round_can_be_read(chromium, played, locale):
    page = chromium.open(played.links["organiser"], locale=locale, at=f"{played.url}/desk#log")
    words = {
        "en-GB": ("round published", "start of the round set", "organiser"),
        "it-IT": ("round pubblicato", "inizio del round fissato", "organizzatore"),
    }[locale]
    for title in words[:2]:
        row = page.locator(".panel tr", has_text=title)
        expect(row).to_have_count(1)
        expect(row.locator("td").nth(1)).to_contain_text(words[2])
    for size in sized(page):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        photograph(page, f"desk-log-{size}-{locale[:2]}")
        assert not serious(page)
