"""Nothing that staff did is final by accident: undo, calls put back, one touch, lists that rest."""

import re

import browser
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.desk(run_s=300)


@pytest.fixture
def page(chromium, desk):
    return chromium.open(desk.links["judge"], "phone")


def test_a_call_that_was_ended_is_put_back_by_undo_and_from_the_list(desk, page):
    desk.call_judge(2)
    browser.send(page.locator(".call [data-act=resolve]"))
    desk.advance(20)
    expect(page.locator(".call")).to_have_count(0)
    page.locator(".note.good [data-act=undo]").click()
    expect(page.locator(".call .number")).to_have_text(re.compile("2"))
    desk.advance(2)
    expect(page.locator(".call .type")).to_have_text("Judge")
    browser.send(page.locator(".call [data-act=resolve]"))
    desk.advance(20)
    expect(page.locator(".call")).to_have_count(0)
    page.locator("[data-key=past] summary").click()
    browser.photograph(page, "calls-past")
    page.locator("[data-key=past] [data-act=put_back]").first.click()
    expect(page.locator(".call")).to_have_count(1)
    browser.send(page.locator(".call [data-act=resolve]"))
    desk.advance(20)


def given_s(desk, table):
    return desk.ask(lambda station: station.desk.extension_s(table))


def test_a_double_touch_counts_once_and_minutes_are_taken_back_at_once(desk, page):
    page.locator(".card[data-table='3']").click()
    form = page.locator("dialog [data-form=extend]")
    form.locator("[name=minutes]").fill("4")
    form.locator("[name=reason]").fill("spill")
    form.locator("[type=submit]").dblclick()
    expect(page.locator(".note.good [data-act=undo]")).to_be_visible()
    assert given_s(desk, 3) == 240
    browser.photograph(page, "undo-phone")
    page.locator(".note.good [data-act=undo]").click()
    expect(page.locator(".note.good [data-act=undo]")).to_have_count(0)
    expect(page.locator(".note.good")).to_be_visible()  # the host's answer has come
    assert given_s(desk, 3) == 0


def order(page):
    return [
        int(one)
        for one in page.locator(".card").evaluate_all(
            "(all) => all.map((one) => one.dataset.table)"
        )
    ]


def test_a_list_does_not_move_under_a_finger(desk, page):
    expect(page.locator(".card")).to_have_count(4)
    before = order(page)
    page.locator(f".card[data-table='{before[-1]}']").hover()
    desk.call_judge(before[-1])  # it is wanted first now
    expect(page.locator(".call")).to_have_count(1)
    assert order(page) == before
    page.mouse.move(1, 1)
    expect(page.locator(".card").first).to_have_attribute("data-table", str(before[-1]))
