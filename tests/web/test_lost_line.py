"""Pages whose line to the host is gone say so at once, and let no clock look sure, in a real Chromium.

A phone that sleeps is one whose day went on while its running clock stood still.
"""

import browser
import pytest
from playwright.sync_api import expect

PAGES = {**browser.PAGES, "seats": "viewer"}
SLEPT_MS = 600_000
# a day that a test can move, and lines whose messages it can lose without anybody telling the page
PHONE = """
window.slept = 0;
const day = Date.now.bind(Date);
Date.now = () => day() + window.slept;
window.lines = [];
const Line = EventSource;
window.EventSource = class extends Line {
  constructor(...to) { super(...to); window.lines.push(this); }
  addEventListener(kind, take) { super.addEventListener(kind, (event) => { if (!window.mute) take(event); }); }
};
"""
LOST, STANDS = "Not connected since", "html:not(.lost)"
ONE_MS = 4000  # to say that a line is lost where the page was told so
SILENT_MS = 11_500  # where nobody told it: ten seconds, and a look
pytestmark = [pytest.mark.desk(run_s=400), pytest.mark.refusals]


def opened(chromium, desk, name, size="phone", clock=False, **more):
    """Open a page; with ``clock`` the test can let the time of the page pass."""
    page = chromium.open(desk.links[PAGES[name]], size, at=browser.EMPTY, **more)
    if clock:
        page.clock.install()
    page.add_init_script(PHONE)
    page.goto(f"{desk.url}/{name}")
    expect(page.locator(".wall .big, .bar .clock").first).to_be_visible()
    expect(page.locator(STANDS)).to_have_count(1)
    return page


def cut(page, gone=True):
    """Let the host answer nothing any more, or again."""
    if gone:
        page.route("**/api/**", lambda route: route.abort("internetdisconnected"))
    else:
        page.unroute("**/api/**")


def sleep(page, ms=SLEPT_MS):
    page.evaluate("(ms) => { window.slept += ms; document.dispatchEvent(new Event('visibilitychange')); }", ms)  # fmt: skip


def line(page):
    return page.locator("[data-key=line]")


def clock_s(page, selector):
    minutes, seconds = page.locator(selector).first.inner_text().rstrip(" ?").split(":")
    return int(minutes) * 60 + int(seconds)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_wakes_without_network_says_so_at_once(chromium, desk, name):
    page = opened(chromium, desk, name, "projector" if name == "wall" else "phone")
    cut(page)
    page.evaluate("window.mute = true")
    sleep(page)
    expect(line(page)).to_contain_text(LOST, timeout=ONE_MS)
    if name == "wall":
        expect(page.locator(".wall header .word")).to_have_text("Not confirmed")
    else:
        expect(page.locator(".bar .until small")).to_have_text("Not confirmed")
        marked = "getComputedStyle(document.querySelector('.bar .clock'), '::after').content"
        assert page.evaluate(marked) == '" ?"'
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    browser.photograph(page, f"lost-{name}")
    assert not browser.serious(page)


def test_a_clock_is_right_again_with_the_line(chromium, desk):
    page = opened(chromium, desk, "judge")
    before_s = clock_s(page, ".bar .clock")
    cut(page)
    sleep(page)
    expect(line(page)).to_contain_text(LOST, timeout=ONE_MS)
    assert clock_s(page, ".bar .clock") <= before_s - SLEPT_MS / 1000, "the sleep has passed"
    cut(page, gone=False)
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(line(page)).to_be_empty(timeout=ONE_MS)
    assert before_s - 30 <= clock_s(page, ".bar .clock") <= before_s  # virtual time stood still


def test_a_phones_clock_that_is_set_moves_no_clock_of_a_page_for_long(chromium, desk):
    page = opened(chromium, desk, "judge")
    before_s = clock_s(page, ".bar .clock")
    for ms in (3_600_000, -7_200_000):
        sleep(page, ms)
        expect(line(page)).to_be_empty(timeout=ONE_MS)
        expect(page.locator(STANDS)).to_have_count(1)
        # the next beat sets it right
        page.wait_for_function(
            "most => { const [min, s] = document.querySelector('.bar .clock').innerText.split(':')"
            ".map((part) => parseInt(part)); return 60 * min + s <= most; }",
            arg=before_s, timeout=ONE_MS,
        )  # fmt: skip
        assert before_s - 30 <= clock_s(page, ".bar .clock") <= before_s


def test_an_act_that_does_not_reach_the_host_shows_it_and_the_next_beat_clears_it(chromium, desk):
    page = opened(chromium, desk, "judge")
    page.locator(".card[data-table='2']").click()
    page.route("**/api/acts/**", lambda route: route.abort("internetdisconnected"))
    page.locator("dialog [data-act=freeze]").click()
    expect(page.locator("dialog .note.bad")).to_contain_text("did not answer")
    expect(line(page)).to_be_empty(timeout=ONE_MS)  # the host is there
    page.evaluate("window.mute = true")
    page.locator("dialog [data-act=late][data-seats=A]").click()
    expect(page.locator("dialog").locator(line(page))).to_contain_text(LOST, timeout=ONE_MS)
    expect(page.locator("dialog header .clock")).to_have_count(1)
    browser.photograph(page, "lost-sheet")


def unheard(page):
    """Let the host do every act, and lose its answer on the way back."""

    def lose(route):
        route.fetch()
        route.abort("connectionreset")

    page.route("**/api/acts/**", lose)


@pytest.mark.parametrize(("locale", "word"), [
    ("en-GB", "look at table 3 before you do it again"),
    ("it-IT", "controlla il tavolo 3 prima di ripeterla"),
])  # fmt: skip
def test_an_act_whose_answer_is_lost_is_not_said_to_have_changed_nothing(chromium, desk, locale, word):  # fmt: skip
    page = opened(chromium, desk, "judge", locale=locale)
    page.locator(".card[data-table='3']").click()
    unheard(page)
    before = desk.ask(lambda station: len(station.archive.orders.all))
    page.locator("dialog [data-act=late][data-seats=B]").click()
    expect(page.locator("dialog .note.bad")).to_contain_text(word)
    assert desk.ask(lambda station: len(station.archive.orders.all)) == before + 1, "it was done"
    browser.photograph(page, f"unanswered-{locale[:2]}")


def test_an_act_of_no_table_whose_answer_is_lost_says_to_look(chromium, desk):
    page = opened(chromium, desk, "desk", "laptop")
    page.goto(f"{desk.url}/desk#people")
    unheard(page)
    form = page.locator("[data-form=add_player]")
    browser.fill(form, {"name": "Lost Answer"})
    form.locator("[type=submit]").click()
    note = page.locator(".note.bad")
    expect(note).to_contain_text("may have been done all the same: look before you do it again")
    assert "changed" not in note.inner_text()
    players = desk.ask(lambda station: station.archive.roster.players.values())
    assert "Lost Answer" in [one.name for one in players], "it was done"


def test_what_cannot_be_read_is_only_not_answered(chromium, desk):
    page = opened(chromium, desk, "desk", "laptop")
    page.route("**/api/links", lambda route: route.abort("connectionreset"))
    page.goto(f"{desk.url}/desk#links")
    expect(page.locator(".panel .bad")).to_have_text(
        "The organiser’s computer did not answer. Try again in a moment."
    )


def test_a_phone_without_network_says_so_at_once(chromium, desk):
    page = opened(chromium, desk, "judge")
    page.context.set_offline(True)
    expect(line(page)).to_contain_text(LOST, timeout=ONE_MS)
    page.context.set_offline(False)
    expect(line(page)).to_be_empty(timeout=ONE_MS)


def test_a_host_that_is_silent_is_lost_after_ten_seconds(chromium, desk):
    page = opened(chromium, desk, "wall", "projector", clock=True)
    page.evaluate("window.mute = true")
    cut(page)
    page.clock.run_for(SILENT_MS)
    expect(line(page)).to_contain_text(LOST, timeout=ONE_MS)
    cut(page, gone=False)
    page.evaluate("window.mute = false")
    expect(line(page)).to_be_empty(timeout=2 * ONE_MS)


def test_what_waited_while_a_page_slept_is_not_taken_for_the_present(chromium, desk):
    page = opened(chromium, desk, "judge")
    before_s = clock_s(page, ".bar .clock")
    cut(page)
    page.evaluate("""() => {
        window.slept += 600000;
        const now_ms = 1;  // written before the sleep
        lines.at(-1).dispatchEvent(new MessageEvent("beat", { data: JSON.stringify({ now_ms }) }));
    }""")
    expect(line(page)).to_contain_text(LOST, timeout=ONE_MS)
    assert clock_s(page, ".bar .clock") <= before_s - SLEPT_MS / 1000


def test_seats_that_could_not_be_fetched_are_fetched_later(chromium, desk):
    page = chromium.open(desk.links["viewer"], "phone", at=browser.EMPTY)
    page.route("**/api/seating", lambda route: route.abort("internetdisconnected"))
    page.goto(f"{desk.url}/seats")
    expect(page.locator(".page-seats .quiet")).to_be_visible()
    page.unroute("**/api/seating")
    expect(page.locator(".seats li").first).to_be_visible()


def test_a_word_that_comes_late_sets_no_clock_back(chromium, desk):
    """A page's clock never jumps back for what was on its way a while; only for what is wrong."""
    page = opened(chromium, desk, "judge")
    zero = page.locator(".bar [data-zero]").first.get_attribute("data-zero")
    host_ms = desk.ask(lambda station: station.collector.now_ms)
    host_ms -= (host_ms - int(zero) + 900) % 1000  # 0.9 s before the clock shows a second less

    def heard(later_ms):
        """The seconds shown once the host's word is heard, so much later on the page's clock."""
        page.evaluate(
            """([later, ms]) => {
                window.slept += later;
                window.mute = false;  // for this word alone
                const data = JSON.stringify({ now_ms: ms, set: [] });
                window.lines.at(-1).dispatchEvent(new MessageEvent("delta", { data }));
                window.mute = true;
                return new Promise((drawn) => setTimeout(drawn, 300));
            }""",
            [later_ms, host_ms],
        )
        return clock_s(page, ".bar .clock")

    began_s = heard(5000)  # so far off that the page's own clock was wrong
    assert began_s - 4 <= heard(1500) < began_s
    assert heard(5000) == began_s
