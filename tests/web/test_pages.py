"""The pages in a real Chromium, over a virtual venue of 8 tables."""

import re

import browser
import pytest
from playwright.sync_api import expect

TABLES, TABLE = 8, 7
TWICE = 683, 384  # what a laptop's page has of room at 200 %
WHOLE = "document.documentElement.scrollWidth <= innerWidth"
pytestmark = pytest.mark.desk(tables=TABLES, run_s=840, calls=[TABLE])


@pytest.fixture(scope="module")
def judge(module_chromium, desk):
    return module_chromium.open(desk.links["judge"], "phone")


@pytest.fixture(scope="module")
def wall(module_chromium, desk):
    page = module_chromium.open(desk.links["viewer"], "projector")
    page.click("[data-act=sound]")
    return page


def card(page, table=TABLE):
    return page.locator(f".card[data-table='{table}']")


def asked(desk, page, button):
    browser.send(page.locator(button))
    expect(page.locator(".note.good").last).to_be_visible()
    desk.advance(25)


def closed(page):
    page.keyboard.press("Escape")
    expect(page.locator("dialog.sheet")).to_have_count(0)


def test_a_judge_claims_freezes_and_resumes(desk, judge):
    call = judge.locator(".call", has_text="7")
    call.get_by_role("button", name="On my way").click()
    expect(call.locator(".who")).to_have_text("you")
    browser.send(call.get_by_role("button", name="I’m here"))
    desk.advance(25)
    card(judge).click()
    expect(judge.locator("dialog.sheet")).to_be_visible()
    asked(desk, judge, "[data-act=freeze]")
    expect(judge.locator("dialog .word")).to_have_text("Stopped")
    desk.advance(30)
    asked(desk, judge, "[data-act=resume]")
    expect(judge.locator("dialog .word")).to_have_text("Playing")
    closed(judge)


def test_the_sheet_proposes_what_the_call_has_cost(desk, judge):
    desk.advance(120)
    browser.send(judge.locator(".call [data-act=resolve]"))
    proposed = judge.locator("dialog [data-form=extend] .proposed").inner_text()
    minutes = int(re.search(r"\d+", proposed).group())
    typed = judge.locator("dialog [name=minutes]")
    assert minutes >= 3 and typed.input_value() == str(minutes)
    browser.photograph(judge, "judge-proposed")
    desk.advance(25)
    expect(judge.locator(".call")).to_have_count(0)
    assert typed.input_value() == str(minutes), "and still does when the call is over"
    judge.locator("dialog [data-form=extend] [data-act=reason]").first.click()
    asked(desk, judge, "[data-form=extend] [type=submit]")
    expect(judge.locator("dialog .mark.given")).to_have_text(f"+{minutes} min")
    given_s = desk.ask(
        lambda station: station.hall.match_at(TABLE, 1, lambda match: match.extension_s, 0)
    )
    assert given_s == minutes * 60
    closed(judge)


def test_the_wall_tells_the_last_calls_and_not_why(desk, wall):
    expect(wall.locator(".judged .over b")).to_have_text(str(TABLE))
    waited = wall.locator(".judged .over .wait").inner_text()
    assert re.fullmatch(r"\d:\d\d", waited)
    desk.call_judge(3)
    expect(wall.locator(".judged .waiting b")).to_have_text("3")
    assert wall.locator(".judged .over .wait").inner_text() == waited
    told = wall.evaluate(
        "async () => JSON.stringify((await (await fetch('/api/state')).json()).past_calls)"
    )
    assert "ended_ms" in told and "type" not in told and "name" not in told
    browser.photograph(wall, "wall-calls")


def test_the_keyboard_alone_is_enough(desk, judge):
    judge.locator(".search input").focus()
    judge.keyboard.type(str(TABLE))
    expect(judge.locator(".card")).to_have_count(1)
    for _ in range(12):
        judge.keyboard.press("Tab")
        if judge.evaluate("document.activeElement.matches('.card')"):
            break
    judge.keyboard.press("Enter")
    expect(judge.locator("dialog.sheet #sheet-title")).to_be_focused()
    judge.keyboard.press("Escape")
    judge.locator(".search input").fill("")
    expect(judge.locator(".card")).to_have_count(TABLES)
    judge.click("[data-name=overtime]")
    expect(judge.locator(".card")).to_have_count(0)
    judge.click("[data-name=all]")


@pytest.mark.parametrize("name", browser.PAGES)
def test_every_page_is_open_to_all(chromium, desk, name):
    page = chromium.open(desk.links[browser.PAGES[name]], TWICE, at=f"{desk.url}/{name}")
    expect(page.locator(browser.READY)).to_be_visible()
    assert page.evaluate(WHOLE), "cut at twice the size"
    for size in browser.sized(page):
        page.emulate_media(color_scheme="dark" if size == "phone" else "light")
        browser.photograph(page, f"{name}-{size}")
        assert not browser.serious(page)
        assert page.evaluate(WHOLE)


def test_every_word_on_the_wall_is_readable_from_afar(wall):
    heights = wall.evaluate("""() => [...document.querySelectorAll("main *")]
        .filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()) && !node.matches(".unseen"))
        .map((node) => parseFloat(getComputedStyle(node).fontSize))""")
    assert len(heights) >= 5 and min(heights) >= 1080 / 20


def test_the_wall_reaches_zero_and_sounds(desk, wall):
    expect(wall.locator(".big.clock")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    before = wall.evaluate("window.tones")
    desk.advance_until(
        lambda station: any(
            station.hall.match_at(table, 1, lambda match: match.phase, 0) in (5, 6)
            for table in station.desk.tables
        )
    )
    expect(wall.locator(".big")).to_have_text("TIME")
    expect(wall.locator(".fact.over")).to_be_visible()
    assert wall.evaluate("window.tones") > before
    browser.photograph(wall, "wall-time")


def test_the_desk_corrects_a_result(chromium, desk):
    page = chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#results")
    row = page.locator("tbody tr", has_text="wins").first
    table = int(row.locator("button.number").inner_text())
    before = desk.ask(lambda station: station.hall.results(1)[table].outcome)
    after = {"A": "B", "B": "A"}[before]
    row.locator("button.number").click()
    page.check(f"dialog [name=outcome][value={after}]")
    page.fill(f"dialog [name=games_{after.lower()}]", "2")
    page.fill(f"dialog [name=games_{before.lower()}]", "0")  # they stand there as they were
    page.locator("dialog [data-form=rule] [name=reason]").fill("typed the wrong way round")
    asked(desk, page, "dialog [data-form=rule] [type=submit]")
    held = desk.ask(lambda station: station.hall.results(1)[table])
    assert (held.outcome, held.by) == (after, "ruled") and held.games[after == "B"] == 2
    page.keyboard.press("Escape")
    shape = {"A": "▲", "B": "●"}[after]
    expect(
        page.locator("tbody tr", has=page.locator(f"button.number:text-is('{table}')"))
    ).to_contain_text(f"{shape} wins")


def test_a_draft_is_looked_through_and_set_right_on_the_page(chromium, desk):
    desk.ask(
        lambda station: [
            station.desk.rule(table, "A", (2, 0), reason="slip", final=True)
            for table in station.desk.open
        ]
    )
    desk.advance_until(lambda station: not station.desk.open)
    page = chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#rounds")
    page.locator("[data-form=choose_pack] [name=pack]").select_option(index=1)
    page.click("[data-form=choose_pack] [type=submit]")
    page.click("[data-form=draft] [type=submit]")
    seats = page.locator("[data-key=round2] .seat")
    expect(seats).to_have_count(2 * TABLES)
    seats.nth(0).click()
    seats.nth(3).click()
    page.click(".draft-bar [data-act=do_change]")
    expect(page.locator("[data-act=undo_pairing]")).to_be_visible()
    browser.photograph(page, "desk-draft")
    page.goto(f"{desk.url}/desk#results")
    expect(page.locator("[data-on=choose]").first).to_have_value("1")


@pytest.mark.parametrize("where", ["http://elsewhere.example/", "http://203.0.113.7/"])
def test_a_request_to_anywhere_else_would_be_seen(chromium, desk, where):
    page = chromium.open(desk.links["viewer"], at=browser.EMPTY)
    with page.expect_event("requestfailed"):
        page.evaluate("(where) => fetch(where, {mode: 'no-cors'}).catch(() => {})", where)
    assert chromium.strangers == [where] and chromium.errors
    chromium.strangers.clear()
    chromium.errors.clear()


def test_a_refused_request_would_be_seen(chromium, desk):
    page = chromium.open(desk.links["viewer"], at=f"{desk.url}/wall")
    with page.expect_console_message():
        page.evaluate("fetch('/nothing')")
    assert ["404" in one and "/nothing" in one for one in chromium.errors] == [True]
    chromium.errors.clear()
