"""A table that never had a board says where its result comes from, on its card, in its sheet and at the desk."""

import pytest
from browser import expect, photograph, serious, sized
from virtualdesk import VirtualDesk

from host.base.errors import UserError
from host.desk import room_stop
from host.desk.staff import Staff

WITHOUT = 2


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=3, seed=7) as desk:
        desk.lose_board(WITHOUT)
        desk.publish(30)
        yield desk


def test_its_word_is_paper_and_not_a_report_to_come(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone")
    card = page.locator(f".card[data-table='{WITHOUT}']")
    expect(card.locator(".word")).to_have_text("Result on paper")
    expect(card.locator(".marks")).to_contain_text("no board")
    card.click()
    expect(page.locator("dialog header .word")).to_have_text("Result on paper")
    photograph(page, "sheet-without-board")


def test_the_desk_says_the_same_of_what_is_outstanding(chromium, desk):
    page = chromium.open(desk.links["organiser"], "laptop", at=f"{desk.url}/desk#outstanding")
    rows = page.locator(".panel-outstanding tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.nth(WITHOUT - 1)).to_contain_text("Result on paper")
    expect(page.locator("tbody", has_text="No report yet")).to_have_count(0)


@pytest.mark.parametrize(("locale", "word"), [("en-GB", "Result on paper"), ("it-IT", "Risultato su carta")])  # fmt: skip
def test_a_viewers_hall_says_the_same(chromium, desk, locale, word):
    page = chromium.open(desk.links["viewer"], "laptop", locale=locale, at=f"{desk.url}/hall")
    table = page.locator(f".map [data-table='{WITHOUT}']")
    expect(table).to_contain_text(f" {WITHOUT}, {word}, ")
    expect(page.locator(".legend li", has_text=word)).to_have_text(f"{word} 1")
    photograph(page, f"hall-without-board-{locale[:2]}")


@pytest.mark.parametrize(("locale", "word"), [("en-GB", "No board is at this table"), ("it-IT", "non c’è una scheda")])  # fmt: skip
def test_its_sheet_offers_no_more_than_its_result(chromium, desk, locale, word):
    page = chromium.open(desk.links["judge"], "phone", locale=locale)
    page.locator(f".card[data-table='{WITHOUT}']").click()
    expect(page.locator("dialog .body > .quiet")).to_contain_text(word)
    acts = page.locator("dialog form, dialog .body button[data-act]:not([data-act=reason])")
    expect(acts).to_have_count(2)
    expect(acts.last).to_have_attribute("data-form", "penalize")  # which no board has to take
    expect(page.locator("dialog form").first).to_have_attribute("data-form", "result")
    photograph(page, f"sheet-without-board-{locale[:2]}")


def test_whoever_asks_all_the_same_is_told_what_to_do(desk):
    refused = {
        "freeze": lambda station: station.desk.freeze(WITHOUT),
        "late": lambda station: station.desk.stamp_late(WITHOUT, "AB"),
        "extend": lambda station: station.desk.extend(WITHOUT, 4),
        "loss": lambda station: station.desk.lose_game(WITHOUT, "A", reason="tardy"),
        "rule": lambda station: station.desk.rule(WITHOUT, "A", (2, 0)),
    }
    for act in refused.values():
        with pytest.raises(UserError, match="swap a spare in"):
            desk.ask(act)
    assert not desk.ask(lambda station: station.archive.orders.pending_at(WITHOUT))[2:]


def test_at_all_tables_it_is_refused_of_that_table_alone(chromium, desk):
    desk.ask(lambda station: station.desk.start(station.collector.now_ms + 130_000))
    desk.advance(30)
    page = chromium.open(desk.links["organiser"], "laptop", at=f"{desk.url}/desk#room")
    form = page.locator("[data-form=extend_all]")
    form.locator("[name=reason]").fill("announcement")
    form.locator("[type=submit]").click()
    expect(page.locator(".note.ask")).to_contain_text(f"No board at table {WITHOUT} can add")
    desk.advance(20)
    given = {one: desk.ask(lambda station, one=one: station.desk.extension_s(one)) for one in (1, 2, 3)}  # fmt: skip
    assert given == {1: 300, WITHOUT: 0, 3: 300}


@pytest.fixture(scope="module")
def paper(tmp_path_factory):
    """A round without any board, whose start has come."""
    with VirtualDesk(tmp_path_factory.mktemp("paper"), tables=3, seed=7) as desk:
        for table in (1, 2, 3):
            desk.lose_board(table)
        desk.ask(lambda station: station.desk.publish(1))
        desk.ask(lambda station: station.desk.start(station.collector.now_ms + 120_000))
        desk.advance(125)
        yield desk


@pytest.mark.parametrize(("locale", "word"), [("en-GB", "no clock here can be stopped"), ("it-IT", "nessun orologio si può fermare")])  # fmt: skip
def test_a_room_without_boards_is_offered_no_clock_to_stop(chromium, paper, locale, word):
    page = chromium.open(paper.links["organiser"], locale=locale, at=f"{paper.url}/desk#room")
    expect(page.locator("[data-key=no-clocks]")).to_contain_text(word)
    expect(page.locator("[data-form=pause_all], [data-form=extend_all]")).to_have_count(0)
    expect(page.locator("[data-form=say], [data-act=clear]")).to_have_count(0)
    expect(page.locator("[data-form=lay_out]")).to_be_visible()
    for size in sized(page):
        assert not serious(page)
        photograph(page, f"room-without-boards-{size}-{locale[:2]}")


def test_typed_it_is_refused_with_what_to_do(paper):
    with pytest.raises(UserError, match="announce it, note how long play stands still"):
        paper.ask(lambda station: room_stop.stop(Staff(station, "Ann"), "fire alarm"))


def test_the_hall_expects_the_rooms_own_zero(chromium, paper):
    page = chromium.open(paper.links["viewer"], "laptop", at=f"{paper.url}/hall")
    zero_ms, origin_ms = paper.ask(lambda station: (
        station.desk.start_ms + 50 * 60_000, station.archive.roster.event.origin_unix_ms))  # fmt: skip
    told = page.evaluate("async () => (await (await fetch('/api/state')).json()).forecast")
    assert zero_ms <= told["end_ms"] < zero_ms + 10_000 and told["holding"] == []
    shown = page.evaluate("(ms) => new Date(ms).toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })", origin_ms + told["end_ms"])  # fmt: skip
    expect(page.locator(".forecast .end b")).to_have_text(shown)
    photograph(page, "hall-without-boards")


def test_after_the_zero_every_table_holds_the_round_up(paper):
    paper.advance(3100)
    told = paper.ask(lambda station: paper._web.service.change_feed.state("staff", 0)["forecast"])
    assert told["holding"] == [1, 2, 3] and told["end_ms"] > paper.ask(lambda s: s.collector.now_ms)
