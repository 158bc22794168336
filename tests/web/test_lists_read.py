"""Lists of teams and of X-Wing squads read on the organiser's page."""

import base64

import pytest
from tabletop import MASTER
from webclient import KEY, Browser

from host.archive import teams
from host.desk.station import Station
from host.event import squad_lists
from host.tournament.rule_packs import shipped_packs
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Gioco Libero,Torino,11,Ada Bianchi,12,Zoë Martin\n"
    "2,Blues,,Milano,21,Bo Cruz,22,Łukasz Żółć\n"
)
TEAM_CUP = {"name": "Team Cup", "format": "d03 swiss bo1 constructed team 50",
            "pack": "DCI Swiss, 3-2-1-0"}  # fmt: skip
HEAD = "player,squad,faction,ship,size,pilot,upgrades,points\n"
SHIPS = "Rebel,X-wing,small,Luke,R2-D2,36", "Rebel,Y-wing,small,Gold,,20"


def squads(*players):
    lines = [f"{p},{n},{ship}\n" for p in players for n in (1, 2, 3, 4) for ship in SHIPS]
    return HEAD + "".join(lines)


@pytest.fixture
def service(tmp_path):
    with Station(tmp_path / "a.db", MASTER) as station:
        sessions = Sessions(KEY, False)
        yield DeskService(station, sessions, lambda: 1000, shipped_packs(), "https://10.0.0.1")


@pytest.fixture
def olga(service):
    return Browser(service, "organiser", name="Olga")


def read(olga, text, name="list.csv", **more):
    file = {"name": name, "content": base64.b64encode(text.encode()).decode()}
    return olga.act("read_file", file=file, **more).json


def taken(olga, text, **answers):
    shown = read(olga, text, **answers)
    assert read(olga, text, agreed=shown["digest"], **answers)["taken"]
    return {one["kind"]: one["said"] for one in shown["changes"]}


def test_teams_come_with_their_members_and_who_is_new_is_entered(service, olga):
    olga.act("begin", **TEAM_CUP, players="1;Reds\n3;Greens\n4;Greys")
    said = taken(olga, TEAMS)["people"]
    assert "team Reds (1): Ada Bianchi and Zoë Martin, Gioco Libero, Torino" in said
    assert [*service.archive.roster.players] == ["1", "2", "3", "4"]
    assert teams.of(service.archive)["2"].b.name == "Łukasz Żółć"
    assert not read(olga, TEAMS)["changed"]
    olga.act("draw_first", seed=1)
    later = taken(olga, TEAMS.replace("Torino", "Asti"))
    assert later["people"] == ["team Reds (1): Ada Bianchi and Zoë Martin, Gioco Libero, Asti"]
    assert "team 3 has given no members, affiliation and city yet (D03 244)" in later["notes"]


def test_a_member_s_corrected_name_is_asked_about_and_another_member_refused(service, olga):
    olga.act("begin", **TEAM_CUP, players="1;Reds\n2;Blues")
    taken(olga, TEAMS)
    olga.act("draw_first")
    olga.act("publish", round=1)
    olga.act("start", minutes=3)
    corrected = TEAMS.replace("Zoë Martin", "Zoë Martini")
    asked = read(olga, corrected)
    assert "Is that one person" in asked["ask"] and "Zoë Martini" in asked["ask"]
    taken(olga, corrected, **asked["answer"])
    assert teams.of(service.archive)["1"].b.name == "Zoë Martini"
    assert "D03 243" in read(olga, corrected.replace("12,Zoë", "13,Zoë"))["error"]


def test_squads_are_kept_before_round_1(service, olga):
    olga.act("begin", name="Escalation", format="xw15 50", players="1;Ada\n2;Bo")
    said = taken(olga, squads(1))["people"]
    assert said == ["Ada (1): squads of 56, 56, 56, 56 points, Rebel"]
    assert squad_lists.of(service.archive).keys() == {"1"}
    shown = {one["number"]: one["squads"] for one in olga.get("/api/people").json["people"]}
    assert shown == {"1": "Rebel · 56 56 56 56", "2": ""}, "no obstacles were handed in"
    olga.act("draw_first", seed=1)
    assert taken(olga, squads(1, 2, 3))["notes"] == ["player 3 has a list, and is not in the event"]


@pytest.mark.parametrize(("form", "text", "why"), [
    ("xw15 50", TEAMS, "not played by teams"),
    ("d03 bo1 constructed 30", squads(1), "none of Escalation"),
    ("xw15 50", squads(1).replace("small,Gold,,20", "tiny,Gold,,20"),
        "list.csv:2: 1's squad 1 has 1 ship: at least 2; and 7 more lines need a look"),
    ("xw15 50", HEAD + "".join(f"1,{n},{SHIPS[0]}\n" for n in (1, 2, 3, 4)), "at least 2"),
    ("xw15 50", "a,b\n1,2\n", "the column table is missing"),
])  # fmt: skip
def test_what_does_not_fit_is_refused_and_nothing_is_kept(service, olga, form, text, why):
    olga.act("begin", name="Cup", format=form, players="1;Ada\n2;Bo")
    before = service.archive.notices.all
    assert why in read(olga, text)["error"]
    assert service.archive.notices.all == before
