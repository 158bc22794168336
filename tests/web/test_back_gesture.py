"""The back gesture closes what lies over a page and never leaves the page, in a real Chromium."""

import re

import browser
import pytest
from playwright.sync_api import expect

# pages with sheets, and what opens table 2's there
OPENS = {
    "judge": ".card[data-table='2']",
    "hall": ".map [data-table='2']",
    "desk#outstanding": "button.number[data-table='2']",
    "desk#results": "button.number[data-table='2']",
}
SHEET = "dialog.sheet"
BEFORE = "/static/today/css/base.css"  # the page to go back to: one that costs nothing
pytestmark = pytest.mark.desk(run_s=400)


@pytest.fixture(scope="module")
def phone(module_chromium, desk):
    return module_chromium.open(desk.links["organiser"], "phone", at=browser.EMPTY)


@pytest.fixture
def page(chromium, phone, desk, request):
    name, page = getattr(request, "param", "judge"), phone
    page.goto(f"{desk.url}{BEFORE}")
    page.goto(f"{desk.url}/{name}")
    page.opens = OPENS[name]
    expect(page.locator(page.opens)).to_be_visible()
    return page


def opened(page, table=2):
    page.locator(page.opens.replace("'2'", f"'{table}'")).click()
    expect(page.locator("#sheet-title")).to_have_text(f"Table {table}")


def closed(page):
    expect(page.locator(SHEET)).to_have_count(0)


def left(page):
    """Go back, and see that it leads away from the page."""
    page.go_back()
    expect(page).to_have_url(re.compile(f"{BEFORE}$"))


@pytest.mark.parametrize("page", OPENS, indirect=True)
def test_back_closes_the_sheet_and_then_leaves_the_page(page):
    address = page.url
    opened(page)
    page.go_back()
    closed(page)
    assert page.url == address
    left(page)


# each way on a phone's page for judges, and each page in some way: one script opens all sheets
OTHERWISE = (
    ("judge", "button"), ("judge", "key"), ("judge", "ground"), ("hall", "key"),
    ("desk#outstanding", "ground"), ("desk#results", "button"),
)  # fmt: skip


@pytest.mark.parametrize(("page", "how"), OTHERWISE, indirect=["page"])
def test_what_is_closed_otherwise_leaves_no_entry_to_go_back_through(page, how):
    for _ in range(3):
        opened(page)
        if how == "button":
            page.locator(f"{SHEET} [data-act=close]").click()
        elif how == "key":
            page.keyboard.press("Escape")
        else:
            page.mouse.click(195, 3)
            if page.locator(SHEET).count():  # it fills a phone
                page.keyboard.press("Escape")
        closed(page)
    left(page)


def test_forward_opens_a_sheet_that_works(desk, page):
    opened(page)
    page.go_back()
    closed(page)
    page.go_forward()
    expect(page.locator("#sheet-title")).to_have_text("Table 2")
    page.locator(f"{SHEET} [data-act=freeze]").click()
    expect(page.locator(".note.good")).to_be_visible()
    desk.advance(25)
    expect(page.locator(f"{SHEET} [data-act=resume]")).to_be_visible()
    page.locator(f"{SHEET} [data-act=close]").click()
    closed(page)
    left(page)


def test_a_card_that_is_touched_twice_is_one_entry(page):
    page.locator(page.opens).dblclick()
    expect(page.locator("#sheet-title")).to_have_text("Table 2")
    page.go_back()
    closed(page)
    left(page)


def test_another_table_right_after_one_was_closed_stays_open(page):
    opened(page)
    page.evaluate("""() => {
        document.querySelector("dialog.sheet").close();
        document.querySelector(".card[data-table='3']").click();
    }""")
    expect(page.locator("#sheet-title")).to_have_text("Table 3")
    page.go_back()
    closed(page)


def test_a_page_that_is_loaded_again_or_come_back_to_keeps_its_sheet(page):
    opened(page)
    page.reload()
    expect(page.locator("#sheet-title")).to_have_text("Table 2")
    page.locator(f"{SHEET} [data-key=history] summary").click()
    page.locator(f"{SHEET} [data-key=history] a").click()
    expect(page.locator(".page-check")).to_be_visible()
    page.go_back()
    expect(page.locator("#sheet-title")).to_have_text("Table 2")
    page.go_back()
    closed(page)


def test_a_sheet_whose_table_is_gone_leaves_no_dead_entry(page):
    page.evaluate("history.pushState({ table: 99 }, '')")
    page.reload()
    expect(page.locator(".card").first).to_be_visible()
    page.wait_for_function("history.state === null")
    closed(page)


def test_a_personal_link_that_is_opened_twice_is_no_trap(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", at=f"{desk.url}{BEFORE}")
    page.goto(desk.links["judge"])
    page.wait_for_url("**/judge")
    expect(page.locator(".card").first).to_be_visible()
    left(page)
