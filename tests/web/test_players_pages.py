"""Players' pages in a real Chromium: the published standings, and the own rounds."""

import playedrounds
import pytest
from browser import expect, photograph, serious, sized
from virtualdesk import VirtualDesk

from host.archive.roster import Player
from host.desk import public_standings
from host.desk.staff import Staff
from host.tournament import event_pack, rule_packs

LONG = "Alessandra Mastropasqua-Lo Monaco"
PLAYERS = 16


def play(station):
    """Play three Swiss rounds and a cut to eight up to its final."""
    archive = station.archive
    first = archive.roster.pairings_of(1)
    archive.roster.rename([Player(first[0].a.number, LONG)])
    players = [one for pair in archive.roster.pairings_of(1) for one in (pair.a, pair.b)]
    station.desk.publish(1)
    playedrounds.play(archive, 1, archive.roster.pairings_of(1))
    playedrounds.swiss(station, [*players[3:], *players[:3]], 2, 2)
    event_pack.choose(archive, rule_packs.load("pokemon-swiss"), "Olga", 0)
    playedrounds.bracket(station, players[:8], 4, 3)


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    with VirtualDesk(tmp_path_factory.mktemp("venue"), tables=PLAYERS // 2, seed=7) as desk:
        desk.ask(play)
        yield desk


@pytest.fixture(scope="module")
def viewer(module_chromium, desk):
    return module_chromium.open(desk.links["viewer"], "phone", at=f"{desk.url}/standings")


def test_the_organiser_publishes_and_players_see_them_at_once(chromium, desk, viewer):
    expect(viewer.locator(".none")).to_have_text("The organiser has not published standings yet.")
    organiser = chromium.open(desk.links["organiser"], at=f"{desk.url}/desk#standings")
    organiser.locator("[data-act=publish_standings]").click()
    expect(viewer.locator("h1")).to_have_text("Standings after round 6")
    expect(viewer.locator(".ranks tbody tr")).to_have_count(PLAYERS)
    expect(viewer.locator(".ranks .place").first).to_have_text("1–2")
    expect(viewer.locator(".bracket .head")).to_have_text(
        ["Quarter-finals", "Semi-finals", "Final"]
    )
    expect(viewer.locator(".bracket .tick")).to_have_count(6)
    expect(organiser.locator(".seen")).to_contain_text("Players see the standings after round 6.")
    organiser.locator("[data-act=withdraw_standings]").click()
    expect(viewer.locator(".none")).to_be_visible()
    expect(viewer.locator(".ranks")).to_have_count(0)


LOOKS = {"phone": "dark", "laptop": "light", "projector": "dark"}


def test_they_are_whole_at_every_size(chromium, desk):
    desk.ask(lambda station: public_standings.publish(Staff(station, "Olga"), None))
    desk.advance(2)
    page = chromium.open(desk.links["viewer"], locale="it-IT", at=f"{desk.url}/standings")
    expect(page.locator(".ranks tbody tr").first).to_be_visible()
    first = [page.locator(f".bracket {one}").first for one in (".box", ".name")]
    expect(first[1].locator("title")).to_have_text(LONG)
    for size in sized(page):
        page.emulate_media(color_scheme=LOOKS[size])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        box, name = (one.bounding_box() for one in first)
        assert name["x"] + name["width"] <= box["x"] + box["width"], "a name leaves its box"
        assert not serious(page)
        photograph(page, f"standings-{size}-{LOOKS[size]}-it")


def test_a_player_finds_the_own_rounds_by_name(chromium, desk):
    page = chromium.open(desk.links["viewer"], "phone", at=f"{desk.url}/seats")
    page.get_by_role("searchbox").fill("monaco aless")
    own = page.locator(".seats > .open .own")
    expect(own.locator("p")).to_have_text("3–0–0 W–L–T · 9 Points")
    expect(own.locator("li b")).to_have_text(
        ["no result yet", "won 2–0", "won 2–0", "won 2–1", "won 2–1", "won 2–0"]
    )
    expect(own.locator("li span").last).to_have_text("Round 1 · Table 1")
    assert not serious(page)
    photograph(page, "seats-own")
    page.get_by_role("searchbox").fill("")
    expect(page.locator(".own")).to_have_count(0)
    page.locator(".seat").nth(1).click()
    expect(page.locator(".own li")).to_have_count(6)
    page.locator(".seat").nth(1).click()
    expect(page.locator(".own")).to_have_count(0)


def test_namesakes_who_share_a_place_both_stay(chromium, desk):
    page = chromium.open(desk.links["viewer"], "phone", at=f"{desk.url}/standings")
    first = page.locator(".ranks .name")
    expect(first.first).to_be_visible()
    names = first.all_inner_texts()[:2]

    def rename(station):
        players = station.archive.roster.players.values()
        both = [Player(one.number, "Mario Rossi") for one in players if one.name in names]
        station.archive.roster.rename(both)

    desk.ask(rename)
    desk.advance(10)  # the host reads results every five seconds
    page.reload()
    expect(page.locator(".ranks .name", has_text="Mario Rossi")).to_have_count(2)
    for lost in (True, False):  # all of it is drawn again
        page.context.set_offline(lost)
        expect(page.locator("[data-key=line] span")).to_have_count(int(lost))
    expect(page.locator(".ranks .name", has_text="Mario Rossi")).to_have_count(2)
    expect(page.locator(".ranks tbody tr")).to_have_count(PLAYERS)
