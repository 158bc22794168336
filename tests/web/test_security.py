"""Every route of the web desk, as its own route table lists them, asked by everybody who should
not.

A new route or act is walked without being named here: unless it is among the open ones, it must
refuse.
"""

import asyncio
import json
import re

import pytest
from starlette.routing import Mount
from tabletop import Venue
from webclient import HOST, Browser, office_of

from host.archive.access_links import ROLES, may
from host.archive.roster import Player
from host.desk.acts.table import ON_PAGES
from host.web import app as web_app
from host.web import guard, static_files
from host.web.app import make
from host.web.routes import OVERLAY, PAGES, READS

EVIL = '<img src=x onerror=alert(1)>"\u202eA\u2066</script>'
# "/" leads on by role and says nothing itself; "/texts" are the pages' own words, as "/static" is
# their code
LED = "/in", "/in/overlay/{table}"
OPEN = {"/", "/l/{token}", "/l/{token}/overlay/{table}", *LED, "/texts"}
# the door has a secret address of its own (tests/web/test_begin.py)
OPEN |= {"/enter/{token}", "/api/door/{token}", "/api/enter/{token}"}
VALUES = {
    "{table:int}": "1",
    "{table}": "1",
    "{form}": "csv",
    "{kind}": "names",
    "{token}": "x" * 22,
}


@pytest.fixture(scope="module")  # one for all: nothing that is asked here changes it
def venue(tmp_path_factory):
    made = Venue(tmp_path_factory.mktemp("walk") / "a.db", tables=2)
    made.archive.roster.rename([Player("0", EVIL), Player("1", "Ann\u202eBo")])
    made.begin()
    yield made
    made.station.close()


@pytest.fixture(scope="module")
def service(venue):
    return office_of(venue)


@pytest.fixture(scope="module")
def app(service):
    return make(service, (HOST,))


def routes(app):
    """Yield ``(path with values, path as declared, methods)`` of every route."""
    for route in app.app.routes:
        if isinstance(route, Mount):
            assert route.path == "/static"
            continue
        if route.path == "/api/acts/{name}":
            for act in ON_PAGES:
                yield f"/api/acts/{act.name}", route.path, {"POST"}
            continue
        path = re.sub(r"\{[^}]*\}", lambda found: VALUES[found.group()], route.path)
        yield path, route.path, route.methods - {"HEAD"}


def body_for(act):
    samples = {
        "table": 1, "minutes": 5, "reason": "because", "seats": "A", "ruling": "again",
        "outcome": "A", "text": "AAAAAA",
        "a": 1, "b": 0, "bits": 1, "round": 1, "message": 1, "number": "0", "name": "Zed",
        "role": "judge", "id": 1,
        "device": 101, "player": "0",
    }  # fmt: skip
    if act.name == "swap_players":
        samples |= {"a": "0", "b": "2"}
    return {name: samples[name] for name in act.fields if name in samples}


def ask(browser, path, methods):
    """Ask for a route as its page would, with a good body for an act."""
    if "POST" not in methods:
        return browser.get(path)
    act = next((one for one in ON_PAGES if path.endswith("/" + one.name)), None)
    return browser.act(act.name, **body_for(act)) if act else browser.post(path)


def state_of(service):
    return service.archive.changes, len(service.links.every)


def leaks(answer):
    """Say whether an answer tells anything of the event."""
    return any(
        word in answer.body.decode("utf-8", "replace")
        for word in ("onerror", "Given", "Test Cup", "csrf")
    )


def test_nobody_without_a_link_sees_or_does_anything(service, app):
    before, nobody, seen = state_of(service), Browser(service, app=app), 0
    for path, declared, methods in routes(app):
        answer = ask(nobody, path, methods)
        seen += 1
        assert answer.status == (200 if declared in (*LED, "/texts") else 401), path
        assert (declared == "/texts" or not leaks(answer)) and "set-cookie" not in answer.headers
    assert seen > 50 and state_of(service) == before


@pytest.mark.parametrize("cookie", [
    "plusthree=", "plusthree=1", "plusthree=1.00.00", "plusthree=\u00ff\u00fe",
    "plusthree=" + "9" * 4000,
    "plusthree=1.aaaaaaaaaaaaaaaaaaaaaaaa.00000000000000000000000000000000", "plusthree=.",
    "other=1",
])  # fmt: skip
def test_a_made_up_cookie_is_none(service, app, cookie):
    made = Browser(service, "organiser", app=app)
    made.cookie = cookie
    assert made.get("/api/state").status == 401 and made.act("freeze", table=1).status == 401


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_what_it_takes_and_no_more(service, app, role):
    browser, least = Browser(service, role, app=app), {one.path: one.least for one in READS}
    pages = PAGES | dict([OVERLAY])
    least |= pages | {"/api/events": "viewer"}
    before = state_of(service)
    for path, declared, methods in routes(app):
        if declared in OPEN or declared == "/api/events" or "POST" in methods:
            continue
        if may(role, least[declared]) and declared in pages:
            continue  # the pages' own files are the pages' tests' business
        answer = browser.get(path)
        refused = answer.status == (303 if declared in pages else 403)
        assert refused != may(role, least[declared]), (path, answer.status)
    for act in ON_PAGES:
        if not may(role, act.least):
            assert browser.act(act.name, **body_for(act)).status == 403, act.name
    assert state_of(service) == before


@pytest.mark.parametrize("headers, status", [
    ({"host": "evil.test"}, 421),
    ({"host": "desk.test"}, 421),
    ({"host": ""}, 421),
    ({"origin": "http://evil.test"}, 403),
    ({"origin": "null"}, 403),
    ({"origin": f"https://{HOST}"}, 403),
    ({"sec_fetch_site": "cross-site"}, 403),
    ({"sec_fetch_site": "same-site"}, 403),
])  # fmt: skip
def test_foreign_pages_and_names_get_nothing(service, app, headers, status):
    organiser = Browser(service, "organiser", app=app)
    before = state_of(service)
    for path, _, methods in routes(app):
        if "POST" in methods:
            act = next((one for one in ON_PAGES if path.endswith("/" + one.name)), None)
            body = body_for(act) if act else {"name": "Zed"}
            answer = organiser.post(path, json.dumps(body).encode(), **headers)
        elif "sec_fetch_site" in headers and not path.startswith("/api/"):
            continue  # to be led here by a link on another site is fine
        else:
            answer = organiser.get(path, **headers)
        assert answer.status == status and not leaks(answer), path
    assert state_of(service) == before


@pytest.mark.parametrize("headers, status", [
    ({"x_csrf_token": None}, 403),
    ({"x_csrf_token": "0" * 32}, 403),
    ({"x_csrf_token": "\u00ff"}, 403),
    ({"origin": None}, 403),
    ({"content_type": "text/plain"}, 415),
    ({"content_type": "application/x-www-form-urlencoded"}, 415),
    ({"content_type": None}, 415),
])  # fmt: skip
def test_an_act_is_only_a_pages_own(service, app, headers, status):
    organiser = Browser(service, "organiser", app=app)
    before = state_of(service)
    for act in ON_PAGES:
        answer = organiser.post(
            f"/api/acts/{act.name}", json.dumps(body_for(act)).encode(), **headers
        )
        assert answer.status == status, act.name
    assert state_of(service) == before


def test_another_links_token_does_not_do(service, app):
    judge, other = Browser(service, "judge", app=app), Browser(service, "judge", app=app)
    judge.csrf = other.csrf
    assert judge.act("freeze", table=1).status == 403


@pytest.mark.parametrize("raw, status", [
    (b"", 400), (b"[]", 400), (b"null", 400), (b'"x"', 400), (b"{", 400), (b"\xff\xfe", 400),
    (b'{"table": NaN}', 400),
    (b"[" * 10_000, 400), (b'{"table": 1e400}', 400), (None, 413),
    (b'{"reason": "\\ud800"}', 400),
])  # fmt: skip
def test_a_body_that_is_none_or_too_long_gets_one_sentence(service, app, raw, status):
    organiser = Browser(service, "organiser", app=app)
    before = state_of(service)
    for act in ON_PAGES:
        body = b"x" * (act.largest + 1) if raw is None else raw
        answer = organiser.post(f"/api/acts/{act.name}", body)
        assert answer.status == status and 10 < len(answer.json["error"]) < 160, (
            act.name,
            answer.body,
        )
    assert state_of(service) == before


def test_the_methods_of_other_protocols_are_refused(service, app):
    organiser = Browser(service, "organiser", app=app)
    for path, _, methods in routes(app):
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"):
            refused = organiser.ask(method, path, b"", {"host": HOST})
            assert refused.status == 405 and "GET" in refused.json["error"]
        if "GET" in methods:
            assert organiser.post(path).status == 405


def test_names_are_data_and_never_markup(service, app):
    viewer = Browser(service, "viewer", app=app)
    for path in ("/api/state", "/api/results"):
        answer = viewer.get(path)
        assert answer.headers["content-type"].startswith("application/json")
        assert EVIL in json.dumps(answer.json, ensure_ascii=False).replace('\\"', '"')
    csv = Browser(service, "organiser", app=app).get("/api/export/csv")
    assert csv.headers["content-disposition"].startswith("attachment")
    assert csv.headers["content-type"].startswith("text/plain")


def test_every_answer_carries_the_policy(service, app):
    nobody, organiser = Browser(service, app=app), Browser(service, "organiser", app=app)
    answers = [nobody.get("/"), nobody.get("/nothing"), nobody.get("/", host="evil.test"),
               organiser.get("/api/state"),
               organiser.get("/in"), organiser.act("nothing"),
               nobody.get("/static/nothing.js"), nobody.get(f"/static/{static_files.of_pages().digest}/js/base.js")]  # fmt: skip
    for answer in answers:
        for name, value in guard.HEADERS:
            assert answer.headers[name.decode()] == value.decode()
    assert "unsafe" not in guard.POLICY and "frame-ancestors 'none'" in guard.POLICY
    for answer in (organiser.get("/api/state"), nobody.get("/", host="evil.test")):
        assert answer.headers["cache-control"] == "no-store"


def test_the_link_leaves_the_address_and_its_cookie_is_strict(service, app):
    _, token = service.links.make("judge", "Ada", "test", 0)
    answer = Browser(service, app=app).get(f"/l/{token}")
    assert answer.headers["location"] == "/in" and token not in answer.headers["set-cookie"]
    told = answer.headers["set-cookie"]
    assert "HttpOnly" in told and "SameSite=Strict" in told and "Path=/" in told
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert token.encode() not in b"".join(
        row[0] for row in service.archive.query("SELECT digest FROM links")
    )


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py",
                                  "/static/..%2fapp.py", "/static//etc/passwd",
                                  "/static/today/../app.py", "/static/today/%2e%2e/app.py",
                                  "/static/today/..%2f..%2fapp.py", "/static/today//etc/passwd",
                                  "/api/table/99999999999999999999", "/l/" + "a" * 5000, "/l/%00",
                                  "/api/export/..%2f",
                                  "/api/results?round=99", "/api/results?round=%C2%B2",
                                  "/api/standings?pack=x"])  # fmt: skip
def test_strange_addresses_get_a_plain_refusal(service, app, path):
    organiser = Browser(service, "organiser", app=app)
    answer = organiser.get(path)
    assert answer.status in (401, 404, 409), answer.status
    assert b"Traceback" not in answer.body


def test_the_desks_own_name_may_be_written_in_capitals(service, app):
    organiser = Browser(service, "organiser", app=app)
    assert organiser.get("/api/me", host=HOST.upper()).status == 200
    asked = {"host": HOST.upper(), "origin": f"HTTP://{HOST.upper()}"}
    assert organiser.post("/api/acts/none", **asked).status == 404, "past the guard"


def reached(service, app, host, address, port=8443):
    """Return the answer to a request for ``host`` that arrived at an address of this machine."""

    class Elsewhere(Browser):
        def scope(self, method, path, headers):
            return super().scope(method, path, headers) | {"server": (address, port)}

    return Elsewhere(service, app=app).get("/check", host=host).status


@pytest.mark.parametrize("host, address, port", [
    ("192.168.137.1:8443", "192.168.137.1", 8443),  # the hotspot's, switched on later
    ("10.8.0.2:8443", "10.8.0.2", 8443),
    ("127.0.0.2:8443", "127.0.0.2", 8443),
    ("10.8.0.2", "10.8.0.2", 443),
    ("[fe80::1]:8443", "fe80::1", 8443),
])  # fmt: skip
def test_the_address_at_which_a_request_arrived_is_the_desks_own(service, app, host, address, port):
    assert reached(service, app, host, address, port) == 401, "past the guard, without a link"


@pytest.mark.parametrize("host, address", [
    ("evil.test:8443", "192.168.137.1"),  # a name that was made to lead here
    ("192.168.137.2:8443", "192.168.137.1"),
    ("192.168.137.1:8444", "192.168.137.1"),
    ("192.168.137.1", "192.168.137.1"),
    ("192.168.137.1:8443.evil.test", "192.168.137.1"),
    ("192.168.137.1.nip.io:8443", "192.168.137.1"),
    ("3232270593:8443", "192.168.137.1"),  # the same address as one number
    ("evil.test:8443", "evil.test"),  # no socket has a name
    ("None:None", None),
])  # fmt: skip
def test_any_other_name_or_address_is_foreign(service, app, host, address):
    assert reached(service, app, host, address) == 421


@pytest.mark.parametrize("hosts", [(), (HOST, HOST), (HOST, "evil.test"), ("evil.test", HOST)])
def test_a_request_names_exactly_one_host(service, app, hosts):
    class Odd(Browser):
        def scope(self, method, path, headers):
            made = super().scope(method, path, headers)
            kept = [pair for pair in made["headers"] if pair[0] != b"host"]
            return made | {"headers": kept + [(b"host", name.encode()) for name in hosts]}

    organiser, odd = Browser(service, "organiser", app=app), Odd(service, app=app)
    odd.cookie, odd.csrf = organiser.cookie, organiser.csrf
    assert odd.get("/api/me").status == odd.act("freeze", table=1).status == 421


def test_a_role_that_nobody_knows_may_nothing():
    for role in (None, "", "owner", "Organiser"):
        assert not any(may(role, least) for least in ROLES), role


def guarded(scope, *headers):
    """Return (the kinds of scopes that got through a Guard, the headers of the answer)."""
    passed, answered = [], []

    async def inside(scope, receive, send):
        passed.append(scope["type"])
        await send({"type": "http.response.start", "status": 200, "headers": headers})

    async def send(message):
        answered.extend(message["headers"])

    asyncio.run(guard.Guard(inside, (HOST,), False)(scope, send, send))
    return passed, answered


def test_a_servers_start_and_end_get_past_the_guard_and_no_socket_does():
    assert guarded({"type": "lifespan"})[0] == ["lifespan"]
    assert guarded({"type": "websocket", "headers": [(b"host", HOST.encode())]}) == ([], [])


def test_no_header_of_an_answer_is_there_twice(service):
    scope = Browser(service).scope("GET", "/", {"host": HOST})
    own = (b"cache-control", b"max-age=60"), (b"x-frame-options", b"SAMEORIGIN")
    _, answered = guarded(scope, *own)
    assert answered[:2] == list(own)
    assert sorted(name for name, _ in answered) == sorted(
        {name for name, _ in (*guard.HEADERS, *own)}
    )


def test_a_link_on_another_site_leads_here_and_its_forms_do_not(service, app):
    organiser = Browser(service, "organiser", app=app)
    assert organiser.get("/", sec_fetch_site="cross-site").status == 303
    assert organiser.post("/in", sec_fetch_site="cross-site").status == 403


def test_a_refusal_speaks_the_readers_language(service, app):
    told = {
        language: Browser(service, app=app)
        .get("/", host="evil.test", accept_language=language)
        .json["error"]
        for language in ("en", "it")
    }
    assert "another name" in told["en"] and "nome" in told["it"]


def test_an_act_whose_body_does_not_come_is_ended(service, app, monkeypatch):
    organiser = Browser(service, "organiser", app=app)
    monkeypatch.setattr(web_app, "_BODY_S", 0)
    said = []

    async def receive():
        return await asyncio.Event().wait()  # nothing ever comes

    async def send(message):
        said.append(message.get("status"))

    headers = {
        "host": HOST, "origin": f"http://{HOST}", "x-csrf-token": organiser.csrf,
        "content-type": "application/json",
    }  # fmt: skip
    asked = organiser.scope("POST", f"/api/acts/{ON_PAGES[0].name}", headers)
    asyncio.run(organiser.app(asked, receive, send))
    assert said[0] == 408
