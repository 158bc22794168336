"""Drafts of cards from the organiser's page: pods, what cannot be done, and the Top 8's own draft."""

import re

import pytest
import webevening
from browser import photograph
from playwright.sync_api import expect

from host.archive import draft_pods
from host.desk import paper_entry

PLAYERS = 32
PACK = "DCI Swiss, 3-2-1-0"


def event(form, players=PLAYERS):
    rows = [f"{n // 2 + 1},{n},Trainer {n:02},{n + 1},Trainer {n + 1:02}" for n in range(1, players, 2)]  # fmt: skip
    heads = ("# event: Draft Cup", "# round: 1", f"# format: {form}")
    return "\n".join((*heads, "table,number_a,name_a,number_b,name_b", *rows)) + "\n"


def desk_of(folder, form):
    webevening.imported(folder, "round1.csv", event(form))
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
            paper_entry.enter(station, one.table, won, None, "Ada", "slip", sure=True)

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
        places = int(re.search(r"(\d+) of them go on", asked)[1])
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
