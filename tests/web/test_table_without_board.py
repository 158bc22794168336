"""A table that never had a board says where its result comes from, on its card, in its sheet and at the desk."""

import pytest
from browser import expect, photograph
from virtualdesk import VirtualDesk

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


@pytest.mark.parametrize(("locale", "word"), [("en-GB", "Result on paper"), ("it-IT", "Risultato su carta")])  # fmt: skip
def test_a_viewers_hall_says_the_same(chromium, desk, locale, word):
    page = chromium.open(desk.links["viewer"], "laptop", locale=locale)
    page.goto(f"{desk.url}/hall")
    table = page.locator(f".map [data-table='{WITHOUT}']")
    expect(table).to_contain_text(f" {WITHOUT}, {word}, ")
    expect(page.locator(".legend li", has_text=word)).to_have_text(f"{word} 1")
    photograph(page, f"hall-without-board-{locale[:2]}")
    page.context.close()


def test_extra_time_is_refused_with_what_to_do(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone")
    page.locator(f".card[data-table='{WITHOUT}']").click()
    form = page.locator("dialog [data-form=extend]")
    form.locator(".chip", has_text="+4").click()
    form.locator("[type=submit]").click()
    told = page.locator("dialog .note.bad")
    expect(told).to_contain_text(f"No board at table {WITHOUT} can add the time: swap a spare in")
    assert form.locator("[name=minutes]").input_value() == "4"
    photograph(page, "sheet-no-extra-time")
    page.context.close()
    chromium.errors.clear()  # a browser says itself that an act was refused


def test_at_all_tables_it_is_refused_of_that_table_alone(chromium, desk):
    desk.ask(lambda station: station.desk.start(station.collector.now_ms + 130_000))
    desk.advance(30)
    page = chromium.open(desk.links["organiser"], "laptop")
    page.goto(f"{desk.url}/desk#room")
    form = page.locator("[data-form=extend_all]")
    form.locator("[name=reason]").fill("announcement")
    form.locator("[type=submit]").click()
    expect(page.locator(".note.ask")).to_contain_text(f"No board at table {WITHOUT} can add")
    desk.advance(20)
    given = {one: desk.ask(lambda station, one=one: station.desk.extension_s(one)) for one in (1, 2, 3)}  # fmt: skip
    assert given == {1: 300, WITHOUT: 0, 3: 300}
    page.context.close()
