"""A wall keeps its screen on, again after it was hidden, and says so to who sets it up where it cannot."""

import browser
import pytest
from playwright.sync_api import expect

# the browser's own lock, and what a test asks of it: which are held, and that it refuses
WATCHED = """
window.locks = [];
window.refuses = false;
if (navigator.wakeLock) {
  const request = navigator.wakeLock.request.bind(navigator.wakeLock);
  navigator.wakeLock.request = async (kind) => {
    if (window.refuses) throw new DOMException("battery", "NotAllowedError");
    const lock = await request(kind);
    locks.push(lock);
    return lock;
  };
}
window.shown = (yes) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !yes });
  document.dispatchEvent(new Event("visibilitychange"));
};
"""
HELD = "() => locks.filter((one) => !one.released).length"
ASKS = ".note.ask"
pytestmark = pytest.mark.desk(tables=2, run_s=400)


def opened(chromium, desk, name, size, more="", **options):
    role = {"judge": "judge"}.get(name, "viewer")
    page = chromium.open(desk.links[role], size, at=browser.EMPTY, **options)
    page.add_init_script(WATCHED + more)
    page.goto(f"{desk.url}/{name}")
    expect(page.locator(browser.READY)).to_be_visible()
    return page


def held(page, count):
    page.wait_for_function(f"() => ({HELD})() === {count}")


def test_the_walls_screen_stays_on_and_again_after_it_was_hidden(chromium, desk):
    page = opened(chromium, desk, "wall", "projector")
    held(page, 1)
    page.evaluate("locks[0].release()")  # as a browser does with a hidden page
    page.evaluate("shown(false)")
    held(page, 0)
    page.evaluate("shown(true)")
    held(page, 1)
    expect(page.locator(ASKS)).to_have_count(0)


@pytest.mark.parametrize(("name", "size", "count"), [
    ("judge", "laptop", 1),  # on a stand
    ("hall", "projector", 1),
    ("judge", "phone", 0),  # in a pocket
    ("hall", "phone", 0),
])  # fmt: skip
def test_a_page_on_a_stand_stays_on_and_a_phone_locks_itself(chromium, desk, name, size, count):
    page = opened(chromium, desk, name, size)
    held(page, count)


@pytest.mark.parametrize(("locale", "more"), [
    ("en-GB", "window.refuses = true;"),
    ("it-IT", "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"),
])  # fmt: skip
def test_where_it_cannot_who_sets_it_up_is_told_and_players_not_for_ever(chromium, desk, locale, more):  # fmt: skip
    page = chromium.open(desk.links["viewer"], "projector", locale=locale, at=browser.EMPTY)
    page.clock.install()
    page.add_init_script(WATCHED + more)
    page.goto(f"{desk.url}/wall")
    told = page.locator(ASKS)
    expect(told).to_contain_text({"en-GB": "switch off sleep", "it-IT": "disattiva"}[locale])
    browser.photograph(page, f"wall-may-sleep-{locale[:2]}")
    page.clock.run_for(121_000)
    expect(told).to_have_count(0)


def test_a_lock_that_was_refused_is_asked_for_again(chromium, desk):
    page = chromium.open(desk.links["viewer"], "projector", at=browser.EMPTY)
    page.clock.install()
    page.add_init_script(WATCHED + "window.refuses = true;")
    page.goto(f"{desk.url}/wall")
    expect(page.locator(ASKS)).to_have_count(1)
    page.locator(f"{ASKS} [data-act=dismiss]").click()
    page.clock.run_for(31_000)
    expect(page.locator(ASKS)).to_have_count(0)  # once is enough
    page.evaluate("window.refuses = false")
    page.clock.run_for(31_000)
    held(page, 1)
