"""The fire alarm in a real Chromium: every page says *stopped* at once, and the desk says of whom not."""

import browser
import pytest
from playwright.sync_api import expect

PAPER = 2  # a table whose board is gone
pytestmark = pytest.mark.desk(run_s=600, without=PAPER)


@pytest.fixture
def pages(chromium, desk):
    found = {
        "judge": chromium.open(desk.links["judge"], "phone"),
        "wall": chromium.open(desk.links["viewer"], "projector", locale="it-IT"),
        "desk": chromium.open(desk.links["organiser"], "laptop"),
    }
    found["desk"].goto(f"{desk.url}/desk#room")
    return found


def test_stopped_stands_on_every_page_at_once_and_the_desk_says_of_whom_not(desk, pages):
    room = pages["desk"].locator("[data-form=pause_all]")
    room.locator("[name=reason]").fill("fire alarm")
    room.locator("[type=submit]").click()  # no time passes: no board has heard of it yet
    expect(pages["judge"].locator(".bar .stopped")).to_have_text("Stopped")
    expect(pages["desk"].locator(".bar .stopped")).to_be_visible()
    expect(pages["wall"].locator(".wall.s-frozen .word")).to_have_text("Tutto fermo")
    left = pages["desk"].locator(".box.alarm li")
    expect(left).to_have_count(4)
    desk.advance(20)
    expect(left).to_have_text([f"Table {PAPER} – no board: stop its clock by hand"])
    pages["desk"].reload()  # without the note on what was done
    expect(left).to_have_count(1)
    for name, page in pages.items():
        browser.photograph(page, f"stopped-{name}")
        assert not browser.serious(page)
    browser.send(pages["desk"].locator("[data-act=resume_all]"))
    desk.advance(20)
    expect(pages["judge"].locator(".bar .stopped")).to_have_count(0)
    expect(pages["desk"].locator("[data-form=pause_all]")).to_be_visible()


def test_all_may_run_on_as_soon_as_one_table_is_stopped(desk, pages):
    desk.ask(lambda station: station.desk.freeze(1, "Bea", "deck check"))
    desk.advance(20)
    box = pages["desk"].locator(".box.alarm")
    expect(box.locator("h2")).to_have_text("1 table is stopped")
    expect(pages["judge"].locator(".bar .stopped")).to_have_count(0)  # one table is not the room
    browser.send(box.locator("[data-act=resume_all]"))
    desk.advance(20)
    expect(box).to_have_count(0)
