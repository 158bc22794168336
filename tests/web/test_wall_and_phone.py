"""The wall after time, a phone with many calls, and what is not told too early, in a real Chromium."""

import re

import browser
import pytest
from playwright.sync_api import expect
from virtualdesk import VirtualDesk

from firmware.core import intents, phases

TABLES, CALLS = 10, 8
LAST = TABLES  # the table that plays on
pytestmark = pytest.mark.desk(tables=TABLES, run_s=840, calls=range(1, CALLS + 1))


@pytest.fixture(scope="module")
def judge(module_chromium, desk):
    page = module_chromium.open(desk.links["judge"], "phone")
    expect(page.locator(".calls .count")).to_have_text(str(CALLS))
    return page


@pytest.fixture(scope="module")
def wall(module_chromium, desk):
    return module_chromium.open(desk.links["viewer"], "projector")


def bottom(page, selector):
    box = page.locator(selector).bounding_box()
    return box["y"] + box["height"]


def test_eight_calls_leave_the_search_box_on_the_phone(judge):
    expect(judge.locator(".call")).to_have_count(2)
    assert bottom(judge, ".search input") <= 844
    browser.photograph(judge, "judge-eight-calls")
    judge.get_by_role("button", name="+6 more").click()
    expect(judge.locator(".call")).to_have_count(CALLS)
    judge.get_by_role("button", name="Show fewer").click()
    expect(judge.locator(".call")).to_have_count(2)


def test_the_queue_follows_the_windows_width(judge):
    judge.set_viewport_size({"width": 1366, "height": 768})
    expect(judge.locator(".call")).to_have_count(CALLS, timeout=1000)
    judge.set_viewport_size({"width": 390, "height": 844})
    expect(judge.locator(".call")).to_have_count(2, timeout=1000)


def test_a_table_that_is_sought_is_in_sight_whoever_waits(judge):
    judge.fill(".search input", str(LAST))
    expect(judge.locator(".card")).to_have_count(1)
    assert bottom(judge, ".card") <= 844 / 2  # above the keyboard
    judge.fill(".search input", "")
    expect(judge.locator(".card")).to_have_count(TABLES)


def test_a_laptop_shows_every_call(chromium, desk):
    page = chromium.open(desk.links["judge"])
    expect(page.locator(".call")).to_have_count(CALLS)
    expect(page.locator("[data-act=calls_all]")).to_have_count(0)


def test_the_wall_says_how_many_more_call(wall):
    expect(wall.locator(".judged .waiting")).to_have_count(4)
    expect(wall.locator(".judged .rest")).to_have_text("+4 more")
    browser.photograph(wall, "wall-eight-calls")


def test_four_minutes_are_one_touch_and_reasons_are_those_of_the_act(judge):
    judge.fill(".search input", str(LAST))
    expect(judge.locator(".card")).to_have_count(1)
    judge.locator(".card").press("Enter")  # a touch right after the list moved does not count
    clock = judge.locator("dialog [data-form=extend]")
    clock.locator(".chip:has-text('+4')").click()
    expect(clock.locator("[name=minutes]")).to_have_value("4")
    expect(clock.locator("[data-act=reason]").first).to_have_text("Judge call")
    for form in ("rule", "result"):
        told = judge.locator(f"dialog [data-form={form}] [data-act=reason]").all_text_contents()
        assert {"Conceded", "No-show", "Penalty"} <= set(told) and "Deck check" not in told
    judge.keyboard.press("Escape")
    judge.fill(".search input", "")


def test_old_calls_leave_the_wall(desk, wall):
    for table in range(1, CALLS + 1):
        desk.ask(
            lambda station, table=table: station.desk.command(intents.EndCall, table, author="Ada")
        )
    desk.advance(30)
    over = wall.locator(".judged .over").first
    expect(over).to_be_visible()
    key = over.get_attribute("data-key")
    desk.advance(660)
    expect(wall.locator(f".judged [data-key='{key}']")).to_have_count(0)


@pytest.fixture(scope="module")
def played_on(module_chromium, desk):
    """The wall long after time: all tables have results but one, whose clock stood still."""
    desk.ask(lambda station: station.desk.freeze(LAST, "Ada", "deck check"))
    desk.ask(
        lambda station: [
            station.desk.rule(table, "A", (2, 0), reason="slip", final=True)
            for table in station.desk.open
            if table != LAST
        ]
    )
    desk.advance_until(lambda station: station.collector.now_ms > station.desk.start_ms + 3_010_000)
    wall = module_chromium.open(desk.links["viewer"], "projector")
    expect(wall.locator(".big")).to_have_text("TIME")
    desk.ask(lambda station: station.desk.resume(LAST, "Ada"))
    desk.advance(20)
    return wall


def test_one_table_that_stood_still_does_not_call_time_back(desk, played_on):
    playing = desk.ask(lambda station: station.hall.match_at(LAST, 1, lambda match: match, None))
    assert playing.phase == phases.PLAYING and playing.zero_ms > playing.start_ms + 3_300_000
    expect(played_on.locator(".big")).to_have_text("TIME")
    expect(played_on.locator(".counts .fact").first).to_have_text(
        re.compile("1 table still playing")
    )
    browser.photograph(played_on, "wall-one-left")


def test_the_hall_names_every_table_that_holds_the_round_up(chromium, desk, played_on):
    page = chromium.open(desk.links["viewer"], at=f"{desk.url}/hall")
    expect(page.locator(".forecast li b")).to_have_text([str(LAST)])


def test_a_round_that_is_over_counts_no_tables(chromium, desk, played_on):
    desk.ask(lambda station: station.desk.rule(LAST, "A", (2, 0), reason="slip", final=True))
    desk.advance(20)
    expect(played_on.locator(".big")).to_have_text("Round over")
    expect(played_on.locator(".counts .fact")).to_have_count(0)
    page = chromium.open(desk.links["viewer"], at=f"{desk.url}/hall")
    expect(page.locator(".above .quiet")).to_have_text("Round over")


@pytest.fixture(scope="module")
def draft(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("draft"), tables=4, seed=7) as desk:
        yield desk


def test_a_draft_has_no_results_to_come(chromium, draft):
    page = chromium.open(draft.links["organiser"], at=f"{draft.url}/desk#outstanding")
    expect(page.locator(".panel .quiet")).to_have_text("No round has been published yet.")
    expect(page.locator(".panels a[href='#outstanding'] .count")).to_have_count(0)
    page.goto(f"{draft.url}/desk#results")
    expect(page.locator("tbody")).not_to_contain_text("still playing")


def test_players_do_not_see_a_draft(chromium, draft):
    page = chromium.open(draft.links["viewer"])
    expect(page.locator(".big.words")).to_be_visible()
    told = page.request.get(f"{draft.url}/api/state").json()
    assert told["round"] is None and told["rounds"] == {}
    assert page.request.get(f"{draft.url}/api/results?round=1").status == 409
    assert page.request.get(f"{draft.url}/api/results").status == 409
