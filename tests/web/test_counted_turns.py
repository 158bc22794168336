"""Each turn counted where a judge wants it: on the phone, at the board and in the log."""

import re

import pytest
from browser import expect, photograph
from virtualdesk import VirtualDesk

from firmware.core import intents, phases, play

TABLE, ONE, TWO = 1, 0, 1


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A round that runs at two tables, where nobody plays by themselves."""
    with VirtualDesk(tmp_path_factory.mktemp("turns"), tables=2, seed=7, loss=0.0) as desk:
        desk.publish(20)
        desk.ask(lambda station: station.desk.start(station.collector.now_ms + 130_000))
        desk.advance(20)
        for seat in (ONE, TWO):
            desk.press(TABLE, intents.CONFIRM_SEAT, seat)
        desk.advance(120)
        assert match(desk).phase == phases.PLAYING
        desk.press(TABLE, intents.SET_STARTER, ONE)
        yield desk


def match(desk):
    return desk._web.stage.venue.tables[TABLE].app.match


def key(desk, seat, after_s):
    """Press a seat's key, and let so much time pass."""
    desk.ask(lambda station: desk._web.stage.venue.tables[TABLE].press(seat, 120))
    desk.advance(after_s)


def opened(chromium, desk, locale="en-GB"):
    page = chromium.open(desk.links["judge"], "phone", locale=locale)
    page.locator(f".card[data-table='{TABLE}']").click()
    return page


def test_a_judge_has_turns_counted_and_reads_who_held_each(chromium, desk):
    page = opened(chromium, desk)
    page.locator("dialog").get_by_role("button", name="Count each turn").click()
    expect(page.locator(".note.good")).to_have_text("Requested.")
    desk.advance(10)
    assert match(desk).policy & play.COUNTED
    key(desk, ONE, 91)  # it is ▲'s turn
    key(desk, ONE, 60)  # over: one press, and ●'s is on
    key(desk, TWO, 5)
    mark = page.locator("dialog .marks .turns")
    expect(mark).to_have_text(re.compile(r"^Turns ▲ 1:3[0-2] ● 1:0[0-1]$"))
    history = page.locator("dialog details[data-key=history]")
    history.locator("summary").click()
    expect(history).to_contain_text("turns timed: 2")
    expect(history).to_contain_text(re.compile(r"▲ 1:3[0-2], ● 1:0[0-1]"))
    mark.scroll_into_view_if_needed()
    photograph(page, "judge-counted-turns")


def test_the_incident_log_has_them(chromium, desk):
    page = chromium.open(
        desk.links["organiser"], "laptop", locale="it-IT", at=f"{desk.url}/desk#incidents"
    )
    row = page.locator(".panel-incidents tbody tr", has_text="2")
    expect(row.filter(has_text=re.compile(r"▲ 1:3[0-2], ● 1:0[0-1]"))).to_have_count(1)
    photograph(page, "incidents-counted-turns-it")


def test_counting_stops_as_it_began(chromium, desk):
    page = opened(chromium, desk, "it-IT")
    page.locator("dialog [data-act=turns]").click()
    expect(page.locator("dialog [data-act=turns]")).to_be_visible()
    desk.advance(10)
    assert not match(desk).policy & play.COUNTED
    expect(page.locator("dialog [data-act=turns]")).to_have_attribute("data-count", "on")
