"""Several events at one address: their links, cookies and paths are apart; the start page, in a browser, too."""

import contextlib
import re

import browser
import pytest
from playwright.sync_api import expect
from tabletop import MASTER
from threaded import Threaded, running
from twoevents import TwoEvents
from webclient import HOST, Browser

from firmware.core import intents
from host.archive.access_links import ROLES
from host.server import log_file
from host.tournament.rule_packs import shipped_packs
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.event_desks import EventDesks
from host.web.sessions import Sessions

KEYS = {"cup": bytes(32), "league": bytes(range(32))}


class Below(Browser):
    """A browser at the desk of one event."""

    def __init__(self, desks, word, role=None, **more):
        service = next(one for one in desks.services if one.base == f"/{word}")
        self.base = service.base
        super().__init__(service, role, app=desks, **more)

    def ask(self, method, path, body, headers):
        return super().ask(method, self.base + path, body, headers)


@pytest.fixture
def two(tmp_path):
    found = TwoEvents(tmp_path)
    found.drain()
    yield found
    found.close()


@pytest.fixture
def desks(two):
    made = EventDesks((HOST,), False)
    for word, station in two.stations.items():
        service = DeskService(
            station, Sessions(KEYS[word], False, word), two.shares[word].now_ms,
            address=f"http://{HOST}", base=f"/{word}",
        )  # fmt: skip
        made.add(word, service)
    return made


@pytest.fixture
def start(desks):
    return Browser(desks.services[0], app=desks)


def test_a_judge_of_one_event_is_nobody_at_the_other(desks):
    judge = Below(desks, "cup", "judge")
    assert judge.get("/api/state").status == 200
    assert judge.get("/api/state").json["event"]["name"] == "Cup"
    stranger = Below(desks, "league")
    for cookie in (judge.cookie, judge.cookie.replace("plusthree-cup", "plusthree-league")):
        stranger.cookie, stranger.csrf = cookie, judge.csrf
        for path in ("/api/state", "/api/me", "/api/table/1", "/api/events"):
            assert stranger.get(path).status == 401
        assert stranger.act("freeze", table=1, reason="no").status == 401
        assert stranger.get("/judge").status == 401
    assert not two_orders(desks, "league")


def two_orders(desks, word):
    service = next(one for one in desks.services if one.base == f"/{word}")
    return [one for one in service.archive.orders.all if one.kind == intents.FREEZE]


def test_an_act_stands_in_the_log_of_its_event_alone(tmp_path, two, desks):
    paths = [station.archive.path for station in two.stations.values()]
    with log_file.logging_to_file(paths[0]), log_file.logging_to_file(paths[1]):
        assert Below(desks, "cup", "organiser").act("publish", round=1).status == 200
    assert [log_file.path_of(one).exists() for one in paths] == [True, False]
    assert "act publish by link 1, organiser" in log_file.path_of(paths[0]).read_text()


def test_a_link_of_one_event_opens_nothing_at_the_other(desks):
    token = desks.services[0].links.make("organiser", "Ada", "test", 0)[1]
    there = Below(desks, "league").get(f"/l/{token}")
    assert there.status == 401 and "set-cookie" not in there.headers


def test_one_browser_is_at_both_with_a_cookie_each(desks):
    judge, ada = Below(desks, "cup", "judge"), Below(desks, "league", "organiser", name="Bea")
    both = f"{judge.cookie}; {ada.cookie}"
    judge.cookie = ada.cookie = both
    assert judge.get("/api/me").json["name"] == "Ada" and ada.get("/api/me").json["name"] == "Bea"
    assert judge.post("/api/acts/hand_on", x_csrf_token=ada.csrf).status == 403


def test_paths_stay_below_the_word(desks):
    ada = Below(desks, "league", "organiser")
    assert ada.get("/").headers["location"] == "/league/desk"
    page = ada.get("/desk").body.decode()
    assert re.search(r'"/league/static/\w+/js/desk.js"', page) and '"/static/' not in page
    (script,) = re.findall(r'"/league(/static/\w+/js/base.js)"', page)
    assert ada.get(script).status == 200
    assert b"/league/desk" not in ada.get("/in").body and b'href="/league/"' in ada.get("/in").body
    link = ada.act("make_link", role="judge", name="Ugo").json
    assert link["url"].startswith(f"http://{HOST}/league/l/")
    foreign = ada.get("/api/state", sec_fetch_site="cross-site")
    assert foreign.status == 403, "the guard knows an event's reads"
    assert ada.get("/api/nothing").status == 404


def test_the_start_page_names_events_and_no_links(two, desks, start):
    two.play("cup", 7)
    Below(desks, "cup", "organiser", name="Secret Ada")
    answer = start.get("/")
    page = answer.body.decode()
    assert answer.status == 200 and answer.headers["x-frame-options"] == "DENY"
    assert 'href="/cup/"' in page and "<bdi>Cup</bdi>" in page and "round 1 is over" in page
    assert 'href="/league/"' in page and "before round 1" in page
    assert "Ada" not in page and "Ann" not in page and "/l/" not in page
    assert "il round 1 è finito" in start.get("/?language=it").body.decode()
    start.language = "it-IT,en;q=0.5"
    assert "il round 1 è finito" in start.get("/").body.decode()


def test_a_name_is_shown_as_text(two, start):
    roster = two.stations["league"].archive.roster
    roster.open_event(type(roster.event)(77, "<b>{{choose}}</b>", 0))
    assert "&lt;b&gt;{{choose}}&lt;/b&gt;" in start.get("/").body.decode()


def test_an_event_that_ends_leaves_the_other(desks, start):
    judge, other = Below(desks, "cup", "judge"), Below(desks, "league", "judge")
    desks.end("cup")
    assert judge.get("/api/state").status == 404 and other.get("/api/state").status == 200
    assert "Its program has ended" in start.get("/").body.decode()
    for path in ("/nothing", "/cup", "/cup/judge", "/api/state", "/l/x"):
        assert start.get(path).status == 404
    assert start.get("/", host="evil.test").status == 421


def test_boards_are_handed_on_from_the_page(two, desks):
    ada, judge = Below(desks, "cup", "organiser"), Below(desks, "cup", "judge")
    assert ada.get("/api/me").json["beside"] == {"league": "League"}
    assert judge.get("/api/me").json["beside"] == {}
    assert judge.act("hand_on", device=8, event="league").status == 403
    refused = ada.act("hand_on", device=8, event="final")
    assert refused.status == 409 and "there are: league" in refused.json["error"]
    assert ada.act("hand_on", device=8, event="league", reason="spare").status == 200
    two.drain()
    assert 8 in two.stations["league"].archive.roster.current_boards
    log = Below(desks, "cup", "organiser").get("/api/log").json
    assert "board handed on" in str(log)


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
def walked(tmp_path_factory):
    with TwoDesks(tmp_path_factory.mktemp("two")) as made:
        yield made


@pytest.mark.parametrize("size", ["phone", pytest.param("laptop", marks=pytest.mark.prove)])
def test_from_the_start_page_to_the_desk_of_each(chromium, walked, size):
    width, height = browser.SIZES[size]
    context = chromium.context(viewport={"width": width, "height": height}, locale="en-GB")
    page = context.new_page()
    page.goto(walked.url)
    page.locator("text=Cup").click()
    expect(page.locator("main")).to_contain_text(NO_LINK)  # not yet: each event has its links
    for word in ("cup", "league"):
        page.goto(walked.links[word, "organiser"])
        page.wait_for_url(f"{walked.url}/{word}/desk")
        expect(page.locator(".bar .event")).to_have_text(word.title())
    page.goto(walked.url)
    for word in ("league", "cup"):  # this browser is let into both now
        page.locator(f".events a[href='/{word}/']").click()
        page.wait_for_url(f"{walked.url}/{word}/desk")
        expect(page.locator(".bar .event")).to_have_text(word.title())
        assert not browser.serious(page)
        page.locator("nav a", has_text="Judge").first.click()
        page.wait_for_url(f"{walked.url}/{word}/judge")
        expect(page.locator("main")).to_contain_text("Nobody is waiting for a judge")
        page.goto(walked.url)
    page.goto(f"{walked.url}/cup/desk#boards")
    form = page.locator("[data-form=hand_on]")
    form.scroll_into_view_if_needed()
    browser.photograph(page, f"hand-on-{size}")
    browser.fill(form, {"device": "8", "event": "league", "reason": "a spare"})
    form.locator("[type=submit]").click()
    expect(page.locator(".notes")).to_contain_text("Board 8 goes to league")
    walked.ask(lambda two: two.run(60_000))
    page.goto(f"{walked.url}/league/desk#boards")
    expect(page.locator("table")).to_contain_text("8")
    walked.ask(lambda two: two.handing.hand_on(two.stations["league"], 8, "cup", "Ada"))
    walked.ask(lambda two: two.run(60_000))


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_the_start_page_in_each_look(chromium, walked, locale):
    page = chromium.context(locale=locale).new_page()
    page.goto(walked.url)
    expect(page.locator("main")).to_contain_text(CHOOSE[locale])
    assert page.evaluate("document.documentElement.lang") == locale[:2]
    for size in browser.sized(page, ("phone", "laptop")):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "is cut off"
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert not browser.serious(page)
            browser.photograph(page, f"start-{size}-{scheme}-{locale[:2]}")


def test_the_start_page_follows_each_event_in_its_language(chromium, walked):
    page = chromium.context(locale="en-GB").new_page()
    page.clock.install()
    page.goto(f"{walked.url}/?language=it")
    cup, league = (page.locator(f".events a[href='/{word}/']") for word in ("cup", "league"))
    expect(league).to_contain_text("prima del round 1")
    cup.focus()
    walked.ask(lambda two: two.stations["league"].desk.publish(1))
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
