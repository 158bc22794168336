"""One table over a stream: what its address refuses, how a link leads there, and what is seen."""

import io
import re

import playedrounds
import pytest
from browser import expect, photograph
from PIL import Image
from virtualdesk import VirtualDesk
from webclient import Browser

from firmware.core import phases
from host.web import overlay

pytestmark = pytest.mark.venue(tables=3)
WRONG = "0", "65536", "x", "-1", "7x", "٧", "123456", "1" * 300


@pytest.mark.parametrize("told", WRONG)
def test_what_is_no_table_is_refused_in_a_sentence(service, told):
    answer = Browser(service, "viewer").get(f"/overlay/{told}".encode().decode("latin-1"))
    assert answer.status == 404
    assert "No table has such a number. Write it at the end: /overlay/7" in answer.body.decode()
    assert "Nessun tavolo ha questo numero" in answer.body.decode()


def test_a_table_that_never_played_is_refused_once_a_round_is_published(venue, service):
    viewer = Browser(service, "viewer")
    assert viewer.get("/overlay/9").status == 200  # who plays where is not known yet
    venue.station.desk.publish(1)
    answer = viewer.get("/overlay/9")
    assert answer.status == 404 and "No match was at table 9 so far" in answer.body.decode()
    assert [viewer.get(f"/overlay/{table}").status for table in (1, 2, 3)] == [200] * 3
    pairings = venue.archive.roster.pairings_of(1)
    playedrounds.play(venue.archive, 1, pairings)
    playedrounds.store(venue.station, 2, [pairings[0].a, pairings[0].b])
    assert viewer.get("/overlay/3").status == 200  # it plays again later, perhaps


@pytest.mark.parametrize(
    ("layout", "status"), [("bar", 200), ("corner", 200), ("x", 404), ("", 404)]
)
def test_there_are_two_layouts(service, layout, status):
    assert Browser(service, "viewer").get(f"/overlay/1?layout={layout}").status == status


def test_nobody_without_a_link_is_let_in(service):
    assert Browser(service).get("/overlay/1").status == 401
    assert Browser(service).get("/l/made-up/overlay/1").status == 401


def test_one_address_lets_a_streams_program_in_and_leads_to_the_table(service):
    token = service.links.make("viewer", "Stream", "test", 0)[1]
    answer = Browser(service).get(f"/l/{token}/overlay/7?layout=corner&language=it&to=//evil.test")
    assert answer.status == 303 and "set-cookie" in answer.headers
    assert answer.headers["location"] == "/in/overlay/7?layout=corner&language=it"
    led = Browser(service).get(answer.headers["location"]).body.decode()
    assert "url=/overlay/7?layout=corner&amp;language=it" in led


@pytest.mark.parametrize("told", WRONG)
def test_a_link_leads_nowhere_else(service, told):
    path = f"/in/overlay/{told}?layout=//evil.test".encode().decode("latin-1")
    assert "url=/&quot;" in (said := Browser(service).get(path).body.decode()) or 'url=/"' in said
    assert overlay.address(told, {"layout": "//evil.test"}) == "/"


def test_another_sites_link_to_an_overlay_asks_too(service):
    judge = Browser(service, "judge", "Ada")
    token = service.links.make("viewer", "Stream", "test", 0)[1]
    led = judge.get(f"/l/{token}/overlay/7?layout=corner", sec_fetch_site="cross-site")
    assert f"/l/{token}/overlay/7?layout=corner&amp;led" in led.body.decode()
    asked = judge.get(f"/l/{token}/overlay/7?layout=corner&led").body.decode()
    assert "Change to Stream" in asked and "set-cookie" not in asked


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("stream"), tables=8, seed=7) as desk:
        desk.publish(10)
        yield desk


def seen(chromium, desk, table, layout="bar", language="en"):
    """Return an overlay's page, opened as by a stream's program: by its one address."""
    context = chromium.context(viewport={"width": 1920, "height": 1080})
    page = context.new_page()
    chromium._watch(page)
    page.goto(f"{desk.links['viewer']}/overlay/{table}?layout={layout}&language={language}")
    page.wait_for_url("**:*/overlay/*")
    return page


def test_a_stream_sees_names_clock_score_and_turns_on_nothing(chromium, desk):
    table = 3
    pairing = desk.ask(lambda station: station.archive.roster.pairings_of(1))[table - 1]
    page = seen(chromium, desk, table)
    expect(page.locator(".overlay .name")).to_have_text([pairing.a.name, pairing.b.name])
    expect(page.locator(".overlay .time")).to_have_count(0)  # the names of who plays next
    desk.open_round()
    desk.advance(600)
    expect(page.locator(".overlay .time")).to_have_text(re.compile(r"^4\d:\d\d$"))
    expect(page.locator(".overlay .score")).to_have_text(["0", "0"])
    page.evaluate("document.fonts.ready")
    drawn = Image.open(io.BytesIO(page.screenshot(omit_background=True))).convert("RGBA")
    assert drawn.getpixel((960, 540))[3] == 0 and drawn.getpixel((960, 1030))[3] == 255
    photograph(page, "overlay-bar")
    over = []

    def in_overtime(station):
        state = {one: station.hall.fold_at(one) for one in range(1, 9)}
        over[:] = [
            one for one, fold in state.items() if fold and fold.match.phase == phases.OVERTIME
        ]
        return bool(over)

    assert desk.advance_until(in_overtime)
    late = seen(chromium, desk, over[0], "corner", "it")
    expect(late.locator(".overlay.corner .time.over")).to_have_text(re.compile("Turno|TEMPO"))
    photograph(late, "overlay-corner")
    desk.advance_until(lambda station: 3 in station.hall.results(1))
    desk.advance(2)
    expect(page.locator(".overlay .won .name")).to_have_count(1)
    expect(page.locator(".overlay .time")).to_have_count(0)


@pytest.mark.refusals
def test_it_ends_with_nothing_where_nobody_plays_or_its_link_is_revoked(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=2, seed=7) as desk:
        page = seen(chromium, desk, 2)
        expect(page.locator("body > *")).to_have_count(0)  # no round is published yet
        desk.publish(2)
        expect(page.locator(".overlay .name")).to_have_count(2)
        desk.revoke_link("Viewer")
        expect(page.locator("body > *")).to_have_count(0)
        assert page.url.endswith("/overlay/2?layout=bar&language=en")
