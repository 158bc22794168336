"""The map of the hall as the organiser lays it, in a real browser."""

import browser
import pytest
from playwright.sync_api import expect

PLAN = (  # tables 15 and 16 are forgotten, 77 does not play
    "1 2 3 . 4 5 6\n\n7 8 9 . 10 11 12\n13 14 . . . . 77"
)

pytestmark = pytest.mark.desk(tables=16, calls=[9])


def rows(page, kind=".map"):
    """Return the tables of the map by height, each row from left to right."""
    found = {}
    for one in page.locator(f"{kind} .card").all():
        box = one.bounding_box()
        found.setdefault(round(box["y"]), []).append(
            (box["x"], int(one.get_attribute("data-table")))
        )
    return [[table for _, table in sorted(found[y])] for y in sorted(found)]


def lay(page, said, **fields):
    """Lay the hall out on the organiser's page, which is answered so."""
    for name, value in fields.items():
        if isinstance(value, bool):
            page.set_checked(f"[data-form=lay_out] [name={name}]", value)
        else:
            page.fill(f"[data-form=lay_out] [name={name}]", value)
    page.click("[data-form=lay_out] [type=submit]")
    expect(page.locator(".note", has_text=said).last).to_be_visible()


@pytest.fixture(scope="module")
def page(module_chromium, desk):
    return module_chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#room")


@pytest.fixture(scope="module")
def hall(module_chromium, desk):
    return module_chromium.open(desk.links["viewer"], at=f"{desk.url}/hall")


def box(hall, table):
    """Return the place and the size of a table's card on the map."""
    return hall.locator(f".card[data-table='{table}']").bounding_box()


def test_the_map_is_as_the_organiser_laid_it(page, hall):
    lay(page, "line 2: table 2 stands in line 1", plan="1 2\n2 3")
    lay(page, "Layout saved", plan="", wide="4", turning=True)
    expect(hall.locator(".map")).to_have_attribute("style", "--wide: 4;")
    assert rows(hall) == [[1, 2, 3, 4], [8, 7, 6, 5], [9, 10, 11, 12], [16, 15, 14, 13]]
    lay(page, "Layout saved", plan=PLAN)
    expect(hall.locator(".place")).to_have_text(["77"])
    assert rows(hall, ".planned .map") == [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12], [13, 14]]
    assert rows(hall, ".rest") == [[15, 16]]
    x = {table: box(hall, table)["x"] for table in (3, 9, 4, 10)}
    assert x[3] == x[9] and x[4] == x[10]
    assert x[4] - x[3] > box(hall, 3)["width"] * 1.3, "an aisle stands between them"
    assert browser.serious(hall) == []


def test_the_plan_is_kept_and_told_in_the_log(page):
    page.reload()
    assert page.input_value("[data-form=lay_out] [name=plan]").split() == PLAN.split()
    page.click(".panels a[href='#log']")
    expect(page.locator(".panel-log tbody")).to_contain_text("15 tables in 4 rows")


def test_the_map_is_drawn_at_every_size(chromium, desk):
    chromium.errors[:] = [one for one in chromium.errors if "409" not in one]
    for size in browser.SIZES:
        one = chromium.open(desk.links["viewer"], size, locale="it-IT", at=f"{desk.url}/hall")
        expect(one.locator(".planned")).to_be_visible()
        browser.photograph(one, f"hall-plan-{size}")
        one.context.close()
