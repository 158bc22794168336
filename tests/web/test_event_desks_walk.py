"""Two events in a browser: the start page, then the desk of each, on a phone and on a laptop."""

import contextlib

import browser
import pytest
from playwright.sync_api import expect
from tabletop import MASTER
from threaded import Threaded, running
from twoevents import TwoEvents

from host.archive.access_links import ROLES
from host.tournament.rule_packs import shipped_packs
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.event_desks import EventDesks
from host.web.sessions import Sessions


class TwoDesks(Threaded):
    """Use as a context; ``url``, and ``links`` by word and role. The cup has played its round."""

    def __init__(self, folder):
        self._folder = folder

    @contextlib.asynccontextmanager
    async def served(self):
        sock = http_loop.bind(http_loop.LOOPBACK, 0)
        host = f"{http_loop.LOOPBACK}:{sock.getsockname()[1]}"
        self.url, self.links = f"http://{host}", {}
        self.two = TwoEvents(self._folder)
        self.two.play("cup", 7)
        self.desks, tasks = EventDesks((host,), False), []
        for word, station in self.two.stations.items():
            service = DeskService(
                station, Sessions(MASTER, False, word), self.two.shares[word].now_ms, shipped_packs(),
                self.url, base=f"/{word}",
            )  # fmt: skip
            self.desks.add(word, service)
            tasks.append(http_loop.tick(service))
            for role in ROLES:
                token = service.links.make(role, role, "test", 0)[1]
                self.links[word, role] = f"{service.address}/l/{token}"
        tasks.append(
            http_loop.run(self.desks, sock, None, http_loop.sweep(sock), self.desks.end_all)
        )
        async with running(*tasks):
            yield
        self.two.close()
        sock.close()

    def ask(self, function):
        return self.call(function, self.two)


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
