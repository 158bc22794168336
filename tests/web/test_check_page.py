"""The page that recomputes rolls: in a real Chromium, from an honest host and from one that lies."""

import json

import browser
import pytest
from playwright.sync_api import expect
from virtualdesk import VirtualDesk

from firmware.core import intents, luck, seeds

FLIPS = (0, 3, luck.UNTIL)
TABLE = 2


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A round in which a table flips three times and comes to its end, and others still play."""
    with VirtualDesk(tmp_path_factory.mktemp("check"), tables=4, seed=7) as desk:
        desk.open_round()
        desk.ask(lambda station: station.desk.set_policy(None, luck.SWITCHED_ON))
        desk.advance(600)
        for seat in (0, 1):
            desk.press(TABLE, intents.CONSENT, seat)
        for many in FLIPS:
            desk.press(TABLE, intents.ROLL, luck.CARD << 4, many)
            for seat in (0, 1):
                desk.press(TABLE, intents.AGREE_ROLL, seat)
        desk.advance(30)
        desk.ask(lambda station: station.desk.rule(TABLE, "A", (2, 0), "Ada", "so", final=True))
        desk.advance(60)
        yield desk


def opened(chromium, desk, place="", size="laptop", change=None, role="viewer", **more):
    """Open the page; ``change(answer)`` changes what the host tells it."""
    page = chromium.open(desk.links[role], size, at=browser.EMPTY, **more)
    if change:

        def fulfil(route):
            answer = route.fetch().json()
            change(answer)
            route.fulfill(body=json.dumps(answer), content_type="application/json")

        page.route("**/api/check?*", fulfil)
    page.goto(f"{desk.url}/check{place}")
    expect(page.locator("main h1")).to_be_visible()
    return page


def test_an_honest_match_fits(chromium, desk):
    page = opened(chromium, desk)
    expect(page.locator(".commitments > li")).to_have_count(4)
    expect(page.locator(".commitments code")).to_have_count(4)
    page.locator(".commitments a").click()
    expect(page.locator(".rolls li")).to_have_count(len(FLIPS))
    expect(page.locator(".match > .verdict")).to_have_text(
        ["The seed fits the commitment.", "All 3 rolls fit."]
    )
    expect(page.locator(".rolls .verdict.good")).to_have_count(len(FLIPS))
    expect(page.locator(".verdict.bad")).to_have_count(0)
    assert browser.serious(page) == []


def _match(answer):
    return answer["lines"][0]["matches"][0]


def _face(answer):
    _match(answer)["seed"]["rolls"][0]["face"] ^= 3


def _id(answer):
    _match(answer)["seed"]["rolls"][1]["id"] = "0000-2"


def _left_out(answer):
    del _match(answer)["seed"]["rolls"][0]


def _seed(answer):
    _match(answer)["seed"]["seed"] = "ab" * 32


def _nonce(answer):
    _match(answer)["seed"]["nonce"] = None


def _place(answer):
    _match(answer)["seed"]["place"][3] += 1


def _nonsense(answer):
    _match(answer)["seed"] |= {"seed": "", "place": [None] * 5}


@pytest.mark.parametrize(("change", "sentence"), [
    (_face, "Does not fit: seed and nonce give"),
    (_id, "The audit id does not fit"),
    (_left_out, "rolls before this one are missing"),
    (_seed, "The seed does not fit the commitment"),
    (_nonce, "Does not fit: seed and nonce give"),
    (_place, "The seed does not fit the commitment"),
    (_nonsense, "The seed does not fit the commitment"),
])  # fmt: skip
def test_whatever_is_changed_is_found(chromium, desk, change, sentence):
    page = opened(chromium, desk, f"#1/{TABLE}", change=change)
    expect(page.locator(".verdict.bad", has_text=sentence).first).to_be_visible()
    expect(page.locator(".match > .verdict.bad").last).to_have_text(
        "Something here does not fit: call a judge."
    )
    if change is _face:
        expect(page.locator(".rolls .verdict.bad")).to_have_count(1)
        browser.photograph(page, "check-changed")


def test_a_host_that_changes_the_commitment_is_found_by_who_looked_before(chromium, desk):
    def another(answer):
        for line in answer["lines"]:
            for match in line["matches"]:
                if line["table"] == TABLE:
                    seed = bytes(32)
                    place = match["seed"]["place"] if match["seed"] else [0] * 5
                    match["commitment"] = seeds.commitment(place, seed).hex()

    page = opened(chromium, desk)
    expect(page.locator(".commitments > li")).to_have_count(4)
    expect(page.locator(".verdict")).to_have_count(0)
    fetched = []

    def fulfil(route):
        answer = route.fetch().json()
        another(answer)
        fetched.append(answer)
        route.fulfill(body=json.dumps(answer), content_type="application/json")

    page.route("**/api/check?*", fulfil)
    page.reload()
    expect(page.locator(".verdict.bad")).to_have_text(
        "This browser saw another commitment here before: call a judge."
    )
    assert fetched


def test_a_match_that_goes_on_says_when_it_can_be_checked(chromium, desk):
    page = opened(chromium, desk, "#1/1")
    expect(page.locator(".match .quiet")).to_contain_text("The match is not over")
    page.goto(f"{desk.url}/check#1/99")
    expect(page.locator(".ask")).to_contain_text("does not play in round 1")
    page.context.close()
    chromium.errors.clear()  # a browser says itself that a read was refused


def test_the_page_is_reached_from_the_seats_and_from_a_judges_sheet(chromium, desk):
    player = chromium.open(desk.links["viewer"], "phone", at=f"{desk.url}/seats")
    player.locator("main a[href='/check']").click()
    expect(player.locator(".commitments > li")).to_have_count(4)
    player.context.close()
    judge = chromium.open(desk.links["judge"], "phone", at=f"{desk.url}/hall")
    judge.locator(f".card[data-table='{TABLE}']").click()
    judge.locator("dialog summary[data-act=history]").click()
    judge.locator("dialog a[href^='/check']").click()
    expect(judge.locator(".rolls li")).to_have_count(len(FLIPS))


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("it-IT", "dark")])
def test_the_page_fits_every_screen(chromium, desk, locale, scheme):
    page = opened(chromium, desk, locale=locale, scheme=scheme)
    for shown in (".commitments > li", ".rolls > li"):
        expect(page.locator(shown).first).to_be_visible()
        for size in browser.sized(page):
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert browser.serious(page) == []
            browser.photograph(page, f"check-{shown[1:4]}-{size}-{scheme}")
        page.goto(f"{desk.url}/check#1/{TABLE}")
