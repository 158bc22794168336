"""X-Wing on the pages: rounds drafted with their caps and points, matches ruled on the phone."""

import json

import pytest
import webevening
from browser import expect, photograph
from escalation import Escalation
from webclient import Browser, office_of

from firmware.core import intents, phases
from firmware.core.systems import xw15
from host.archive.roster import Format, Pairing, Player

SWISS = 1 << 1


@pytest.fixture
def venue(tmp_path):
    made = Escalation(tmp_path / "a.db", tables=4)
    made.archive.roster.forget_round(1)
    yield made
    made.station.close()


@pytest.fixture
def organiser(venue):
    return Browser(office_of(venue), "organiser", name="Olga")


def stored(venue, count=8):
    """Store round 1 as an event file does; nobody else is there."""
    venue.archive.roster.forget_players([str(n) for n in range(count, 8)])
    players = [Player(str(n), f"Given{n} Family") for n in range(count)]
    pairings = [
        Pairing(1, n + 1, n + 1, players[2 * n], players[2 * n + 1]) for n in range(count // 2)
    ]
    if count % 2:
        pairings.append(Pairing(1, count, None, players[-1], None))
    venue.archive.roster.store_round(1, Format(xw15.NUMBER, SWISS, 50), pairings)
    venue.station.refresh()


def test_rounds_two_to_four_have_their_caps_and_lengths(venue, organiser):
    stored(venue)
    for number in range(1, 5):
        form = venue.archive.roster.format_of(number)
        assert (form.bits >> 8 & 3, form.minutes) == (number - 1, xw15.MINUTES[number - 1])
        assert organiser.act("publish", round=number).status == 200
        for one in venue.archive.roster.pairings_of(number):
            points = [xw15.CAPS[number - 1] - int(one.a.number), 0]
            told = organiser.act(
                "result", table=one.table, outcome="A", numbers=points, reason="slip"
            )
            assert told.status == 200, told.json
        if number < 4:
            assert organiser.act("draft").json["round"] == number + 1
    told = organiser.act("draft", cut=6)
    assert told.status == 409 and "one of 2, 4, 8, 16, 32, 64 players, not 6" in told.json["error"]
    assert "the system has 4 rounds" in organiser.act("draft").json["error"]
    assert organiser.act("draft", cut=4, minutes=60).json["round"] == 5
    assert venue.archive.roster.format_of(5).bits & 0x301 == 0x301


@pytest.mark.parametrize(
    ("language", "start"),
    [("en", "the bye was drawn by lot among"), ("it", "il bye è stato sorteggiato tra")],
)
def test_a_bye_that_is_drawn_by_lot_is_said_on_the_page(venue, organiser, language, start):
    stored(venue, 7)
    assert organiser.act("publish", round=1).status == 200
    for table in (1, 2, 3):
        told = organiser.act("result", table=table, outcome="A", numbers=[40, 0], reason="slip")
        assert told.status == 200, told.json
    organiser.language = language
    told = organiser.act("draft", seed=3).json
    (bye,) = (one.a for one in venue.archive.roster.pairings_of(2) if one.b is None)
    (said,) = (one for one in told["said"] if one.startswith(start))
    assert bye.number in "135" and said.count(bye.name) == 2
    assert all(f"Given{n} Family ({n})" in said for n in (1, 3, 5))


def test_the_organiser_says_on_the_page_who_has_the_bye(venue, organiser):
    stored(venue, 7)
    organiser.act("publish", round=1)
    for table in (1, 2, 3):
        organiser.act("result", table=table, outcome="A", numbers=[40, 0], reason="slip")
    assert "cannot have the bye" in organiser.act("draft", bye="99").json["error"]
    told = organiser.act("draft", bye="2").json
    (bye,) = (one.a for one in venue.archive.roster.pairings_of(2) if one.b is None)
    assert bye.number == "2" and not any("by lot" in said for said in told["said"])


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
    levels = page.locator("dialog [data-form=penalize] [name=level]")
    expect(levels.locator("[value=warning]")).to_have_count(1)
    expect(levels.locator("[value=prizes]")).to_have_count(0)
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
