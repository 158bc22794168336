"""A judge rules an X-Wing match on the phone with the points destroyed, and gives a penalty."""

import json

import pytest
import webevening
from browser import expect, photograph

from firmware.core import intents, phases

TABLE, OTHER = 1, 2


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ruling")
    names = ["Ada Bianchi", "Bo Conti", "Ciro Neri", "Dora Rossi"]
    pairs = [{"player1": names[0], "player2": names[1]}, {"player1": names[2], "player2": names[3]}]
    one = {"round-type": "swiss", "round-number": 1, "matches": pairs}
    told = {"name": "Cup", "players": [{"name": name} for name in names], "rounds": [one]}
    webevening.imported(folder, "cup.json", json.dumps(told))
    with webevening.EveningDesk(folder) as desk:
        desk.publish(20)
        desk.ask(lambda station: station.desk.start(station.collector.now_ms + 130_000))
        desk.advance(150)
        for table in (TABLE, OTHER):
            assert desk.board(table).match.phase == phases.PLAYING
            desk.press(table, intents.START_TURN, 0)
        yield desk


def opened(chromium, desk, table, locale="en-GB"):
    person = webevening.Person(chromium, desk, "judge", "phone", locale)
    person.page.locator(f".card[data-table='{table}']").click()
    return person


def test_the_points_of_a_ruling_are_the_results(chromium, desk):
    person = opened(chromium, desk, TABLE)
    form = person.page.locator("dialog [data-form=rule]")
    form.locator("label", has=person.page.locator("[value=A]")).click()
    form.locator("[name=final]").check()
    person.fill(form, games_a=42, games_b=17)
    form.scroll_into_view_if_needed()
    photograph(person.page, "ruling-with-points")
    person.submit(form, reason="counted anew")
    person.done()
    desk.advance(20)
    match = desk.board(TABLE).match
    assert (match.phase, match.destroyed, match.outcome) == (phases.AGREED, (42, 17), 1)
    expect(person.page.locator("dialog header .word")).to_have_text("▲ wins 42–17")
    person.page.context.close()


def test_a_single_number_is_refused_and_a_ruling_without_any_is_none(chromium, desk):
    person = opened(chromium, desk, OTHER)
    form = person.page.locator("dialog [data-form=rule]")
    form.locator("label", has=person.page.locator("[value=B]")).click()
    person.submit(form, games_a=20, reason="counted anew")
    expect(person.page.locator("dialog .note.bad")).to_contain_text("whole number")
    person.page.context.close()
    chromium.errors.clear()  # a browser says itself that an act was refused


def test_a_penalty_asks_the_table_for_the_losers_points(chromium, desk):
    person = opened(chromium, desk, OTHER, "it-IT")
    page = person.page
    page.locator("dialog details[data-key=loss] summary").click()
    form = page.locator("dialog [data-form=loss]")
    form.locator("label", has=page.locator("[value=A]")).click()
    photograph(page, "penalty-of-ships-it")
    person.submit(form, reason="errore di squadriglia")
    person.done()
    desk.advance(20)
    match = desk.board(OTHER).match
    assert (match.conceded, match.missing) == (0, phases.DESTROYED)
    page.context.close()
