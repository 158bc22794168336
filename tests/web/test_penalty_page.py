"""A judge gives a penalty at a table's sheet in four clicks, and passes a call on."""

import browser
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.desk(tables=3, calls=[2])


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_a_penalty_takes_four_clicks(chromium, desk, locale):
    page = chromium.open(desk.links["judge"], "phone", locale=locale)
    page.click(".card[data-table='1']")
    page.click("[data-form=penalize] [name=number] >> nth=0")
    page.select_option("[data-form=penalize] [name=level]", "warning")
    page.fill("[data-form=penalize] [name=reason]", "twice")
    page.click("[data-form=penalize] [type=submit]")
    expect(page.locator("dialog .before li").first).to_be_visible()
    assert browser.serious(page) == []


def test_a_call_is_passed_on_and_the_register_shows_it(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone")
    page.click(".call [data-act=to_head]")
    expect(page.locator(".call .who b")).to_have_text("For the head judge")
    page.context.close()
    page = chromium.open(desk.links["head"], at=f"{desk.url}/desk#penalties")
    expect(page.locator(".panel-penalties form")).to_be_visible()
