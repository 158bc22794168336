"""Two events in a browser: the start page, then the desk of each, on a phone and on a laptop."""

import browser
import pytest
from playwright.sync_api import expect
from twodesks import TwoDesks

CHOOSE = {"en-GB": "Choose your event", "it-IT": "Scegli il tuo evento"}
AWAY = "non risponde"
EVERY_MS = 10_000  # start.js
NO_LINK = "your own link"


@pytest.fixture(scope="module")
def desks(tmp_path_factory):
    with TwoDesks(tmp_path_factory.mktemp("two")) as made:
        yield made


@pytest.mark.parametrize("size", ["phone", pytest.param("laptop", marks=pytest.mark.prove)])
def test_from_the_start_page_to_the_desk_of_each(chromium, desks, size):
    width, height = browser.SIZES[size]
    context = chromium.context(viewport={"width": width, "height": height}, locale="en-GB")
    page = context.new_page()
    page.goto(desks.url)
    page.locator("text=Cup").click()
    expect(page.locator("main")).to_contain_text(NO_LINK)  # not yet: each event has its links
    for word in ("cup", "league"):
        page.goto(desks.links[word, "organiser"])
        page.wait_for_url(f"{desks.url}/{word}/desk")
        expect(page.locator(".bar .event")).to_have_text(word.title())
    page.goto(desks.url)
    for word in ("league", "cup"):  # this browser is let into both now
        page.locator(f".events a[href='/{word}/']").click()
        page.wait_for_url(f"{desks.url}/{word}/desk")
        expect(page.locator(".bar .event")).to_have_text(word.title())
        assert not browser.serious(page)
        page.locator("nav a", has_text="Judge").first.click()
        page.wait_for_url(f"{desks.url}/{word}/judge")
        expect(page.locator("main")).to_contain_text("Nobody is waiting for a judge")
        page.goto(desks.url)
    page.goto(f"{desks.url}/cup/desk#boards")
    form = page.locator("[data-form=hand_on]")
    form.scroll_into_view_if_needed()
    browser.photograph(page, f"hand-on-{size}")
    browser.fill(form, {"device": "8", "event": "league", "reason": "a spare"})
    form.locator("[type=submit]").click()
    expect(page.locator(".notes")).to_contain_text("Board 8 goes to league")
    desks.ask(lambda two: two.run(60_000))
    page.goto(f"{desks.url}/league/desk#boards")
    expect(page.locator("table")).to_contain_text("8")
    desks.ask(lambda two: two.handing.hand_on(two.stations["league"], 8, "cup", "Ada"))
    desks.ask(lambda two: two.run(60_000))


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_the_start_page_in_each_look(chromium, desks, locale):
    page = chromium.context(locale=locale).new_page()
    page.goto(desks.url)
    expect(page.locator("main")).to_contain_text(CHOOSE[locale])
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    for size in browser.sized(page, ("phone", "laptop")):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "is cut off"
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert not browser.serious(page)
            browser.photograph(page, f"start-{size}-{scheme}-{locale[:2]}")


def test_the_start_page_follows_each_event_in_its_language(chromium, desks):
    page = chromium.context(locale="en-GB").new_page()
    page.clock.install()
    page.goto(f"{desks.url}/?language=it")
    cup, league = (page.locator(f".events a[href='/{word}/']") for word in ("cup", "league"))
    expect(league).to_contain_text("prima del round 1")
    cup.focus()
    desks.ask(lambda two: two.stations["league"].desk.publish(1))
    page.clock.run_for(EVERY_MS)
    expect(league).to_contain_text("il round 1 è pubblicato")
    expect(cup).to_be_focused()
    away = page.locator(".away")
    expect(away).to_be_hidden()
    page.context.set_offline(True)
    page.clock.run_for(EVERY_MS)
    expect(away).to_contain_text(AWAY)
    expect(league).to_contain_text("il round 1 è pubblicato")
    page.context.set_offline(False)
    page.clock.run_for(EVERY_MS)
    expect(away).to_be_hidden()
