"""Players find their table: the page of seats, the wall before the start, and paper from the desk."""

import re

import pytest
from browser import expect, photograph, sized
from virtualdesk import VirtualDesk

from host.archive.roster import Player
from host.base import surnames

LONG = "Alessandra Mastropasqua-Lo Monaco"


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("seats"), tables=24, seed=11) as desk:
        desk.publish(10)
        yield desk


@pytest.fixture(scope="module")
def first(desk):
    return desk.ask(lambda station: station.archive.roster.pairings_of(1)[0])


def seats(chromium, desk, role, size="phone", **more):
    page = chromium.open(desk.links[role], size, **more, at=f"{desk.url}/seats")
    expect(page.locator(".seats > li").first).to_be_visible()
    return page


def test_a_player_types_a_name_in_any_order_or_a_number(chromium, desk, first):
    page = seats(chromium, desk, "viewer")
    assert page.locator(".seats > li").count() == 48
    given, surname = first.a.name.split(" ", 1)
    for typed in (f"{given} {surname}", f"{surname} {given}".upper(), first.a.number):
        page.get_by_role("searchbox").fill(typed)
        expect(page.locator(".seats > li")).to_have_count(1)
        expect(page.locator(".seats > li .place")).to_contain_text(str(first.table))
    page.get_by_role("searchbox").fill("nobody at all")
    expect(page.locator(".ask")).to_be_visible()


def test_the_list_is_by_surname(chromium, desk):
    page = seats(chromium, desk, "viewer")
    told = page.locator(".seats > li .name b").all_inner_texts()
    assert told == sorted(told, key=surnames.fold) and len(told) == 48


def test_the_wall_shows_seats_by_surname_before_the_start(chromium, desk, first):
    page = chromium.open(desk.links["viewer"], "projector")
    expect(page.locator(".wall .seats li").first).to_be_visible()
    assert page.locator(".wall .seats li").count() == 24
    expect(page.locator(".wall .page")).to_have_text(re.compile("[12]/2"))
    photograph(page, "wall-seats")


def test_the_wall_shows_a_long_name_whole(chromium, tmp_path):
    with VirtualDesk(tmp_path, tables=2, seed=11) as desk:

        def rename(station):
            one = station.archive.roster.pairings_of(1)[0]
            station.archive.roster.rename([Player(one.a.number, LONG)])
            station.desk.publish(1)

        desk.ask(rename)
        desk.advance(10)
        page = chromium.open(desk.links["viewer"], "projector")
        name = page.locator(".wall .seats bdi", has_text=LONG.split()[-1])
        expect(name).to_be_visible()
        assert name.evaluate("(one) => one.scrollWidth <= one.clientWidth")
        photograph(page, "wall-long-name")
        page.context.close()


def test_seats_fit_every_screen(chromium, desk):
    page = seats(chromium, desk, "judge")
    for size in sized(page):
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            photograph(page, f"seats-{size}-{scheme}")
