"""The judge's page in a real Chromium: what waits, two judges of one name, rulings, codes."""

import re

import browser
import pytest
from playwright.sync_api import expect

from firmware.core import intents

TABLE, OTHER, SWAPPED = 2, 3, 4
_BROKEN = """() => [...document.querySelectorAll("td .name")].flatMap((name) => {
  const node = name.firstChild, found = [];
  for (const word of node.data.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    if (range.getClientRects().length > 1) found.push(word[0]);
  }
  return found;
})"""
pytestmark = pytest.mark.desk


def disputed(desk, table):
    """Have one seat of a board claim a result, and the other refuse it."""
    desk.press(table, intents.CLAIM_RESULT, 1, 2)
    desk.press(table, intents.REFUSE_RESULT)
    desk.advance(20)


def link(desk, role, name):
    return desk.ask(
        lambda station: f"{desk.url}/l/{desk._web.service.links.make(role, name, 'test', 0)[1]}"
    )


def test_before_the_start_nothing_runs(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", locale="it-IT")
    expect(page.locator(".bar .round")).to_have_text(re.compile("ai tavoli|pubblicato"))
    expect(page.locator(".bar .until small")).to_have_text("Inizia tra")
    tops = page.evaluate(
        "[...document.querySelectorAll('.bar > .brand, .bar > .until, .bar > .tools')].map((one) =>"
        " one.getBoundingClientRect()).map((box) => box.top + box.height / 2)"
    )
    assert max(tops) - min(tops) < 12  # one row
    browser.photograph(page, "judge-before-start")


def test_who_changed_places_is_told_by_the_shapes_of_the_table(chromium, desk):
    desk.press(SWAPPED, intents.CONFIRM_SEAT, 2, 1)
    desk.advance(10)
    pairing = desk.ask(lambda station: station.archive.roster.pairing_at(1, SWAPPED))
    page = chromium.open(desk.links["judge"], "phone")
    words = f"seats changed: at the table ▲ is {pairing.b.name}, ● {pairing.a.name}"
    mark = page.locator(f".card[data-table='{SWAPPED}'] .mark", has_text="seats changed")
    expect(mark).to_have_text(words)
    page.locator(f".card[data-table='{SWAPPED}']").click()
    expect(page.locator("dialog .mark", has_text="seats changed")).to_have_text(words)
    page.context.close()


def test_a_refused_result_waits_in_the_queue_and_two_judges_do_not_both_go(chromium, desk):
    desk.advance(900)
    ada = chromium.open(link(desk, "judge", "Ada"), "phone")
    other = chromium.open(link(desk, "judge", "Ada"), "phone", locale="it-IT")
    wall = chromium.open(desk.links["viewer"], "projector")
    expect(ada.locator(".calls .quiet")).to_be_visible()
    disputed(desk, TABLE)
    call = ada.locator(".call", has_text=str(TABLE))
    expect(call.locator(".type")).to_have_text("Ruling needed: result")
    expect(ada.locator(".spoken")).to_have_text(
        f"Table {TABLE} is waiting for a judge: Ruling needed: result"
    )
    expect(call.locator(".wait .clock")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(wall.locator(".judged")).to_contain_text(str(TABLE))
    browser.photograph(ada, "judge-ruling")
    browser.photograph(wall, "wall-ruling")
    call.locator("[data-act=claim]").click()
    expect(call.locator(".who")).to_have_text("you")
    theirs = other.locator(".call", has_text=str(TABLE))
    expect(theirs.locator(".who")).to_have_text("Ada")  # of the same name, and not this judge
    assert theirs.locator("[data-act=claim], [data-act=unclaim]").count() == 0
    browser.photograph(other, "judge-taken-it")
    theirs.locator("[data-act=instead]").click()
    expect(theirs.locator(".who")).to_have_text("tu")
    expect(ada.locator(".note.ask")).to_contain_text("Ada is going instead of you")
    ada.locator(".note.ask [data-act=dismiss]").press("Enter")
    expect(ada.locator(".note.ask")).to_have_count(0)
    assert not browser.serious(ada) and not browser.serious(other)
    for page in (ada, other, wall):
        page.context.close()


def test_a_table_that_no_judge_was_given_is_everybodys(chromium, desk):
    page = chromium.open(link(desk, "judge", "Zoe"), "phone")
    head = chromium.open(link(desk, "head", "Hugo"), at=f"{desk.url}/desk#room")
    call = page.locator(".call", has_text=str(TABLE))
    expect(call).to_be_visible()
    for name, first, elsewhere in (("Zoe", OTHER, 0), ("Ada", TABLE, 1)):
        form = head.locator("[data-act-name=zone]")
        browser.fill(form, {"name": name, "first": first, "last": first})
        form.locator("[type=submit]").click()
        expect(head.locator("[data-key=zones]")).to_contain_text(name)
        expect(page.locator(".call.elsewhere")).to_have_count(elsewhere)
    for one in (page, head):
        one.context.close()


def games_won(station):
    return station.hall.match_at(TABLE, 1, lambda match: match.games, None)


def test_a_ruling_that_cannot_be_stays_said_and_an_odd_one_is_asked(chromium, desk):
    page, asked = chromium.open(desk.links["judge"], "phone"), []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    page.locator(".call [data-act=open]:not(.plain)").click()
    games = [page.locator(f"dialog [name=games_{seat}]").input_value() for seat in "ab"]
    assert games == ["2", "0"] or games == [str(one) for one in desk.ask(games_won)]
    page.check("dialog [name=outcome][value=tie]")
    page.fill("dialog [name=games_a]", "2")
    page.fill("dialog [name=games_b]", "0")
    page.locator("dialog [data-form=rule] [name=reason]").fill("seen")
    page.click("dialog [data-form=rule] [type=submit]")
    note = page.locator("dialog .note.bad")
    expect(note).to_contain_text("at 2–0 games ▲ has won")
    assert not browser.serious(page)
    browser.photograph(page, "judge-refused")
    note.locator("[data-act=dismiss]").click()
    expect(note).to_have_count(0)
    page.check("dialog [name=outcome][value=B]")
    page.fill("dialog [name=games_a]", "0")
    page.check("dialog [name=final]")
    page.click("dialog [data-form=rule] [type=submit]")
    expect(page.locator(".note.good")).to_be_visible()
    assert len(asked) == 1 and "concession" in asked[0]
    desk.advance(25)
    assert desk.ask(lambda station: station.hall.results(1)[TABLE].outcome) == "B"
    expect(page.locator(".call")).to_have_count(0)
    page.context.close()
    chromium.errors.clear()  # a browser says itself that an act was refused


def test_codes_stay_until_the_sheet_is_closed(chromium, desk):
    page = chromium.open(desk.links["judge"], "phone", locale="it-IT")
    page.clock.install()
    page.reload()
    page.locator(f".card[data-table='{OTHER}']").click()
    page.click("dialog details[data-key=more] summary")
    page.click("dialog [data-act=codes]")
    expect(page.locator("dialog .codes code")).to_have_count(3)
    page.clock.run_for(60_000)
    expect(page.locator("dialog .codes code").first).to_have_text(re.compile(r"^\d{3} \d{3}$"))
    page.locator("dialog .codes").scroll_into_view_if_needed()
    browser.photograph(page, "judge-codes-it")
    page.keyboard.press("Escape")
    page.locator(f".card[data-table='{OTHER}']").click()
    expect(page.locator("dialog .codes code")).to_have_count(0)


def test_the_hall_waits_for_a_judge(chromium, desk):
    disputed(desk, OTHER)
    page = chromium.open(desk.links["viewer"], at=f"{desk.url}/hall")
    row = page.locator(".forecast li", has_text=str(OTHER)).first
    expect(row.locator(".why")).to_have_text("waiting for a judge")
    browser.photograph(page, "hall-judge")


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_names_keep_their_words_whole_on_a_phone(chromium, desk, locale):
    page = chromium.open(
        desk.links["organiser"], "phone", locale=locale, at=f"{desk.url}/desk#results"
    )
    expect(page.locator("td .name").first).to_be_visible()
    assert page.evaluate(_BROKEN) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    browser.photograph(page, f"desk-results-phone-{locale[:2]}")


def test_a_person_added_leaves_empty_fields_and_ones_own_link_is_asked_about(chromium, desk):
    page, asked = chromium.open(link(desk, "organiser", "Olga")), []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    page.goto(f"{desk.url}/desk#people")
    page.fill("[data-form=add_player] [name=number]", "901")
    page.fill("[data-form=add_player] [name=name]", "Zoë")
    page.click("[data-form=add_player] [type=submit]")
    expect(page.locator("[data-form=add_player] [name=number]")).to_have_value("")
    expect(page.locator("[data-form=add_player] [name=number]")).to_be_focused()
    page.click(".panels a[href='#links']")
    page.locator("tbody tr", has_text="Olga").locator("button").click()
    assert len(asked) == 1 and "your own link" in asked[0]
    expect(page.locator("tbody tr", has_text="Olga").locator("button")).to_be_visible()


def test_take_home_sends_the_pack_that_the_standings_were_shown_with(chromium, desk):
    page = chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#standings")
    pack = page.locator("[name=pack] option").nth(1).get_attribute("value")
    page.select_option("[name=pack]", pack)
    expect(page.locator(".note.good")).to_be_visible()
    page.click(".panels a[href='#files']")
    everything = page.locator("a[download][href*='/json']").get_attribute("href")
    assert pack in page.request.get(desk.url + everything).json()["standings"]["source"]


def test_coins_and_dice_are_one_choice(chromium, desk):
    page = chromium.open(desk.links["head"], at=f"{desk.url}/desk#luck")
    page.check("[name=bits][value='4']")
    page.check("[name=bits][value='1']")
    assert page.locator("[name=bits]:checked").count() == 1
    page.click("[data-form=policy] [type=submit]")
    expect(page.locator(".note.good")).to_be_visible()


def test_a_tables_history_says_what_its_board_refused(chromium, desk):
    for reason in ("deck check", "again"):
        desk.ask(lambda station, reason=reason: station.desk.freeze(4, "Olga", reason))
        desk.advance(20)
    page = chromium.open(desk.links["judge"], "phone")
    page.locator(".card[data-table='4']").click()
    page.click("dialog [data-act=history]")
    last = page.locator("dialog .history li").last
    expect(last).to_contain_text("clock stopped · refused by the board · Olga · again")
