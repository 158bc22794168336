"""Drafts from the organiser's page: pods, a question before points are crossed, changes by hand, a board that conducts."""

import json
import re

import pytest
import webevening
from browser import photograph
from playwright.sync_api import expect

from firmware.core import draft, intents
from host.archive import draft_pods, fixed_tables
from host.desk import paper_entry
from host.desk.staff import Staff

PLAYERS = 32
PACK = "DCI Swiss, 3-2-1-0"


def event(form, players=PLAYERS):
    rows = [f"{n // 2 + 1},{n},Trainer {n:02},{n + 1},Trainer {n + 1:02}" for n in range(1, players, 2)]  # fmt: skip
    heads = ("# event: Draft Cup", "# round: 1", f"# format: {form}")
    return "\n".join((*heads, "table,number_a,name_a,number_b,name_b", *rows)) + "\n"


def desk_of(folder, form, players=PLAYERS):
    webevening.imported(folder, "round1.csv", event(form, players))
    return webevening.EveningDesk(folder)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with desk_of(tmp_path_factory.mktemp("pods"), "d03 swiss limited 30") as desk:
        yield desk


def organiser(chromium, desk):
    person = webevening.Person(chromium, desk, "organiser", "laptop", "en-GB")
    person.panel("rounds")
    return person


def pods(desk, number):
    return desk.ask(lambda station: draft_pods.in_force(station.archive, number))


def pairs(desk, number):
    pairings = desk.ask(lambda station: station.archive.roster.pairings_of(number))
    return [{one.a.number, one.b.number} for one in pairings]


def played(desk, number):
    """Type a slip for each table: the lower number wins."""

    def play(station):
        for one in station.archive.roster.pairings_of(number):
            won = "A" if int(one.a.number) < int(one.b.number) else "B"
            paper_entry.enter(Staff(station, "Ada"), one.table, won, None, "slip", sure=True)

    desk.ask(play)
    desk.advance(2)


def form(person, name):
    return person.page.locator(f".panel-rounds [data-form={name}]")


def test_a_draft_event_from_its_pods_to_the_second_draft(chromium, desk):
    person = organiser(chromium, desk)
    person.submit(form(person, "draw_pods"), kind="rochester")
    expect(person.page.locator(".note.bad")).to_contain_text("Choose a rule pack first")
    person.page.locator(".note.bad [data-act=dismiss]").click()
    chromium.errors.clear()  # a browser says itself that an act was refused
    person.submit(form(person, "choose_pack"), pack=PACK)
    person.done()
    person.submit(form(person, "draw_pods"), kind="rochester")
    person.done()
    circles = pods(desk, 1).circles
    assert [len(one) for one in circles] == [8] * 4
    shown = person.page.locator(".panel-rounds .pods > section")
    expect(shown).to_have_count(4)
    for section, circle in zip(shown.all(), circles, strict=True):
        assert section.locator("small").all_inner_texts() == list(circle)
    assert all(any(pair <= set(one) for one in circles) for pair in pairs(desk, 1))
    person.submit(form(person, "draw_pods"), kind="booster")  # anew: asked about first
    person.done()
    assert person.asked[-1] == "The pods of this round are drawn already. Draw them again?"
    circles = pods(desk, 1).circles
    assert pods(desk, 1).kind == "booster"
    rounds_of_pods(chromium, person, desk, circles)
    second_draft(chromium, person, desk, circles)
    photograph(person.page, "second-draft")
    person.page.context.close()


def rounds_of_pods(chromium, person, desk, circles):
    """Three rounds inside the pods; a Swiss round draws no new ones."""
    for number in (1, 2, 3):
        if number == 2:
            person.submit(form(person, "draft"), pods="rochester")
            told = person.page.locator(".note.bad")
            expect(told).to_contain_text("Pods stay as they are until the cut")
            assert form(person, "draft").locator("[name=pods]").input_value() == "rochester"
            told.locator("[data-act=dismiss]").click()
            chromium.errors.clear()
            person.page.reload()
        if number > 1:
            person.submit(form(person, "draft"))
            expect(person.page.locator(".round [data-act=drop_draft]")).to_be_visible()
        assert all(any(pair <= set(one) for one in circles) for pair in pairs(desk, number))
        person.page.locator(f"[data-act=publish][data-round='{number}']").click()
        expect(person.page.locator(f"[data-act=publish][data-round='{number}']")).to_have_count(0)
        played(desk, number)


def second_draft(chromium, person, desk, circles):
    """The first two of each pod draft again; who is level at a pod's cut is named."""
    refused = person.page.locator(".note.bad")
    drawn, through = person.page.locator(".panel-rounds .pods > section"), []
    person.submit(form(person, "draft"), cut=8, pods="rochester")
    expect(refused.or_(drawn).first).to_be_visible()
    for _ in circles:
        if drawn.count():
            break
        asked = refused.inner_text()
        places = int(re.search(r"(\d+|one) of them go", asked)[1].replace("one", "1"))
        through += re.findall(r"\((\d+)\)", asked)[:places]
        refused.locator("[data-act=dismiss]").click()
        expect(refused).to_have_count(0)
        person.submit(form(person, "draft"), through=" ".join(through))
        expect(refused.or_(drawn).first).to_be_visible()
    chromium.errors.clear()
    expect(drawn).to_have_count(1)
    (top,) = pods(desk, 4).circles
    firsts = {number for one in circles for number in sorted(one, key=int)[:1]}
    assert pods(desk, 4).kind == "rochester" and len(top) == 8 and firsts <= set(top)
    assert all(sum(number in one for number in top) == 2 for one in circles)


def test_decks_brought_along_are_not_drafted(chromium, tmp_path):
    with desk_of(tmp_path, "d03 swiss constructed 45") as desk:
        person = organiser(chromium, desk)
        expect(form(person, "choose_pack")).to_be_visible()
        expect(form(person, "draw_pods")).to_have_count(0)
        expect(form(person, "draft").locator("[name=pods]")).to_have_count(0)
        person.page.context.close()


NAMES = ["Ada Bianchi", "Bo Conti", "Carla D’Angelo", "Dario Esposito"]
ASKED = (
    "Chi è a pari punti non può essere abbinato senza ripetere un incontro. "
    "Abbinare chi ha punti diversi?"
)
ROUND_1 = [{"player1": NAMES[0], "player2": NAMES[1]}, {"player1": NAMES[2], "player2": NAMES[3]}]


@pytest.fixture
def asked_desk(tmp_path):
    one = {"round-type": "swiss", "round-number": 1, "matches": ROUND_1}
    text = json.dumps({"name": "Cup", "players": [{"name": one} for one in NAMES], "rounds": [one]})
    webevening.imported(tmp_path, "cup.json", text)
    with webevening.EveningDesk(tmp_path) as asked_desk:
        yield asked_desk


def played_round(asked_desk, number):
    """Publish a round; at each table whoever comes first in the alphabet wins it all."""

    def play(station):
        station.desk.publish(number)
        for one in station.archive.roster.pairings_of(number):
            first = one.a.name < one.b.name
            points = (60, 0) if first else (0, 60)
            paper_entry.enter(
                Staff(station, "Ada"), one.table, "A" if first else "B", points, "slip", sure=True
            )

    asked_desk.ask(play)
    asked_desk.advance(2)


def test_pairing_across_points_is_asked_about_first(chromium, asked_desk):
    """After two rounds the leader has met both players who are next."""
    page = chromium.open(
        asked_desk.links["organiser"], locale="it-IT", at=f"{asked_desk.url}/desk#rounds"
    )
    draft = page.locator("[data-form=draft] [type=submit]")
    drafted = page.locator(".round [data-act=drop_draft]")
    played_round(asked_desk, 1)
    draft.click()
    expect(drafted).to_be_visible()
    played_round(asked_desk, 2)
    page.reload()  # the same touch within a second counts once
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    with page.expect_event("dialog"):
        draft.click()
    expect(page.locator(".panel-rounds h2", has_text="Round 3")).to_have_count(0)
    page.reload()
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    with page.expect_event("dialog"):
        draft.click()
    expect(drafted).to_be_visible()
    assert asked == [ASKED, ASKED]
    met = asked_desk.ask(
        lambda station: {
            frozenset((one.a.name, one.b.name)) for one in station.archive.roster.pairings_of(3)
        }
    )
    assert met == {frozenset((NAMES[0], NAMES[3])), frozenset((NAMES[1], NAMES[2]))}


ON_THE_PAGE = 13  # six tables and a bye


def page_event():
    """Round 1 as an event file; the last player has the bye."""
    rows = [f"{n // 2 + 1},{n},Trainer {n:02},{n + 1},Trainer {n + 1:02}" for n in range(1, ON_THE_PAGE, 2)]  # fmt: skip
    heads = ("# event: City Cup", "# round: 1", "# format: p18 swiss bo3 constructed 50")
    return "\n".join((*heads, "table,number_a,name_a,number_b,name_b", *rows, f",{ON_THE_PAGE},Trainer {ON_THE_PAGE},,")) + "\n"  # fmt: skip


@pytest.fixture(scope="module")
def page_desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("draft")
    webevening.imported(folder, "round1.csv", page_event())
    with webevening.EveningDesk(folder) as page_desk:
        yield page_desk


def seats(page_desk):
    pairings = page_desk.ask(lambda station: station.archive.roster.pairings_of(1))
    return {one.table: (one.a.number, one.b and one.b.number) for one in pairings}


def touch(person, number):
    person.page.locator(f".seat[data-number='{number}']").click()


def test_two_players_change_places_with_three_clicks(chromium, page_desk):
    person = webevening.Person(chromium, page_desk, "organiser", "laptop", "en-GB")
    person.panel("rounds")
    shown = person.page.locator(".draft-bar")
    with person.clicks("swap two players", 3):
        touch(person, 1)
        touch(person, 4)
        expect(shown.locator(".does li")).to_have_text(
            ["table 1: Trainer 04 – Trainer 02", "table 2: Trainer 03 – Trainer 01"]
        )
        assert seats(page_desk)[1] == ("1", "2"), "nothing is done before somebody is sure"
        photograph(person.page, "draft-laptop")
        shown.locator("[data-act=do_change]").click()
        person.done()
    assert seats(page_desk)[1] == ("4", "2") and seats(page_desk)[2] == ("3", "1")
    undo = person.page.locator("[data-act=undo_pairing]")
    expect(undo).to_have_text("Undo: Trainer 01 and Trainer 04 changed places")
    undo.click()
    person.done()
    assert seats(page_desk)[1] == ("1", "2")
    expect(undo).to_have_count(0)


def test_two_people_at_one_draft_on_a_phone(chromium, page_desk):
    person = webevening.Person(chromium, page_desk, "organiser", "phone", "en-GB")
    other = webevening.Person(chromium, page_desk, "organiser", "laptop", "en-GB")
    for one in (person, other):
        one.panel("rounds")
    touch(person, 5)
    touch(other, 7)
    form = other.page.locator(".draft-bar [data-form=seat_at]")
    other.fill(form, table=1, stays="true")
    form.locator("[type=submit]").click()
    expect(other.page.locator(".does li").first).to_contain_text("from table 4 to table 1")
    other.page.locator("[data-act=do_change]").click()
    other.done()
    assert page_desk.ask(lambda station: fixed_tables.fixed(station.archive)) == {"7": 1}
    touch(person, 6)
    expect(person.page.locator(".note.bad")).to_contain_text("Somebody changed round 1 meanwhile")
    chromium.errors.clear()  # a browser says itself that an act was refused
    person.page.locator(".note.bad [data-act=dismiss]").click()
    expect(person.page.locator(".seat[aria-pressed=true]")).to_have_count(0)
    touch(person, 8)
    person.page.locator("[data-act=give_player][data-gives=loss]").click()
    expect(person.page.locator(".does li")).to_have_text(
        ["table 1: Trainer 07 – Trainer 13", "Trainer 08 has a loss in this round"]
    )
    photograph(person.page, "draft-phone")
    person.page.go_back()
    person.page.go_forward()
    expect(person.page.locator(".draft-bar")).to_have_count(0)


TABLE = 3
ROWS = [f"{n // 2 + 1},{n},Trainer {n:02},{n + 1},Trainer {n + 1:02}" for n in range(1, 15, 2)]
EVENT = "\n".join((
    "# event: Draft Cup", "# round: 1", "# format: d03 swiss limited 30",
    "table,number_a,name_a,number_b,name_b", *ROWS, "",
))  # fmt: skip


@pytest.fixture(scope="module")
def conducting_desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conduct")
    webevening.imported(folder, "round1.csv", EVENT)
    with webevening.EveningDesk(folder) as conducting_desk:
        conducting_desk.advance(30)
        yield conducting_desk


@pytest.fixture(scope="module")
def person(module_chromium, conducting_desk):
    """An organiser who has drawn two Rochester pods of seven."""
    one = webevening.Person(module_chromium, conducting_desk, "organiser", "laptop", "en-GB")
    one.panel("rounds")
    one.submit(form(one, "choose_pack"), pack="DCI Swiss, 3-2-1-0")
    one.done()
    one.submit(form(one, "draw_pods"), kind="rochester")
    one.done()
    yield one
    one.page.context.close()


def conducted(conducting_desk):
    return conducting_desk.board(TABLE).ledger.draft


def test_nobody_is_seated_at_the_spare_board(conducting_desk, person):
    pairings = conducting_desk.ask(lambda station: station.archive.roster.pairings_of(1))
    assert sorted(one.table for one in pairings if one.b) == [1, 2, 3, 4, 5, 6]


def test_a_board_drafts_builds_and_ends(conducting_desk, person):
    person.submit(form(person, "conduct"), table=TABLE, pod="2", packs=2, seconds=3)
    person.done()
    conducting_desk.advance(20)
    told = conducted(conducting_desk)
    assert (told.kind, told.seats, told.pick_ms) == (draft.ROCHESTER, 7, 3000)
    photograph(person.page, "draft-conducted")
    person.submit(form(person, "conduct"), step="build", table=TABLE)
    person.done()
    conducting_desk.advance(20)
    refused = person.page.locator(".note.bad")  # no card is drawn yet
    expect(refused).to_contain_text(f"Table {TABLE} refused: conduct the draft")
    refused.locator("[data-act=dismiss]").click()
    person.submit(form(person, "conduct"), step="end", table=TABLE)
    person.done()
    conducting_desk.advance(20)
    assert conducted(conducting_desk).phase in (draft.IDLE, draft.OVER)


def test_decks_are_built_once_the_cards_are_drafted(conducting_desk, person):
    person.submit(form(person, "conduct"), step="draw", table=TABLE, pod="1", packs=1, seconds=1)
    person.done()
    conducting_desk.advance(20)
    for _ in range(conducted(conducting_desk).seats):  # a pack a seat, of one card
        conducting_desk.press(TABLE, intents.CONDUCT, draft.OPENED, 1)
        conducting_desk.advance(40)
    assert conducted(conducting_desk).phase == draft.DRAWN
    person.submit(form(person, "conduct"), step="build", table=TABLE)
    person.done()
    conducting_desk.advance(20)
    assert conducted(conducting_desk).phase == draft.BUILDING
    assert conducting_desk.board(TABLE).face.screen.name == "draft_build"
    assert conducting_desk.board(1).ledger.draft is None, "the other pod drafts still"
    conducting_desk.advance(draft.BUILDING_MS // 1000)
    assert (
        conducted(conducting_desk).built
        and conducting_desk.board(TABLE).face.screen.name == "draft_over"
    )


def test_decks_of_a_sealed_event_are_built_at_every_table(chromium, tmp_path):
    with desk_of(tmp_path, "d03 swiss limited 30", players=4) as conducting_desk:
        conducting_desk.advance(30)
        organiser = webevening.Person(chromium, conducting_desk, "organiser", "laptop", "en-GB")
        organiser.panel("rounds")
        asked = form(organiser, "conduct")
        expect(asked).to_contain_text("Begin deck building")
        expect(asked.locator("[name=table]")).to_have_count(0)
        photograph(organiser.page, "building-asked")
        organiser.submit(asked, step="build")
        organiser.done()
        conducting_desk.advance(20)
        faces = [conducting_desk.board(table).face for table in (1, 2)]
        assert {face.screen.name for face in faces} == {"draft_build"}
        organiser.submit(asked, step="end")
        organiser.done()
        conducting_desk.advance(20)
        assert {face.screen.name for face in faces} == {"draft_over"}
        organiser.submit(asked, step="build")  # that was a slip
        organiser.done()
        conducting_desk.advance(20 + draft.BUILDING_MS // 1000)
        assert {face.screen.name for face in faces} == {"draft_over"}
        assert all(conducting_desk.board(table).ledger.draft.built for table in (1, 2))
        organiser.page.locator("[data-act=publish][data-round='1']").click()
        organiser.done()
        conducting_desk.advance(20)
        assert {face.screen.name for face in faces} == {"seated"}
        organiser.page.context.close()


def test_what_no_board_can_conduct_is_refused_and_stands_there_still(
    chromium, conducting_desk, person
):
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


def test_once_the_round_is_published_the_page_offers_it_no_more(chromium, conducting_desk, person):
    person.page.locator("[data-act=publish][data-round='1']").click()
    person.done()
    expect(form(person, "conduct")).to_have_count(0)
