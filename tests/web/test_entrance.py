"""Whose link opens this device: another person's puts itself in nobody's place, and a cookie's tag is whole."""

import hashlib
import hmac

import pytest
from unguarded import change
from virtualdesk import VirtualDesk
from webclient import Browser

from host.base.sentences import Sentence
from host.web.sessions import Sessions


def made(service, name, role="judge"):
    return service.links.make(role, name, "test", 0)[1]


def led_on(answer):
    return answer.body.decode().partition("0;url=")[2].partition('"')[0]


@pytest.mark.parametrize("site", ("cross-site", "same-site"))
def test_another_sites_link_asks_before_it_replaces_a_judge(service, site):
    ada, token = Browser(service, "judge"), made(service, "Eve <b>")
    cookie, ada.cookie = ada.cookie, None  # a strict cookie does not come from another site
    led = ada.get(f"/l/{token}", sec_fetch_site=site)
    assert led.status == 200 and "set-cookie" not in led.headers
    ada.cookie = cookie
    asked = ada.get(led_on(led), sec_fetch_site="same-origin")
    page = asked.body.decode()
    assert asked.status == 200 and "set-cookie" not in asked.headers
    assert "This device is open for Ada. This link is Eve &lt;b&gt;&#x27;s." in page
    assert "Questo dispositivo è aperto per Ada." in page and "<b>" not in page
    changed = ada.get(f"/l/{token}?change", sec_fetch_site="same-origin")
    assert changed.status == 303 and changed.headers["set-cookie"].partition(";")[0] != cookie
    again = ada.get(f"/l/{token}?change", sec_fetch_site=site)
    assert again.status == 200 and "set-cookie" not in again.headers  # it cannot choose for her


def test_a_device_without_a_link_and_the_persons_own_link_are_let_in(service):
    token = made(service, "Ada")
    new = Browser(service)
    led = led_on(new.get(f"/l/{token}", sec_fetch_site="cross-site"))
    let_in = new.get(led, sec_fetch_site="same-origin")
    assert let_in.status == 303
    new.cookie = let_in.headers["set-cookie"].partition(";")[0]
    assert new.get(led, sec_fetch_site="same-origin").status == 303
    assert new.get(f"/l/{made(service, 'Eve')}", sec_fetch_site="none").status == 303  # a QR code


def test_a_link_that_is_none_leads_nowhere(service):
    answer = Browser(service).get("/l/" + "x" * 22, sec_fetch_site="cross-site")
    assert answer.status == 401 and b"refresh" not in answer.body


@pytest.mark.archives(always=True)
def test_a_link_that_another_program_writes_opens_nothing_until_somebody_answers(
    venue, service, place
):
    ada, feed = Browser(service, "judge"), service.change_feed
    feed.step(venue.air.now_ms)
    shown = feed.state("staff", venue.air.now_ms)
    token = "a token of Eve's own"
    digest = hashlib.sha256(token.encode()).digest()
    change(place, "INSERT INTO links VALUES (9, 'organiser', 'Eve', ?, 'Olga', 0)", digest)
    change(place, "INSERT INTO rounds VALUES (5, 9, 0, 6, 50)")
    for answer in (
        Browser(service).get(f"/l/{token}"),
        ada.get("/api/me"),
        ada.get("/judge"),
        ada.act("freeze", table=1),
        Browser(service).get(f"/l/{token}"),
    ):
        assert answer.status == 503 and b"until somebody answers" in answer.body
        assert "set-cookie" not in answer.headers
    venue.station.troubles.begin("archive", 0, Sentence("look"))
    feed.step(venue.air.now_ms + 1000)
    now = feed.state("staff", venue.air.now_ms)
    assert now.pop("troubles") and now | {"troubles": []} == shown, "pages stand still"
    venue.station.accept_foreign_changes("Olga")
    assert ada.get("/api/me").status == 200
    assert Browser(service).get(f"/l/{token}").status == 303, "it was Olga's own work"


def test_a_browser_asks_its_judge(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=2) as venue:
        page = chromium.open(venue.links["judge"], at=venue.links["judge"])
        evil = f'<a href="{venue.links["viewer"]}">look</a>'
        page.route(
            "http://evil.test/", lambda route: route.fulfill(body=evil, content_type="text/html")
        )
        page.goto("http://evil.test/")
        page.click("a")
        page.wait_for_url("**?led")
        assert "Judge" in page.inner_text("main") and "Viewer" in page.inner_text("main")
        page.get_by_role("link", name="Stay Judge").click()
        page.wait_for_url("**/judge")
        assert page.evaluate("fetch('/api/me').then(one => one.json())")["role"] == "judge"
        page.goto("http://evil.test/")
        page.click("a")
        page.get_by_role("link", name="Passa a Viewer").click()
        page.wait_for_url("**/wall")
        assert page.evaluate("fetch('/api/me').then(one => one.json())")["role"] == "viewer"


KEY = bytes(range(32))
PLAIN = "7.0123456789ab"
DIGITS = 32  # of 4 bits


def tag(label, text):
    """Return the tag as the docstring of ``sessions`` and HMAC's own text define it."""
    return hmac.digest(KEY, f"{label}\0{text}".encode(), "sha256").hex()[:DIGITS]


@pytest.fixture
def sessions():
    return Sessions(KEY, False)


def other(digit):
    return "0" if digit != "0" else "1"


def changed(text, at):
    return text[:at] + other(text[at]) + text[at + 1 :]


def test_a_cookie_is_its_link_a_nonce_and_a_tag_of_128_bits(sessions):
    made = sessions.make(7, lambda size: "0123456789ab"[:size])
    assert made == f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(made) == 7
    assert sessions.csrf(made) == tag("csrf", made)
    assert sessions.is_csrf(made, tag("csrf", made))


@pytest.mark.parametrize("at", range(DIGITS))
def test_no_digit_of_a_tag_may_differ(sessions, at):
    made = f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(changed(made, len(PLAIN) + 1 + at)) is None
    assert not sessions.is_csrf(made, changed(tag("csrf", made), at))


@pytest.mark.parametrize("kept", [0, 1, DIGITS // 2, DIGITS - 1])
def test_no_part_of_a_tag_is_one(sessions, kept):
    made = f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(f"{PLAIN}.{tag('cookie', PLAIN)[:kept]}") is None
    assert not sessions.is_csrf(made, tag("csrf", made)[:kept])
    assert sessions.link_of(f"{made}0") is None and not sessions.is_csrf(made, None)


@pytest.mark.parametrize("plain", ["8.0123456789ab", "7.0123456789ac", "7", "77.0123456789ab"])
def test_a_tag_is_of_its_own_link_and_nonce(sessions, plain):
    assert sessions.link_of(f"{plain}.{tag('cookie', PLAIN)}") is None


def test_one_tag_does_not_stand_for_the_other_and_no_key_for_another(sessions):
    made = f"{PLAIN}.{tag('cookie', PLAIN)}"
    assert sessions.link_of(f"{PLAIN}.{tag('csrf', PLAIN)}") is None
    assert not sessions.is_csrf(made, tag("cookie", made))
    assert Sessions(bytes(32), False).link_of(made) is None


@pytest.mark.parametrize("number", ["", "-7", "x", "\u00b2"])
def test_what_is_no_number_is_no_link_though_its_tag_fits(sessions, number):
    assert sessions.link_of(f"{number}.n.{tag('cookie', f'{number}.n')}") is None


def test_a_cookie_lasts_a_week_and_only_here(sessions):
    week_s = 7 * 24 * 60 * 60
    said = sessions.header("v").split("; ")
    assert said[0] == "plusthree=v" and f"Max-Age={week_s}" in said
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(said) and "Secure" not in said
    secure = Sessions(KEY, True).header("v").split("; ")
    assert secure[0] == "__Host-plusthree=v" and "Secure" in secure
