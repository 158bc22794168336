"""What a table's sheet offers in each phase is what its board takes, and no refusal outstays its act."""

import browser
import pytest
from playwright.sync_api import expect
from tabletop import Venue

from firmware.core import intents, phases
from host.base.errors import UserError
from host.systems.match_facts import PHASES
from host.web import tablecard

FREEZE = intents.Freeze(0)
pytestmark = pytest.mark.desk(run_s=400)


@pytest.fixture
def table(tmp_path):
    """A board's match in play, and the board."""
    venue = Venue(tmp_path / "a.db", tables=1)
    venue.begin()
    yield venue, venue.boards[0]
    venue.station.close()


def taken(board, now_ms):
    """Return the acts of the sheet that a board takes now, each tried on its own."""
    tries = {
        "freeze": intents.Freeze(0), "resume": intents.Resume(0),
        "extend": intents.Extend(0, 0, board.match.extension_s + 60),
        "late": intents.StampLate(0, 1), "rule": intents.RuleResult(0, 1, 0, 1, 2, 0),
        "loss": intents.LoseGame(0, 0, 0),
    }  # fmt: skip
    return {
        act for act, intent in tries.items() if board.match.decide(intent.at(now_ms), now_ms, None)
    }


def test_in_every_phase_it_is_what_the_board_takes(table):
    venue, board = table
    seen = set()

    def compare():
        board.tick(venue.air.now_ms)
        seen.add(PHASES[board.match.phase])
        found = set(tablecard.offers(board.match, True, board.match.phase == phases.AGREED))
        acts = {"freeze", "resume", "extend", "late", "rule", "loss"}
        assert found & acts == taken(board, venue.air.now_ms), PHASES[board.match.phase]

    compare()
    venue.station.desk.freeze(1)
    venue.drain()
    compare()
    venue.station.desk.resume(1)
    venue.drain()
    venue.air.run(300_000)
    compare()
    venue.air.run(3_100_000)
    compare()
    venue.drain()
    venue.station.desk.rule(1, "A", (2, 0), final=True)
    venue.drain()
    compare()
    assert {"frozen", "playing", "time", "agreed"} <= seen


@pytest.mark.parametrize(("match", "board", "done", "expected"), [
    (None, False, False, set()), (None, False, True, set()), (None, True, True, set()),
    (None, True, False, {"freeze", "extend", "late", "rule"}),
])  # fmt: skip
def test_a_table_that_was_not_heard_waits_and_one_without_a_board_takes_nothing(match, board, done, expected):  # fmt: skip
    assert set(tablecard.offers(match, board, done)) == expected


def test_a_finished_table_refuses_at_the_desk_what_it_cannot_take(table):
    venue, _ = table
    desk = venue.station.desk
    desk.rule(1, "A", (2, 0), final=True)
    venue.drain()
    for act in (
        lambda: desk.freeze(1), lambda: desk.stamp_late(1, "A"), lambda: desk.extend(1, 4),
        lambda: desk.lose_game(1, "A", reason="tardy"), lambda: desk.resume(1),
        lambda: desk.set_penalties(1, (1, 0)), lambda: desk.command(intents.RuleRoll, 1, (1,)),
    ):  # fmt: skip
        with pytest.raises(UserError, match="has its result: reopen or withdraw it first"):
            act()
    desk.command(intents.ReopenResult, 1, (0,), reason="wrong slip")
    venue.drain()
    assert desk.stamp_late(1, "A")


@pytest.fixture
def page(chromium, desk):
    return chromium.open(desk.links["judge"], "phone")


def opened(page, table):
    card = page.locator(f".card[data-table='{table}']")
    expect(card).to_be_visible()
    card.press("Enter")
    expect(page.locator("#sheet-title")).to_have_text(f"Table {table}")
    return page.locator("dialog.sheet")


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("it-IT", "dark")])
def test_a_finished_tables_sheet_corrects_and_nothing_more(chromium, desk, locale, scheme):
    if not desk.ask(lambda station: 4 not in station.desk.open):
        desk.ask(lambda station: station.desk.rule(4, "A", (2, 0), reason="slip", final=True))
        desk.advance(30)
    page = chromium.open(desk.links["judge"], locale=locale, scheme=scheme)
    page.locator(".card[data-table='4']").press("Enter")
    sheet = page.locator("dialog.sheet")
    expect(sheet.locator("[data-form=rule]")).to_be_visible()
    expect(sheet.locator("[value=reopen]")).to_be_visible()
    for gone in ("freeze", "resume", "late", "turns"):
        expect(sheet.locator(f"[data-act={gone}]")).to_have_count(0)
    for gone in ("extend", "loss"):
        expect(sheet.locator(f"[data-form={gone}]")).to_have_count(0)
    for size in browser.sized(page):
        assert not browser.serious(page)
        browser.photograph(page, f"sheet-finished-{size}-{locale[:2]}")


def test_a_prize_penalty_stays_when_the_other_player_gets_one(desk, page):
    desk.ask(lambda station: station.desk.set_penalties(3, (1, 0), "Bea"))
    desk.advance(20)
    sheet = opened(page, 3)
    sheet.locator("details[data-key=more] summary").click()
    form = sheet.locator("[data-form=prizes]")
    expect(form.locator("[name=a]")).to_have_value("1")
    form.locator("[name=b]").fill("2")
    form.locator("[type=submit]").click()
    expect(page.locator(".note.good")).to_have_text("Prize penalties set.")
    desk.advance(20)
    adjusted = desk.ask(
        lambda station: station.hall.match_at(3, 1, lambda match: match.adjusted, None)
    )
    assert adjusted == (1, 2)


def refused(page, sheet, times=1):
    form = sheet.locator("[data-form=rule]")
    for count in range(times):
        form.locator("[name=outcome][value=tie]").check()
        form.locator("[name=games_a]").fill("2")
        form.locator("[name=games_b]").fill("0")
        form.locator("[name=reason]").fill(f"try {count}")
        form.locator("[type=submit]").first.click()
    return page.locator(".note.bad")


def test_refusals_of_one_act_are_one_and_go_when_it_succeeds(chromium, desk, page):
    sheet = opened(page, 1)
    note = refused(page, sheet, 3)
    expect(note).to_have_count(1)
    form = sheet.locator("[data-form=rule]")
    form.locator("[name=outcome][value=A]").check()
    form.locator("[type=submit]").first.click()
    expect(page.locator(".note.good")).to_be_visible()
    expect(note).to_have_count(0)
    chromium.errors.clear()  # a browser says itself that an act was refused


def test_a_refusal_goes_once_it_was_seen_and_not_before(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", at=browser.EMPTY)
    page.clock.install()
    page.goto(f"{desk.url}/judge")
    sheet = opened(page, 2)
    note = refused(page, sheet)
    expect(note).to_have_count(1)
    sheet.locator("[data-form=rule] [name=reason]").fill("at once")
    expect(note).to_have_count(1)  # nobody reads so fast
    page.clock.run_for(4000)
    expect(note).to_have_count(1)  # nobody may have looked
    sheet.locator("[data-form=rule] [name=reason]").fill("somebody goes on")
    expect(note).to_have_count(0)
    page.context.close()
    chromium.errors.clear()


def test_what_a_board_refuses_stands_alone(chromium, desk):
    """The host offers a stop, and the players have just agreed: given is not said beside refused."""
    page = chromium.open(desk.links["judge"], "phone")
    sheet = opened(page, 3)
    form = sheet.locator("[data-form=extend]")
    form.locator("[name=minutes]").fill("4")
    desk.ask(lambda station: station.desk.rule(3, "A", (2, 0), reason="slip", final=True))
    form.locator("[type=submit]").click()
    expect(page.locator(".note.good")).to_be_visible()
    desk.advance(120)
    note = page.locator(".note.bad")
    expect(note).to_contain_text("Table 3 refused")
    expect(page.locator(".note.good")).to_have_count(0)
    browser.photograph(page, "sheet-refused")
    page.context.close()
    chromium.errors.clear()


def test_a_button_that_the_table_of_acts_draws_does_its_act(chromium, desk):
    """No script names *take back*: the host's row is all there is of it."""
    page = chromium.open(desk.links["judge"], "phone", locale="en-GB")
    sheet = opened(page, 3)
    sheet.locator("[data-key=more] summary").click()
    sheet.locator("[data-act=take_back]").click()
    expect(page.locator(".note.good")).to_have_text("Requested.")
    desk.advance(5)
