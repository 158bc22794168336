"""A table that never had a board says where its result comes from, on its card, in its sheet and at the desk."""

import pytest
from browser import expect, photograph
from virtualdesk import VirtualDesk

from host.reports.paper import pdf

pytestmark = pytest.mark.skipif(
    pdf.chromium() is None, reason="there is no Chromium here: no table was looked at"
)
WITHOUT = 2


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A published round with a table that has no board."""
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=3, seed=7) as desk:
        desk.lose_board(WITHOUT)
        desk.ask(lambda station: station.desk.publish(1))
        desk.advance(30)
        yield desk


def test_its_word_is_paper_and_not_a_report_to_come(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone")
    card = page.locator(f".card[data-table='{WITHOUT}']")
    expect(card.locator(".word")).to_have_text("Result on paper")
    expect(card.locator(".marks")).to_contain_text("no board")
    card.click()
    expect(page.locator("dialog header .word")).to_have_text("Result on paper")
    photograph(page, "sheet-without-board")
    page.context.close()


def test_the_desk_says_the_same_of_what_is_outstanding(chromium, desk):
    page = chromium.open(desk.links["organiser"], "laptop")
    page.goto(f"{desk.url}/desk#outstanding")
    rows = page.locator(".panel-outstanding tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(WITHOUT - 1)).to_contain_text("Result on paper")
    expect(page.locator("tbody", has_text="No report yet")).to_have_count(0)
    page.context.close()
