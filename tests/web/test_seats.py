"""Players find their table: the page of seats, paper, and everybody within a minute on one wall or several."""

import json
import re
from dataclasses import replace

import browser
import pytest
from browser import expect, photograph, sized
from virtualdesk import VirtualDesk

from host.archive.roster import Player
from host.base import surnames

PLAYERS = 1001
FAMILIES = (
    "Abate Bianchi Conti D’Angelo Esposito Ferrari Greco Łukasik Öztürk Rossi Zanetti".split()
)
MINUTE_MS = 60_000


def lines(players=PLAYERS):
    """Seats by surname as the host tells them, one with a bye."""
    named = sorted(
        ((FAMILIES[at % len(FAMILIES)] + f"{at // len(FAMILIES):03}", f"Given{at}", at // 2 + 1)
         for at in range(players)),
        key=lambda one: one[0].replace("Ł", "L").replace("Ö", "O"),
    )  # fmt: skip
    return [
        {"surname": surname, "given": given, "plain": f"{given} {surname}".lower(), "table": table,
         "seat": "A", "opponent": "Somebody"}
        for surname, given, table in named
    ]  # fmt: skip


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("seats"), tables=4, seed=11) as desk:
        desk.publish(10)
        desk.ask(lambda station: station.desk.start(station.collector.now_ms + 600_000))
        desk.advance(10)
        yield desk


def wall(chromium, desk, query="", size="projector", players=PLAYERS, **more):
    page = chromium.open(desk.links["viewer"], size, at=browser.EMPTY, **more)
    told = json.dumps({"round": 1, "lines": lines(players)})
    page.route("**/api/seating", lambda route: route.fulfill(body=told, content_type="application/json"))  # fmt: skip
    page.goto(f"{desk.url}/wall{query}")
    expect(page.locator(".wall .seats li").first).to_be_visible()
    return page


def shown(page, query=""):
    """Every surname that a wall shows within a minute, and how many pages that takes."""
    return page.evaluate("""async (query) => {
        const { pageOf, partAsked, rowsThatFit } = await import("/static/today/js/wallseats.js");
        const all = (await (await fetch("/api/seating")).json()).lines;
        const mine = partAsked(query)(all);
        const seen = new Set(), pages = new Set();
        for (let ms = 0; ms < 60000; ms += 100) {
          const page = pageOf(mine, rowsThatFit(), ms);
          pages.add(page.at);
          page.parts.flat().forEach(({ surname }) => seen.add(surname));
        }
        return [[...seen], pages.size, mine.length];
    }""", query)  # fmt: skip


def test_the_seats_stand_beside_the_countdown_until_the_start(chromium, desk):
    page = wall(chromium, desk, players=60)
    expect(page.locator(".wall header .clock")).to_have_text(re.compile(r"^\d:\d\d$"))
    expect(page.locator(".wall header .word")).to_contain_text("Starts in")
    browser.photograph(page, "wall-seats-countdown")
    assert not browser.serious(page)


@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("it-IT", "dark")])
def test_nothing_is_cut_and_every_line_is_there(chromium, desk, locale, scheme):
    page = wall(chromium, desk, "?part=2of5", locale=locale, scheme=scheme)
    for size in browser.sized(page):
        page.wait_for_function("""() => {
            const foot = document.querySelector(".wall footer").getBoundingClientRect();
            const lines = [...document.querySelectorAll(".wall .seats li")];
            return lines.length > 3 && lines.every((one) => one.getBoundingClientRect().bottom <= foot.top + 2);
        }""")
        expect(page.locator(".note.ask")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        browser.photograph(page, f"wall-part-{size}-{locale[:2]}")


def test_several_walls_show_everybody_within_a_minute_and_nobody_twice(chromium, desk):
    everybody, seen = {one["surname"] for one in lines()}, []
    page = wall(chromium, desk, "?part=1of5")
    expect(page.locator(".note.ask")).to_have_count(0)
    for number in range(1, 6):
        names, pages, mine = shown(page, f"?part={number}of5")
        assert len(names) == mine and pages <= 12
        seen += names
    page.context.close()
    assert len(seen) == len(everybody) and set(seen) == everybody


def test_one_wall_that_is_too_few_says_how_many_are_needed(chromium, desk):
    page = wall(chromium, desk)
    expect(page.locator(".note.ask")).to_contain_text("needs 5 walls: open them as /wall?part=1of5")
    assert len(shown(page)[0]) < PLAYERS
    browser.photograph(page, "wall-too-many")


PARTS = {  # of the alphabet: the families that an address asks for
    "?from=A&to=F": ("Abate", "Ferrari"), "?from=l&to=o": ("Łukasik", "Öztürk"),
    "?from=Rossi": ("Rossi", "Zanetti"), "?to=B": ("Abate", "Bianchi"),
    "?from=D%E2%80%99A&to=es": ("D’Angelo", "Esposito"),
}  # fmt: skip
ASKED = """async (queries) => {
    const { partAsked } = await import("/static/today/js/wallseats.js");
    const all = (await (await fetch("/api/seating")).json()).lines;
    return queries.map((one) => partAsked(one)?.(all).map(({ surname }) => surname) ?? null);
}"""


def test_a_wall_shows_its_part_of_the_alphabet(chromium, desk):
    page = wall(chromium, desk, "?from=Rossi")
    expect(page.locator(".wall .seats li").first).to_contain_text("Rossi")
    expect(page.locator(".wall > .line")).to_have_count(0)
    whole, told = [one["surname"] for one in lines()], page.evaluate(ASKED, list(PARTS))
    for (query, (first, last)), names in zip(PARTS.items(), told, strict=True):
        begin = next(at for at, one in enumerate(whole) if one.startswith(first))
        end = next(at for at, one in enumerate(reversed(whole)) if one.startswith(last))
        assert names == whole[begin : len(whole) - end], query


ODD = (
    "?part=3of2", "?part=0of2", "?part=half", "?part=", "?part=1of2&from=A", "?from=F&to=A",
    "?from=1", "?to=", "?from=%3Cb%3E", "?part=1of2of3", "?part=-1of2",
)  # fmt: skip


def test_an_address_that_is_not_understood_says_so_and_shows_everybody(chromium, desk):
    page = wall(chromium, desk, ODD[0], players=12)
    expect(page.locator(".wall > .line")).to_contain_text("Write /wall?part=1of2")
    expect(page.locator(".wall .seats li")).to_have_count(12)
    assert page.evaluate(ASKED, list(ODD)) == [None] * len(ODD)
    browser.photograph(page, "wall-address")


@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_the_organiser_is_shown_each_walls_address(chromium, desk, locale):
    page = chromium.open(
        desk.links["organiser"], "laptop", locale=locale, at=f"{desk.url}/desk#links"
    )
    box = page.locator("[data-key=walls]")
    expect(box.locator("code")).to_have_text([f"{desk.url}/wall"])
    expect(box).to_contain_text("8")
    many = page.evaluate("""async () => {
        const { wallOf, wallsFor } = await import("/static/today/js/wallseats.js");
        return [1, 240, 241, 1001].map((players) => [wallsFor(players), wallOf(1, wallsFor(players))]);
    }""")
    assert many == [[1, "/wall"], [1, "/wall"], [2, "/wall?part=1of2"], [5, "/wall?part=1of5"]]
    browser.photograph(page, f"desk-walls-{locale[:2]}")


def test_once_the_round_runs_the_clock_has_the_wall(chromium, desk):
    page = wall(chromium, desk, players=60)
    desk.advance(620)
    expect(page.locator(".big.clock")).to_be_visible()
    expect(page.locator(".wall .seats")).to_have_count(0)


LONG = "Alessandra Mastropasqua-Lo Monaco"


@pytest.fixture(scope="module")
def seats_desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("seats"), tables=24, seed=11) as seats_desk:
        seats_desk.ask(_rename)
        seats_desk.publish(10)
        yield seats_desk


SPELLED = ("Sinéad O’Neill", "P-12b"), ("Anne D'Amico", "77")


def _rename(station):
    """Have one name with a printer's apostrophe, and one with a typewriter's; a number with
    letters.
    """
    roster, form = station.archive.roster, station.archive.roster.format_of(1)
    pairings = roster.pairings_of(1)
    for at, (name, number) in enumerate(SPELLED, 5):
        pairings[at] = replace(pairings[at], b=Player(number, name))
    roster.forget_round(1)
    roster.store_round(1, form, pairings)


def test_an_apostrophe_or_a_number_with_letters_hides_nobody(chromium, seats_desk):
    page = seats(chromium, seats_desk, "viewer")
    for typed in ("oneill", "o'neill", "SINEAD O’NEILL", "p-12b", "P-12B"):
        page.get_by_role("searchbox").fill(typed)
        expect(page.locator(".seats > li")).to_have_count(1)
        expect(page.locator(".seats > li .name")).to_have_text("O’Neill, Sinéad")
        page.get_by_role("searchbox").fill("d’amico")  # as a phone's keyboard has it
        expect(page.locator(".seats > li .name")).to_have_text("D'Amico, Anne")


@pytest.fixture(scope="module")
def first(seats_desk):
    return seats_desk.ask(lambda station: station.archive.roster.pairings_of(1)[0])


def seats(chromium, seats_desk, role, size="phone", **more):
    page = chromium.open(seats_desk.links[role], size, **more, at=f"{seats_desk.url}/seats")
    expect(page.locator(".seats > li").first).to_be_visible()
    return page


def test_a_player_types_a_name_in_any_order_or_a_number(chromium, seats_desk, first):
    page = seats(chromium, seats_desk, "viewer")
    assert page.locator(".seats > li").count() == 48
    given, surname = first.a.name.split(" ", 1)
    for typed in (f"{given} {surname}", f"{surname} {given}".upper(), first.a.number):
        page.get_by_role("searchbox").fill(typed)
        expect(page.locator(".seats > li")).to_have_count(1)
        expect(page.locator(".seats > li .place")).to_contain_text(str(first.table))
    page.get_by_role("searchbox").fill("nobody at all")
    expect(page.locator(".ask")).to_be_visible()


def test_the_list_is_by_surname(chromium, seats_desk):
    page = seats(chromium, seats_desk, "viewer")
    told = page.locator(".seats > li .name b").all_inner_texts()
    assert told == sorted(told, key=surnames.fold) and len(told) == 48


def test_the_wall_shows_seats_by_surname_before_the_start(chromium, seats_desk, first):
    page = chromium.open(seats_desk.links["viewer"], "projector")
    expect(page.locator(".wall .seats li").first).to_be_visible()
    assert page.locator(".wall .seats li").count() == 24
    expect(page.locator(".wall .page")).to_have_text(re.compile("[12]/2"))
    photograph(page, "wall-seats")


def test_the_wall_shows_a_long_name_whole(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=2, seed=11) as seats_desk:

        def rename(station):
            one = station.archive.roster.pairings_of(1)[0]
            station.archive.roster.rename([Player(one.a.number, LONG)])
            station.desk.publish(1)

        seats_desk.ask(rename)
        seats_desk.advance(10)
        page = chromium.open(seats_desk.links["viewer"], "projector")
        name = page.locator(".wall .seats bdi", has_text=LONG.split()[-1])
        expect(name).to_be_visible()
        assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        photograph(page, "wall-long-name")
        page.context.close()


def test_seats_fit_every_screen(chromium, seats_desk):
    page = seats(chromium, seats_desk, "judge")
    for size in sized(page):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            photograph(page, f"seats-{size}-{scheme}")
