"""Boards that wait for an event are given its round 1; an event begins in a browser with 32 pasted
players and six clicks.
"""

import random

import browser
import pytest
import tomfile
from newdesk import NewDesk
from playwright.sync_api import expect
from tabletop import MASTER, Air, Tabletop
from webclient import Browser, office_of
from webevening import Person

from firmware.core import frames
from host.archive import teams
from host.archive.roster import Board
from host.desk.station import Station
from host.tournament.rule_packs import shipped_packs

CLICKS = 6
NAMES = "\n".join(f"{1000 + n}\tGiven{n}\tFamily{n}" for n in range(1, 33))


class Room:
    """A Station without an event, and two boards on the air."""

    def __init__(self, path):
        self.station = Station(path, MASTER)
        self.station.planned_origin_unix_ms = 1_790_000_000_000
        self.boards = [
            Tabletop(100 + n, frames.board_key(MASTER, 100 + n, 1), random.Random(n))
            for n in (1, 2)
        ]
        for n, board in enumerate(self.boards, 1):
            self.station.archive.roster.add_board(Board(board.device, 1, n), 0)
        self.station.refresh()
        self.air = Air(self.station.collector, self.boards)


@pytest.fixture
def room(tmp_path):
    made = Room(tmp_path / "a.db")
    yield made
    made.station.close()


def test_boards_wait_for_the_event_and_take_its_first_round(room):
    service = office_of(room, packs=shipped_packs())
    ada = Browser(service, "organiser")
    room.air.run(20_000)
    service.change_feed.step(room.air.now_ms)
    assert len(ada.get("/api/state").json["boards"]) == 2
    cup = {"name": "Cup", "format": "p18 bo1 constructed 30", "pack": "Pokémon Swiss, 3-1-0"}
    assert ada.act("begin", **cup, players="Ada\nUgo\nZoe\nBo").status == 200
    room.air.run(60_000)
    assert ada.act("draw_first").status == 200
    assert ada.act("publish", round=1).status == 200
    room.air.run(120_000, lambda: all(board.match.round == 1 for board in room.boards))
    assert [board.match.table for board in room.boards] == [1, 2]
    assert room.station.unix_ms == 1_790_000_000_000 + room.station.collector.now_ms


@pytest.mark.parametrize("locale", ["en-GB", pytest.param("it-IT", marks=pytest.mark.prove)])
def test_32_pasted_players_take_six_clicks_to_a_published_round_1(chromium, tmp_path, locale):
    with NewDesk(tmp_path) as desk, chromium.closing():
        ada = Person(chromium, desk, "organiser", "laptop", locale)
        page = ada.page
        expect(page.locator("[name=name]")).to_be_focused()
        with ada.clicks("begin with 32 pasted players", CLICKS):
            page.keyboard.type("Winter Cup")
            page.locator("[name=system][value=p18]").click()
            page.locator("[name=pack]").click()
            page.locator("[name=players]").click()
            page.keyboard.insert_text("12;Ada;Neri;x;y")
            expect(page.locator(".list .bad")).to_be_visible()
            page.keyboard.press("Control+A")
            page.keyboard.insert_text(NAMES)
            expect(page.locator(".list .sentence bdi")).to_contain_text("Given1 Family1 (1001)")
            page.locator("[data-form=begin] [type=submit]").click()
            page.locator("[data-act=draw_first]").click()
            page.locator("[data-act=publish]").click()
            expect(page.locator("[data-form=start]")).to_be_visible()
        assert desk.ask(lambda service: len(service.desk.tables)) == 16
        enter_at_the_door(chromium, desk, page, locale)


def test_many_remarks_on_an_act_hide_neither_its_success_nor_how_many_they_are(chromium, tmp_path):
    with NewDesk(tmp_path) as desk, chromium.closing():
        page = Person(chromium, desk, "organiser", "laptop", "en-GB").page
        page.locator("[name=name]").fill("Winter Cup")
        page.locator("[name=system][value=p18]").check()
        page.locator("[name=pack]").check()
        page.locator("[name=players]").fill("\n".join(f"{n};Ada Rossi" for n in range(1, 9)))
        page.locator("[data-form=begin] [type=submit]").click()
        page.locator("[data-act=draw_first]").click()
        expect(page.locator(".note.good")).to_be_visible()
        expect(page.locator(".note.ask")).to_have_count(1)
        expect(page.locator(".note.ask")).to_contain_text("is number 1 and number 4")
        expect(page.locator(".note.ask")).to_contain_text("+4 more remarks")
        expect(page.locator(".note.ask")).not_to_contain_text("number 5")


def test_going_back_loses_nothing_that_was_typed(chromium, tmp_path):
    """Another panel, a reload, the other language, a page back and forth: it stands there still."""
    with NewDesk(tmp_path) as desk, chromium.closing():
        page = Person(chromium, desk, "organiser", "laptop", "en-GB").page
        form, read = page.locator("[data-form=begin]"), page.locator(".list .sentence bdi")
        form.locator("[name=name]").fill("Winter Cup")
        form.locator("[name=system][value=d03]").check()
        form.locator("[name=kind]").select_option("bo1 limited")
        form.locator("[name=minutes]").fill("45")
        form.locator("[name=players]").fill("1;Ada Rossi\n2;Bo Cruz")
        for leave in (
            lambda: (page.locator("nav.panels a[href='#boards']").click(), page.go_back()),
            page.reload,
            lambda: page.locator("[data-act=turn]").first.click(),
            lambda: (page.goto(f"{desk.url}/wall"), page.go_back()),
        ):
            leave()
            expect(form.locator("[name=name]")).to_have_value("Winter Cup")
            expect(form.locator("[name=kind]")).to_have_value("bo1 limited")
            expect(form.locator("[name=minutes]")).to_have_value("45")
            expect(read).to_contain_text("Ada Rossi (1), Bo Cruz (2)")
        assert desk.ask(lambda service: service.archive.roster.event) is None
        form.locator("[name=system][value=p18]").check()
        expect(form.locator("[name=kind]")).to_have_value("bo3 constructed")
        form.locator("[name=pack]").check()
        form.locator("[type=submit]").click()
        expect(page.locator("[data-act=draw_first]")).to_be_visible()
        page.reload()
        expect(page.locator("[name=players]")).to_have_value("")


AT_ONCE = """([kind, minutes]) => {
  const { elements } = document.querySelector("[data-form=begin]");
  elements.kind.value = kind;
  elements.kind.dispatchEvent(new Event("change", { bubbles: true }));
  elements.minutes.value = minutes;
  elements.minutes.dispatchEvent(new Event("input", { bubbles: true }));
  return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
}"""


def test_what_is_typed_right_after_a_choice_stays(chromium, tmp_path):
    """A choice brings its fields before the next key can come, however slowly pages are drawn."""
    with NewDesk(tmp_path) as desk, chromium.closing():
        page = Person(chromium, desk, "organiser", "laptop", "en-GB").page
        form = page.locator("[data-form=begin]")
        form.locator("[name=system][value=d03]").check()
        expect(form.locator("[name=kind]")).to_be_visible()
        page.evaluate(AT_ONCE, ["bo1 limited", "45"])
        expect(form.locator("[name=minutes]")).to_have_value("45")


TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Gioco Libero,Torino,11,Ada Bianchi,12,Zoë Martin\n"
    "2,Blues,,Milano,21,Bo Cruz,22,Łukasz Żółć\n"
)


@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=pytest.mark.prove), "it-IT"])
def test_a_sheet_of_teams_is_shown_and_taken_with_its_members(chromium, tmp_path, locale):
    with NewDesk(tmp_path) as desk, chromium.closing():
        page = Person(chromium, desk, "organiser", "laptop", locale).page
        form, read = page.locator("[data-form=begin]"), page.locator(".list .sentence")
        form.locator("[name=name]").fill("Team Cup")
        form.locator("[name=system][value=d03]").check()
        form.locator("[name=kind]").select_option("bo1 constructed team")
        form.locator("[name=pack]").check()
        file = {"name": "teams.csv", "mimeType": "", "buffer": TEAMS.encode()}
        form.locator(".list input[type=file]").set_input_files(file)
        expect(read.locator("bdi")).to_have_text(
            "Reds (1): Ada Bianchi, Zoë Martin; Blues (2): Bo Cruz, Łukasz Żółć"
        )
        expect(read).not_to_contain_text("affiliation")
        form.locator("[type=submit]").click()
        expect(page.locator("[data-act=draw_first]")).to_be_visible()
        kept = desk.ask(lambda service: teams.of(service.archive))
        assert [one.a.name for one in kept.values()] == ["Ada Bianchi", "Bo Cruz"]


def test_an_event_begins_with_a_file_that_has_rounds(chromium, tmp_path):
    """The file is shown at once, before there is a round, and taken."""
    text = tomfile.event([(0, 101, 102), (0, 103, 104)], people=range(101, 105))
    with NewDesk(tmp_path) as desk, chromium.closing():
        page = Person(chromium, desk, "organiser", "laptop", "it-IT").page
        form = page.locator("[data-form=begin]")
        form.locator("[name=name]").fill("Coppa d'Inverno")
        form.locator("[name=system][value=p18]").check()
        form.locator("[name=pack]").check()
        file = {"name": "cup.tdf", "mimeType": "", "buffer": text.encode()}
        form.locator("[name=file]").set_input_files(file)
        form.locator("[type=submit]").click()
        take = page.locator("[data-act=read_file][data-step=take]")
        expect(take).to_be_visible()
        assert desk.ask(lambda service: service.archive.roster.rounds) == []
        take.click()
        page.locator(".file [data-act=publish]").click()
        expect(page.locator(".note.good")).to_have_text("Pubblicato.")
        assert desk.ask(lambda service: service.desk.round) == 1


def enter_at_the_door(chromium, desk, page, locale):
    """A latecomer types name and number on a phone, and is accepted."""
    page.locator("nav.panels a[href='#door']").click()
    page.locator("[data-act=door]").click()
    expect(page.locator(".door code")).to_be_visible()
    path = desk.ask(lambda service: service.registration_path)
    context = chromium.context(viewport={"width": 390, "height": 844}, locale=locale)
    phone = context.new_page()
    phone.goto(desk.url + path)
    browser.fill(phone.locator("form"), {"name": "Zoë Martin", "number": "14"})
    phone.locator("[type=submit]").click()
    expect(phone.locator(".answered")).to_contain_text("Zoë Martin")
    assert not browser.serious(phone)
    phone.go_back()
    assert not browser.serious(page)
    page.locator(".entries [data-act=accept_entry]").click()
    expect(page.locator(".entries")).to_have_count(0)
    assert desk.ask(lambda service: "14" in service.archive.roster.players)
