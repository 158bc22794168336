"""A result from paper in a real Chromium: three clicks, and a conflict that a judge settles."""

import re
from dataclasses import replace

import browser
import pytest
from playwright.sync_api import expect

from firmware.core import intents

PAPER, BOTH = 2, 3  # a table whose board is gone, and one whose board plays on
pytestmark = pytest.mark.desk(run_s=300, without=PAPER)


def result(desk, table):
    return desk.ask(lambda station: station.hall.results(1).get(table))


def test_a_table_without_a_board_gets_its_result_with_three_clicks(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone")
    page.locator(f".card[data-table='{PAPER}']").click()
    page.locator("dialog [data-form=result] label", has=page.locator("[value=B]")).click()
    browser.photograph(page, "paper-phone")
    assert not browser.serious(page)
    page.locator("dialog [data-form=result] [type=submit]").click()
    expect(page.locator(".note.good")).to_contain_text(
        re.compile(r"wins \(0–2\); typed from paper")
    )
    found = result(desk, PAPER)
    assert (found.outcome, found.games, found.reason) == ("B", (0, 2), "Paper slip")


def test_it_is_corrected_at_the_desk_in_one_line(chromium, desk):
    page = chromium.open(desk.links["organiser"], "laptop", at=f"{desk.url}/desk#results")
    line = page.locator(".panel-results [data-form=result]")
    assert not browser.serious(page)
    line.locator("[name=table]").fill(str(PAPER))
    line.locator("[name=outcome]").select_option("A")
    line.locator("[name=number_a]").fill("1")
    line.locator("[name=number_b]").fill("2")
    line.locator("[type=submit]").click()
    expect(page.locator(".note.bad")).to_contain_text("● has won")
    assert line.locator("[name=table]").input_value() == str(PAPER)  # nothing typed is lost
    line.locator("[name=number_a]").fill("2")
    line.locator("[name=number_b]").fill("1")
    line.locator("[type=submit]").click()
    expect(line.locator("[name=table]")).to_have_value("")
    expect(page.locator(".panel-results tbody tr").nth(PAPER - 1)).to_contain_text("from paper")
    assert result(desk, PAPER).games == (2, 1)
    expect(page.locator(".note.bad")).to_have_count(0)  # it was done after all
    expect(page.locator(".note")).to_have_count(1)
    browser.photograph(page, "paper-desk")
    page.context.close()
    chromium.errors.clear()  # a browser says itself that an act was refused


def ended(desk, table):
    """Have both seats of a board agree that ▲ won 2–0."""
    desk.press(table, intents.CLAIM_RESULT, 1, 2)
    for seat in (1, 0):
        desk.press(table, intents.CONFIRM_RESULT, seat)
    desk.advance(20)


def test_the_boards_word_against_it_waits_for_a_judge(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", locale="it-IT")
    page.locator(f".card[data-table='{BOTH}']").click()
    page.click("dialog details[data-key=paper] summary")
    page.locator("dialog [data-form=result] label", has=page.locator("[value=B]")).click()
    page.locator("dialog [data-form=result] [type=submit]").click()
    expect(page.locator(".note.good")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".call")).to_have_count(0)
    ended(desk, BOTH)
    call = page.locator(".call", has_text=str(BOTH))
    expect(call.locator(".type")).to_have_text("Da decidere: carta contro scheda")
    assert result(desk, BOTH).outcome == "B"  # nothing is overwritten
    call.locator("[data-act=open]:not(.plain)").click()
    expect(page.locator("dialog .conflict")).to_contain_text("vince ▲ 2–0")
    browser.photograph(page, "paper-conflict-it")
    assert not browser.serious(page)
    page.click("dialog [data-act=board_counts]")
    expect(page.locator("dialog .conflict")).to_have_count(0)
    assert result(desk, BOTH).outcome == "A"
    page.keyboard.press("Escape")
    expect(page.locator(".call")).to_have_count(0)


def test_a_win_by_prizes_at_time_is_ticked_where_it_is_worth_less(chromium, desk):
    def single_games(station):
        roster = station.archive.roster
        form = replace(roster.format_of(1), system=1, bits=1 << 1)  # D03
        roster.store_round(2, form, [replace(one, round=2) for one in roster.pairings_of(1)])
        station.desk.publish(2)

    page = chromium.open(desk.links["judge"], "phone")
    page.locator(f".card[data-table='{PAPER}']").click()
    expect(page.locator("dialog [data-form=result]")).to_be_visible()
    expect(page.locator("dialog [name=narrow]")).to_have_count(0)
    page.keyboard.press("Escape")
    desk.ask(single_games)
    desk.advance(2)
    page.locator(f".card[data-table='{PAPER}']").click()
    page.locator("dialog [data-form=result] label", has=page.locator("[value=B]")).click()
    page.locator("dialog label", has=page.locator("[name=narrow]")).click()
    browser.photograph(page, "paper-narrow-phone")
    assert not browser.serious(page)
    page.locator("dialog [data-form=result] [type=submit]").click()
    expect(page.locator(".note.good")).to_contain_text("a narrow win; typed from paper")
    found = desk.ask(lambda station: station.hall.results(2).get(PAPER))
    assert (found.outcome, found.points) == ("B", (None, 2))
    expect(page.locator("dialog [name=narrow]")).to_be_checked()
    browser.photograph(page, "paper-narrow-typed")
