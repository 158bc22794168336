"""A banner on every page while no board is heard, and a browser that slept, in a real Chromium."""

import browser
import pytest
from playwright.sync_api import expect

from host.base.sentences import Sentence
from host.collector.alarms import Alarm
from host.collector.carriers import failure_words
from host.collector.host_clock import HostClock
from host.desk import troubles
from host.desk.clock_check import ClockCheck

PAGES = {**browser.PAGES, "seats": "viewer"}
# lines to the host that a test can cut without anybody telling the page
CUT = """
window.lines = [];
const Line = EventSource;
window.EventSource = class extends Line {
  constructor(...to) { super(...to); window.lines.push(this); }
  addEventListener(kind, take) { super.addEventListener(kind, (event) => { if (!this.cut) take(event); }); }
};
"""
pytestmark = pytest.mark.desk(run_s=400)


def deafen(desk, whether):
    def do(station):
        now_ms = station.collector.now_ms
        station.collector.set_radio_down(whether, now_ms)
        if whether:
            said = failure_words.HELP["NO_BLUETOOTH"]
            station.collector.alarms.append(Alarm(now_ms, None, said))

    desk.ask(do)
    desk.advance(20)


def test_every_page_says_since_when_no_board_is_heard(chromium, desk):
    pages = {}
    for name, role in PAGES.items():
        size = "projector" if name == "wall" else "phone"
        pages[name] = chromium.open(desk.links[role], size, at=f"{desk.url}/{name}")
        expect(pages[name].locator("main > *").first).to_be_visible()
    deafen(desk, True)
    for name, page in pages.items():
        banner = page.locator(".troubles .line")
        expect(banner).to_contain_text("No board heard since")
        told = name in ("judge", "desk")  # what to do is for staff
        assert ("plug one in" in banner.inner_text()) == told
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        browser.photograph(page, f"no-radio-{name}")
    high = "document.documentElement.scrollHeight - innerHeight"
    assert pages["wall"].evaluate(high) <= 0  # the projector shows all of it
    deafen(desk, False)
    for page in pages.values():
        expect(page.locator(".troubles .line")).to_have_count(0)
        page.context.close()


def test_a_full_disk_is_staffs_business(chromium, desk):
    judge = chromium.open(desk.links["judge"], "phone")
    wall = chromium.open(desk.links["viewer"], "projector")
    full = Sentence("make room")
    desk.ask(lambda station: station.troubles.begin(troubles.DISK, 0, full))
    desk.advance(2)
    expect(judge.locator(".troubles .line")).to_contain_text("Nothing can be stored since")
    expect(wall.locator(".troubles .line")).to_have_count(0)
    desk.ask(lambda station: station.troubles.end(troubles.DISK))
    desk.advance(2)
    expect(judge.locator(".troubles .line")).to_have_count(0)
    for page in (judge, wall):
        page.context.close()


HOUR = 3_600_000


def jumped(desk):
    """Have the PC's clock say that an hour went by in the running round."""

    def do(station):
        known_ms = station.collector.now_ms
        origin_ms = station.archive.roster.event.origin_unix_ms
        clock = HostClock(origin_ms, origin_ms + known_ms + HOUR, lambda: 0, known_ms)
        unix_ms = lambda: origin_ms + known_ms + HOUR  # noqa: E731
        station.clock_check = ClockCheck(station, clock, unix_ms, known_ms)
        station.clock_check.update()

    desk.ask(do)
    desk.advance(2)


ANSWERS = {  # of who may answer: the desk and the head judge
    "desk": ["That time has passed", "The clock is wrong"],
    "head": ["Quel tempo è passato", "L’orologio è sbagliato"],
}


def test_a_clock_that_jumped_is_asked_about_where_the_room_is_run(chromium, desk):
    jumped(desk)
    pages = {
        name: chromium.open(desk.links[role], size, locale=locale, scheme=scheme)
        for name, role, size, locale, scheme in (
            ("desk", "organiser", "laptop", "en-GB", "light"),
            ("judge", "judge", "phone", "en-GB", "light"),
            ("head", "head", "phone", "it-IT", "dark"),
            ("wall", "viewer", "projector", "it-IT", "dark"),
        )
    }
    for name, page in pages.items():
        banner = page.locator(".troubles .line")
        expect(banner).to_have_count(1)
        expect(banner.locator(".button")).to_have_text(ANSWERS.get(name, []))
        assert ("1:00" in banner.inner_text()) == (name != "wall")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert not browser.serious(page)
        browser.photograph(page, f"clock-jumped-{name}")
    high = "document.documentElement.scrollHeight - innerHeight"
    assert pages["wall"].evaluate(high) <= 0
    pages["desk"].locator(".troubles [data-act=clock]").last.click()
    expect(pages["desk"].locator(".note.good")).to_be_visible()
    desk.advance(2)
    for page in pages.values():
        expect(page.locator(".troubles .line")).to_have_count(0)
        page.context.close()


def test_a_browser_that_slept_takes_a_new_line(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", at=browser.EMPTY)
    page.add_init_script(CUT)
    page.clock.install()
    page.goto(f"{desk.url}/judge")
    expect(page.locator(".card")).to_have_count(4)
    page.evaluate("window.lines.forEach((line) => { line.cut = true; })")
    desk.call_judge(3)
    page.clock.fast_forward(60_000)  # the lid is opened again
    expect(page.locator(".call .number")).to_contain_text("3")
    assert page.evaluate("window.lines.length") > 1
    expect(page.locator("[data-key=line]")).to_be_empty()
