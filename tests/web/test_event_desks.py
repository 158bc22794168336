"""Several events at one address: their links, cookies and paths are apart; the start page."""

import re

import pytest
from twoevents import TwoEvents
from webclient import HOST, Browser

from firmware.core import intents
from host.server import log_file
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

    def enter(self, token):
        answer = self.get(f"/l/{token}")
        assert answer.headers["location"] == f"{self.base}/in"
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        self.csrf = self.get("/api/me").json["csrf"]
        return answer

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
