"""What pages and paper tell of a player beside the name."""

import json
import re

import pytest
import tree
import webevening
from browser import expect, photograph
from commands import plusthree

from firmware.core import intents
from host.event import squad_lists
from host.event.squad_lists import SquadList
from host.sim.stage import ARCHIVE

PACK = tree.ROOT / "host" / "tournament" / "rulepacks" / "dci-2003.toml"
ROUND = (
    "# event: Team Cup\n# format: d03 swiss bo1 constructed 50 team\n"
    "table,number_a,name_a,number_b,name_b\n1,1,I draghi di Ponente,2,Blues\n2,3,Greens,4,Greys\n"
)
TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,I draghi di Ponente,Gioco Libero,Torino,11,Ada Bianchi,12,Zoë Martin\n"
    "2,Blues,,Milano,21,Bo Cruz,22,Łukasz Żółć\n3,Greens,,Asti,31,Carla Neri,32,Dario Neri\n"
)
OBSTACLES = ("asteroid 1", "asteroid 2", "debris cloud 3")


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("teams")
    path = webevening.imported(folder, "round1.csv", ROUND)
    (folder / "teams.csv").write_text(TEAMS, encoding="utf-8")
    assert plusthree("import", folder / "teams.csv", path) == 0
    with webevening.EveningDesk(folder) as desk:
        desk.publish(10)
        yield desk


@pytest.fixture(scope="module")
def escalation(tmp_path_factory):
    folder = tmp_path_factory.mktemp("squads")
    pairs = [{"player1": "Ada Bianchi", "player2": "Bo Conti"}]
    one = {"round-type": "swiss", "round-number": 1, "matches": pairs}
    people = [{"name": "Ada Bianchi"}, {"name": "Bo Conti"}]
    text = json.dumps({"name": "Cup", "players": people, "rounds": [one]})
    webevening.imported(folder, "cup.json", text)
    with webevening.EveningDesk(folder) as desk:

        def handed_in(station):
            pairing = station.archive.roster.pairings_of(1)[0]
            lists = {pairing.a.number: SquadList("Rebel", ((36, 20),), OBSTACLES)}
            squad_lists.store(station.archive, lists, "Olga", 0, begun=False)
            station.desk.publish(1)

        desk.ask(handed_in)
        desk.advance(10)
        yield desk


def page_of(chromium, desk, role, path, size="phone"):
    return chromium.open(desk.links[role], size, at=desk.url + path)


def test_each_member_finds_the_teams_table(chromium, desk):
    page = page_of(chromium, desk, "viewer", "/seats")
    lines = page.locator(".seats > li")
    expect(lines).to_have_count(7)  # two members of three teams, and the one that told none
    first = lines.filter(has_text="Bianchi, Ada")
    expect(first).to_contain_text("A · I draghi di Ponente, Gioco Libero, Torino")
    expect(first).to_contain_text("against Blues")
    expect(lines.filter(has=page.locator(".name", has_text="Greys"))).to_have_count(1)
    for typed, found in (("zolc", 1), ("22", 1), ("draghi", 2), ("1", 2), ("milano", 2)):
        page.get_by_role("searchbox").fill(typed)
        expect(lines).to_have_count(found)
    photograph(page, "seats-of-teams")


def test_a_team_that_told_no_members_is_listed_by_its_whole_name(desk, tmp_path):
    out = tmp_path / "paper"
    archive = desk._folder / ARCHIVE
    assert plusthree("paper", "names", "--no-pdf", archive, "--out", out) == 0
    text = (out / "names-round-1.en.html").read_text(encoding="utf-8")
    assert "<bdi>Bianchi, Ada (A: I draghi di Ponente, Gioco Libero, Torino)</bdi>" in text


def test_a_judge_sees_members_and_their_prize_piles(chromium, desk):
    page = page_of(chromium, desk, "judge", "/judge")
    page.get_by_role("searchbox").fill("zoe")
    expect(page.locator(".card")).to_have_count(1)
    page.locator(".card").click()
    told = page.locator("dialog .p-teams")
    expect(told).to_contain_text("Gioco Libero, Torino")
    expect(told).to_contain_text("A Ada Bianchi 11: 3 prizes")
    expect(told).to_contain_text("B Zoë Martin 12: 2 prizes")
    told.scroll_into_view_if_needed()
    expect(told).to_contain_text("lets the team-mate take one")
    photograph(page, "sheet-of-teams")


def test_standings_name_city_and_members(chromium, desk, tmp_path):
    page = page_of(chromium, desk, "organiser", "/desk#standings", "laptop")
    page.locator("[data-on=choose_pack]").select_option(label="DCI Swiss, 3-2-1-0")
    page.locator(".panel-standings [name=round]").select_option("1")  # it is being played
    row = page.locator(".panel-standings tbody tr", has_text="Ponente")
    expect(row).to_contain_text("Gioco Libero, Torino")
    expect(row).to_contain_text("Ada Bianchi, Zoë Martin")
    photograph(page, "standings-of-teams")
    out, archive = tmp_path / "paper", desk._folder / ARCHIVE
    assert plusthree(
        "paper", "standings", "--round", 1, "--pack", PACK, "--no-pdf", archive,
        "--out", out,
    ) == 0  # fmt: skip
    text = re.sub("<.*?>", "", (out / "standings-round-1.en.html").read_text(encoding="utf-8"))
    assert "I draghi di Ponente: Ada Bianchi, Zoë Martin (Gioco Libero, Torino)" in text


def test_a_table_shows_the_obstacles_of_its_squads(chromium, escalation):
    page = page_of(chromium, escalation, "judge", "/judge")
    card = page.locator(".card").first
    expect(card).to_contain_text(", ".join(OBSTACLES))
    card.click()
    expect(page.locator("dialog .details")).to_contain_text(", ".join(OBSTACLES))
    photograph(page, "sheet-of-squads")
    wall = page_of(chromium, escalation, "viewer", "/hall")
    assert "asteroid" not in wall.content()


def test_a_judge_sees_whose_pile_gave_a_prize_and_what_is_left(chromium, desk):
    desk.ask(lambda station: station.desk.start(station.collector.now_ms + 130_000))
    desk.advance(20)
    desk.press(1, intents.CONFIRM_SEAT, 2)  # the teams change places: ▲ is the Blues' key
    desk.advance(130)
    desk.press(1, intents.SET_STARTER, 1)
    for seat in (0, 3, 3):  # 1A's pile, then 1B's, which is empty then
        desk.press(1, intents.TAKE_PRIZE, seat)
    desk.advance(20)
    page = page_of(chromium, desk, "judge", "/judge")
    card = page.locator(".card[data-table='1']")
    expect(card.locator(".marks")).to_contain_text("Prizes left: ▲ 2 + 0, ● 3 + 2")
    expect(page.locator(".card[data-table='2'] .marks")).not_to_contain_text("Prizes")
    card.click()
    told = page.locator("dialog .p-teams")
    expect(told).to_contain_text("A Ada Bianchi 11: 3 prizes, 2 left")
    expect(told).to_contain_text("B Zoë Martin 12: 2 prizes, 0 left")
    expect(told).to_contain_text("A Bo Cruz 21: 3 prizes, 3 left")
    photograph(page, "sheet-of-piles")
    wall = page_of(chromium, desk, "viewer", "/hall")
    assert "Prizes" not in wall.content()
