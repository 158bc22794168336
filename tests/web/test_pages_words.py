"""What the pages say: words from the strings table, names as text, and that the line is cut."""

import json
import re

import browser
import pagefiles
import pytest
import spoken
from playwright.sync_api import expect
from virtualdesk import VirtualDesk

from firmware.core import intents, phases
from host.base import catalogues
from host.base.sentences import Sentence
from host.collector.alarms import Alarm
from host.desk.acts.table import ON_PAGES
from host.web import texts

ALARM = Sentence("record {epoch}/{counter} contradicts the archive", epoch=1, counter=2)
EVIL = "<img src=x onerror=alert(1)> مرحبا"
PANELS = (
    "rounds files outstanding results standings people door room checks penalties luck incidents"
    " packing boards"
    " links log"
).split()
# text that stands outside every mark, but for names and codes, which are nobody's words
_LOOSE = """
() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const loose = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.parentElement.closest("bdi, code, option, .brand, .note.good")) continue;
    let rest = node.data;
    if (/[{}]/.test(rest)) loose.push(rest); // a value that nobody put in
    while (/⟦[^⟦⟧]*⟧/.test(rest)) rest = rest.replace(/⟦[^⟦⟧]*⟧/g, "");
    if (/\\p{L}{2,}/u.test(rest) && !/^(EN|IT)$/.test(rest.trim())) loose.push(rest.trim());
  }
  return loose;
}
"""


def _playing(station):
    """Return a table whose match goes on: it has no result to reopen, and its board refuses."""
    return next(
        table
        for table in station.desk.tables
        if (fold := station.hall.fold_at(table)) and fold.match.phase != phases.AGREED
    )


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=4, seed=7) as desk:
        desk.open_round()
        desk.advance(1900)
        desk.ask(
            lambda station: station.desk.command(
                intents.ReopenResult, _playing(station), (0,), "Ada", "deck check"
            )
        )
        desk.call_judge(2)
        yield desk


def marked(page):
    def fulfil(route):
        told = texts.page_texts("it" if "it-IT" in route.request.url else "en")
        for key, found in told["texts"].items():
            each = [f"⟦{text}⟧" for text in ([found] if isinstance(found, str) else found)]
            told["texts"][key] = each[0] if isinstance(found, str) else each
        route.fulfill(body=json.dumps(told), content_type="application/json")

    page.route("**/texts?*", fulfil)


@pytest.mark.parametrize("name", ["judge", "wall", "hall", "check"])
def test_every_word_of_a_page_is_in_the_table(chromium, desk, name, monkeypatch):
    known = spoken.Marked()  # what the host itself says: the labels of acts
    monkeypatch.setattr(catalogues, "catalogue", lambda *asked: known)
    page = chromium.open(desk.links["judge"], locale="it-IT", at=browser.EMPTY)
    marked(page)
    page.goto(f"{desk.url}/{name}")
    expect(page.locator(".wall .big, .map, .cards, .commitments")).to_be_visible()
    assert page.evaluate(_LOOSE) == []
    if name in ("judge", "hall"):
        page.locator(".card[data-table='2']").click()
        expect(page.locator("dialog.sheet")).to_be_visible()
        page.click("dialog [data-act=history]")
        expect(page.locator("dialog .history li").first).to_be_visible()
        assert page.evaluate(_LOOSE) == [] and browser.serious(page) == []


def test_every_word_of_the_desk_is_in_the_table(chromium, desk, monkeypatch):
    known = spoken.Marked()
    monkeypatch.setattr(catalogues, "catalogue", lambda *asked: known)
    page = chromium.open(desk.links["organiser"], locale="it-IT", at=browser.EMPTY)
    marked(page)
    page.goto(f"{desk.url}/desk")
    page.reload()
    for panel in PANELS:
        page.click(f".panels a[href='#{panel}']")
        expect(page.locator(f".panel-{panel} .parts > *").first).to_be_visible()
        expect(page.locator(".parts > .quiet", has_text="Un momento")).to_have_count(0)
        assert (panel, page.evaluate(_LOOSE)) == (panel, [])
        assert (panel, browser.serious(page)) == (panel, [])


def test_what_the_host_says_is_said_in_the_pages_language(chromium, desk):
    page = chromium.open(desk.links["organiser"], locale="it-IT", at=f"{desk.url}/desk#boards")
    desk.ask(
        lambda station: station.collector.alarms.append(Alarm(station.collector.now_ms, 7, ALARM))
    )
    desk.advance(2)
    expect(page.locator(".panel-boards .ask")).to_contain_text("contraddice l’archivio")
    page.fill("[data-form=swap] [name=table]", "2")
    page.fill("[data-form=swap] [name=device]", "999")
    page.click("[data-form=swap] [type=submit]")
    expect(page.locator(".note.bad")).to_contain_text("Tavolo 2: la scheda 999 non è in uso")
    page.click(".panels a[href='#standings']")
    expect(page.locator(".panel-standings .ask")).to_contain_text("scegli le regole")
    desk.networks("https://10.8.0.2:8765", "https://192.168.137.1:8765")
    page.click(".panels a[href='#links']")
    page.fill("[data-form=make_link] [name=name]", "Zoë")
    page.click("[data-form=make_link] [type=submit]")
    expect(page.locator(".note.good")).to_contain_text("Creato")
    shown = page.locator(".box.link")
    expect(shown).to_contain_text("In un’altra rete: https://10.8.0.2:8765/l/")
    expect(shown).to_contain_text("In un’altra rete: https://192.168.137.1:8765/l/")
    browser.photograph(page, "desk-link-it")
    page.click(".panels a[href='#log']")
    expect(page.locator(".panel-log tbody")).to_contain_text("link creato")
    browser.photograph(page, "desk-log-it")
    page.context.close()
    chromium.errors.clear()  # a browser says itself that an act was refused


def test_the_pages_speak_italian_and_change_their_tongue(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", locale="it-IT")
    expect(page.locator(".calls h2")).to_contain_text("Chiamate")
    assert page.get_attribute("html", "lang") == "it"
    page.click("[data-act=turn]")
    expect(page.locator(".calls h2")).to_contain_text("Calls")


def test_a_name_is_nothing_but_text(chromium, desk):
    page = chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#people")
    number = page.locator(".panel-people tbody td.n").first.inner_text()
    page.fill("[data-form=rename] [name=number]", number)
    page.fill("[data-form=rename] [name=name]", EVIL)
    page.click("[data-form=rename] [type=submit]")
    for place in ("people", "results", "checks"):
        page.click(f".panels a[href='#{place}']")
        expect(page.locator(f".panel-{place} .parts > *").first).to_be_visible()
        assert page.locator("main img").count() == 0
    held = page.locator("bdi", has_text="onerror").first
    page.click(".panels a[href='#people']")
    expect(held).to_have_css("unicode-bidi", "isolate")
    page.goto(f"{desk.url}/judge")
    expect(page.locator("bdi.name", has_text="<img src=x").first).to_be_visible()


def test_a_head_judge_sees_of_the_desk_what_is_theirs(chromium, desk):
    page = chromium.open(desk.links["head"], at=f"{desk.url}/desk#room")
    expect(page.locator("[data-form=pause_all]")).to_be_visible()
    assert (
        page.locator("[data-form=say]").count() == 0
        and page.locator(".panels a[href='#links']").count() == 0
    )


def test_every_act_of_the_host_has_its_place_on_a_page():
    text = "".join(path.read_text(encoding="utf-8") for path in pagefiles.scripts())
    told = {act.name for act in ON_PAGES}
    asked = set(re.findall(r'\b(?:act|asked)\("([a-z_]+)"', text))
    asked |= set(re.findall(r"\b([a-z_]+): plainly\b", text))
    in_sheets = {act.name for act in ON_PAGES if act.part}
    assert asked - {"command"} | in_sheets == told


def test_a_cut_line_is_shown_and_mends_itself(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=1, seed=1) as venue:
        page = chromium.open(venue.links["judge"], "phone")
        expect(page.locator(".calls")).to_be_visible()
        assert page.locator(".line").inner_text() == ""
        port = int(venue.url.rpartition(":")[2])
    expect(page.locator(".line")).to_have_text(
        re.compile(r"^Not connected since \d\d:\d\d: tables and clocks here may be out of date\.$")
    )
    (tmp_path / "again").mkdir()
    with VirtualDesk(tmp_path / "again", tables=1, seed=1, port=port):
        # another host, which does not know this link: the page asks for one
        page.wait_for_url("**/")
        expect(page.locator("h1")).to_have_text("PlusThree")
    page.context.close()
    chromium.errors.clear()  # a browser says itself that the line was cut
