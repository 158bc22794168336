"""A board conducts a pod's draft as the organiser's page asks: cards, deck building, the end; and what it cannot do."""

import pytest
import webevening
from browser import photograph
from playwright.sync_api import expect

from firmware.core import draft, intents

TABLE = 3
ROWS = [f"{n // 2 + 1},{n},Trainer {n:02},{n + 1},Trainer {n + 1:02}" for n in range(1, 15, 2)]
EVENT = "\n".join((
    "# event: Draft Cup", "# round: 1", "# format: d03 swiss limited 30",
    "table,number_a,name_a,number_b,name_b", *ROWS, "",
))  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conduct")
    webevening.imported(folder, "round1.csv", EVENT)
    with webevening.EveningDesk(folder) as desk:
        desk.advance(30)
        yield desk


@pytest.fixture(scope="module")
def person(module_chromium, desk):
    """An organiser who has drawn two Rochester pods of seven."""
    one = webevening.Person(module_chromium, desk, "organiser", "laptop", "en-GB")
    one.panel("rounds")
    one.submit(form(one, "choose_pack"), pack="DCI Swiss, 3-2-1-0")
    one.done()
    one.submit(form(one, "draw_pods"), kind="rochester")
    one.done()
    yield one
    one.page.context.close()


def form(person, name):
    return person.page.locator(f".panel-rounds [data-form={name}]")


def conducted(desk):
    return desk.board(TABLE).ledger.draft


def test_nobody_is_seated_at_the_spare_board(desk, person):
    pairings = desk.ask(lambda station: station.archive.roster.pairings_of(1))
    assert sorted(one.table for one in pairings if one.b) == [1, 2, 3, 4, 5, 6]


def test_a_board_drafts_builds_and_ends(desk, person):
    person.submit(form(person, "conduct"), table=TABLE, pod="2", packs=2, seconds=3)
    person.done()
    desk.advance(20)
    told = conducted(desk)
    assert (told.kind, told.seats, told.pick_ms) == (draft.ROCHESTER, 7, 3000)
    photograph(person.page, "draft-conducted")
    person.submit(form(person, "conduct"), step="build", table=TABLE)
    person.done()
    desk.advance(20)
    refused = person.page.locator(".note.bad")  # no card is drawn yet
    expect(refused).to_contain_text(f"Table {TABLE} refused: conduct the draft")
    refused.locator("[data-act=dismiss]").click()
    person.submit(form(person, "conduct"), step="end", table=TABLE)
    person.done()
    desk.advance(20)
    assert conducted(desk).phase in (draft.IDLE, draft.OVER)


def test_decks_are_built_once_the_cards_are_drafted(desk, person):
    person.submit(form(person, "conduct"), step="draw", table=TABLE, pod="1", packs=1, seconds=1)
    person.done()
    desk.advance(20)
    for _ in range(conducted(desk).seats):  # a pack a seat, of one card
        desk.press(TABLE, intents.CONDUCT, draft.OPENED, 1)
        desk.advance(40)
    assert conducted(desk).phase == draft.DRAWN
    person.submit(form(person, "conduct"), step="build", table=TABLE)
    person.done()
    desk.advance(20)
    assert conducted(desk).phase == draft.BUILDING
    assert desk.board(TABLE).face.screen.name == "draft_build"
    assert desk.board(1).ledger.draft is None, "the other pod drafts still"
    desk.advance(draft.BUILDING_MS // 1000)
    assert conducted(desk).built and desk.board(TABLE).face.screen.name == "draft_over"


def test_decks_of_a_sealed_event_are_built_at_every_table(chromium, tmp_path):
    webevening.imported(tmp_path, "round1.csv", EVENT)
    with webevening.EveningDesk(tmp_path) as desk:
        desk.advance(30)
        organiser = webevening.Person(chromium, desk, "organiser", "laptop", "en-GB")
        organiser.panel("rounds")
        asked = form(organiser, "conduct")
        expect(asked).to_contain_text("Begin deck building")
        expect(asked.locator("[name=table]")).to_have_count(0)
        photograph(organiser.page, "building-asked")
        organiser.submit(asked, step="build")
        organiser.done()
        desk.advance(20)
        faces = [desk.board(table).face for table in range(1, 8)]
        assert {face.screen.name for face in faces} == {"draft_build"}
        organiser.submit(asked, step="end")
        organiser.done()
        desk.advance(20)
        assert {face.screen.name for face in faces} == {"draft_over"}
        organiser.submit(asked, step="build")  # that was a slip
        organiser.done()
        desk.advance(20 + draft.BUILDING_MS // 1000)
        assert {face.screen.name for face in faces} == {"draft_over"}
        assert all(desk.board(table).ledger.draft.built for table in range(1, 8))
        organiser.page.locator("[data-act=publish][data-round='1']").click()
        organiser.done()
        desk.advance(20)
        assert {face.screen.name for face in faces} == {"seated"}
        organiser.page.context.close()


def test_what_no_board_can_conduct_is_refused_and_stands_there_still(chromium, desk, person):
    for table, packs, words in (
        (TABLE, 9, "a Rochester pod has 2-15 seats, 1-3 groups"),
        (40, 2, "Table 40 has no board"),
    ):
        person.submit(form(person, "conduct"), step="draw", table=table, packs=packs)
        refused = person.page.locator(".note.bad")
        expect(refused).to_contain_text(words)
        assert form(person, "conduct").locator("[name=packs]").input_value() == str(packs)
        refused.locator("[data-act=dismiss]").click()
        expect(refused).to_have_count(0)
    chromium.errors.clear()  # a browser says itself that an act was refused


def test_once_the_round_is_published_the_page_offers_it_no_more(chromium, desk, person):
    person.page.locator("[data-act=publish][data-round='1']").click()
    person.done()
    expect(form(person, "conduct")).to_have_count(0)
