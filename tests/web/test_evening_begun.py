"""Evenings from an empty folder to the files to take home: P18, D03 in teams, Escalation."""

import html
import json
import os
import pathlib

import pytest
import tomfile
import webevening
from tabletop import MASTER
from webevening import ToBegin

from host.desk.station import Station
from host.event import scores
from host.formats import tom_file
from host.tournament import event_pack, final_places

LATE, GONE, TYPO = "1010", "1002", "1003"
EVENT = "Coppa d'Inverno"
FORM = "p18 swiss bo3 constructed 50"
P18, D03 = "Pokémon Swiss, 3-1-0", "DCI Swiss, 3-2-1-0"
PROVING = bool(os.environ.get("PLUSTHREE_PROVE"))  # else test_evening_tom.py alone closes its event
NUMBERS = [str(number) for number in range(1001, 1008 if PROVING else 1006)]
LAST = 4 if PROVING else 3  # the final; `make test` cuts to it
CUT = 2 ** (LAST - 2)
P18_BOARDS, XW15_BOARDS = 2, 1  # the tables that play at boards; the others write slips


def played(chromium, folder, locale, event, programme):
    return webevening.play(
        chromium, folder, locale, (None, False), (event,), programme, closes=PROVING
    )


def names_of(number):
    """Return first and last name as TOM's file has them."""
    first, last = tomfile.NAMES[int(number) % len(tomfile.NAMES)]
    return html.unescape(first), html.unescape(last)


class Tom:
    """The organiser's TOM, in which each round is paired by hand as it was drawn here."""

    def __init__(self):
        self._rounds, self._extra = [], {}

    def pair(self, pairings, elimination):
        matches = [(tom_file.OPEN, p.table, p.a.number, p.b.number) for p in pairings if p.b]
        matches += [(tom_file.BYES[1], 0, p.a.number) for p in pairings if not p.b]
        self._rounds.append((matches, elimination))

    def enter(self, number):
        """Somebody comes in after round 1, which counts as a loss."""
        self._rounds[0][0].append((tom_file.LATE_LOSS, 0, number))
        self._extra[number] = tomfile.LATE

    def drop(self, number):
        self._extra[number] = tomfile.DROPPED

    def file(self, people):
        elements = [tomfile.person(int(one), extra=self._extra.get(one, "")) for one in people]
        rounds = [
            tomfile.round_(number, [tomfile.match(*one) for one in matches], 1 if cut else 2)
            for number, (matches, cut) in enumerate(self._rounds, 1)
        ]
        return tomfile.tournament(elements, [tomfile.pod(2, people, rounds)])


def pairings(evening, number):
    return evening.desk.ask(lambda station: station.archive.roster.pairings_of(number))


def slips(evening, number, boards, outcome="A", **numbers):
    """Type the results of tables without a board."""
    for table in sorted(filter(None, evening.seats(number))):
        if table > boards:
            evening.slip(table, outcome=outcome, **numbers)


def decide(evening, number, outcome="A", **numbers):
    evening.publish(number)
    evening.begin_round(number)
    slips(evening, number, 0, outcome, **numbers)
    evening.desk.play_out(number, lambda: None)


def ranks(station):
    """Return what the standings say, and each result of the event."""
    rounds = scores.rounds_of(station.archive, station.hall)
    table = final_places.standings(rounds, event_pack.pack_of(station.archive))
    lines = [(line.rank, line.number, line.name, line.values) for line in table.lines]
    results = {
        (one.number, score.pairing.a.number, score.pairing.b.number): score.result.outcome
        for one in rounds for score in one.scores if score.result
    }  # fmt: skip
    return lines, results


def card_event(evening):
    """Round 1 drawn here, changed and played at boards; somebody is late, somebody leaves."""
    people = "\n".join("\t".join((number, *names_of(number))) for number in NUMBERS)
    right = " ".join(names_of(TYPO))
    typed = people.replace("\t".join(names_of(TYPO)), "Nguyen\tKahi")
    evening.begin("Copa d'Inverno", typed, P18, system="p18", rounds=2, cut=CUT)
    evening.call_it(EVENT)
    evening.draw()
    evening.exchange(1, evening.seats(1)[1][0], evening.seats(1)[2][1])
    evening.publish(1)
    evening.start(1)
    punished = evening.penalty(1, 0, "warning")
    slips(evening, 1, P18_BOARDS, number_a=2, number_b=1)
    evening.rule(1)
    tom = Tom()
    tom.pair(pairings(evening, 1), False)
    shown = evening.read_file("cup.tdf", tom.file(NUMBERS))
    assert right in shown and right in evening.asked
    evening.late(LATE, " ".join(names_of(LATE)), "loss")
    evening.leave(GONE)
    evening.draft()
    assert evening.plays(LATE, 2) and not evening.plays(GONE, 2)
    decide(evening, 2, number_a=2, number_b=0)
    evening.draft(CUT)
    decide(evening, 3, number_a=2, number_b=1)
    if LAST > 3:
        evening.draft()
        decide(evening, 4, "B", number_a=0, number_b=2)
    for number in range(2, LAST + 1):
        tom.pair(pairings(evening, number), number > 2)
    tom.enter(LATE)
    tom.drop(GONE)
    assert evening.desk.ask(lambda station: len(station.archive.notices.rows("penalty"))) == 1
    evening.read_file("cup.tdf", tom.file([*NUMBERS, LATE]))
    evening.filled = evening.saved("tdf")
    assert punished.encode() in evening.saved("penalties")
    shown = evening.show_standings(LAST)
    assert right in shown
    evening.told = evening.desk.ask(ranks)


@pytest.mark.parametrize("locale", ["en-GB", pytest.param("it-IT", marks=pytest.mark.prove)])
def test_p18_with_a_cut_ends_in_toms_file(chromium, tmp_path, locale, printed):
    evening = played(chromium, tmp_path, locale, card_event, ToBegin(P18_BOARDS, "p18"))
    printed(f"an evening from an empty folder, {locale}: clicks", evening.counted)
    lines, results = evening.told
    tdf = tom_file.read(pathlib.Path("cup.tdf"), evening.filled)
    words = {tom_file.PLAYER_1: "A", tom_file.PLAYER_2: "B", tom_file.TIE: "tie"}
    assert results == {
        (one.round, *one.numbers): words[one.outcome] for one in tdf.matches if one.playable
    }
    home = tmp_path / "home"
    home.mkdir()
    text = evening.filled.decode()
    path = webevening.imported(home, "cup.tdf", text, "--format", FORM, "--pack", "pokemon-swiss")
    with Station(path, MASTER) as station:
        assert ranks(station) == (lines, results)


TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Gioco Libero,Torino,11,Ada Bianchi,12,Zoë Martin\n"
    "2,Blues,,Milano,21,Bo Cruz,22,Łukasz Żółć\n"
    "3,Greens,Gioco Libero,Torino,31,Eva Neri,32,Ugo Blu\n"
    "4,Greys,,Asti,41,Ivo Rossi,42,Ida Verdi\n"
)


def team_event(evening):
    """Four teams and a late one; a member leaves, and a name was mistyped in the list of teams."""
    evening.begin("Team Cup", "1;Reds\n2;Blues\n3;Greens\n4;Greys", D03, system="d03",
                  kind="bo1 constructed team")  # fmt: skip
    shown = evening.read_file("teams.csv", TEAMS)
    assert "Reds (1): Ada Bianchi" in shown
    evening.draw()
    seats = evening.seats(1)
    evening.exchange(1, seats[1][0], seats[2][0])
    evening.publish(1)
    evening.begin_round(1)
    evening.penalty(1, 1, "caution")
    for table, outcome in ((1, "A"), (2, "B")):
        evening.slip(table, outcome=outcome)
    evening.desk.play_out(1, lambda: None)
    corrected = (
        TEAMS.replace("Zoë Martin", "Zoë Martini") + "5,Blacks,,Alba,51,Leo Gallo,52,Mia Riva\n"
    )
    shown = evening.read_file("teams.csv", corrected)
    assert "Zoë Martini" in shown and "Blacks" in shown and "Zoë Martini" in evening.asked
    evening.leave_by_name("Ida Verdi", "Greys")
    evening.draft()
    assert evening.plays("5", 2) and not evening.plays("4", 2)
    decide(evening, 2)
    assert "Zoë Martini" in evening.show_standings(2)
    told = json.loads(evening.saved("json"))
    assert [one["b"]["name"] for one in told["teams"]][0] == "Zoë Martini"
    assert len(told["standings"]["lines"]) == 5


@pytest.mark.prove
@pytest.mark.parametrize("locale", ["en-GB", "it-IT"])
def test_d03_in_teams(chromium, tmp_path, locale):
    played(chromium, tmp_path, locale, team_event, ToBegin(2, "d03"))


SHIPS = ("X-wing,small,Luke,R2-D2,36", "Y-wing,small,Gold,,20")
SQUADS = "player,squad,faction,ship,size,pilot,upgrades,points\n" + "".join(
    f"{player},{squad},Rebel,{ship}\n"
    for player in range(201, 206)
    for squad in range(1, 5)
    for ship in SHIPS
)
PILOTS = "number;name;family\n201;Ada Rossi;R\n202;Bo Cruz;\n203;Cleo Rosi;R\n204;Dino Neri;\n205;Eva Blu;\n"


def escalation_event(evening):
    """Five pilots, two of one family, who bring squads; one comes late, one leaves."""
    evening.begin("Escalation", PILOTS, system="xw15", rounds=2)
    shown = evening.read_file("squads.csv", SQUADS)
    assert "Ada Rossi (201): " in shown and "56, 56, 56, 56" in shown
    evening.draw()
    assert not any({"201", "203"} <= {*pair} for pair in evening.seats(1).values())
    tables = evening.seats(1)
    evening.exchange(1, tables[1][0], tables[2][0])
    evening.publish(1)
    evening.start(1)
    evening.penalty(2, 0, "warning", prizes=False)
    slips(evening, 1, XW15_BOARDS, number_a=40, number_b=12)
    evening.rule(1)
    shown = evening.read_file("names.csv", "number,name\n201,Ada Rossi\n203,Cleo Rossi\n")
    assert "Cleo Rossi" in shown and "Cleo Rossi" in evening.asked
    evening.late("206", "Zoe Late", "nothing")
    evening.leave("202")
    evening.draft()
    assert evening.plays("206", 2) and not evening.plays("202", 2)
    decide(evening, 2, number_a=50, number_b=12)
    assert "Cleo Rossi" in evening.show_standings(2)
    told = json.loads(evening.saved("listfortress"))
    scores = {one["name"]: one["score"] for one in told["participants"]}
    assert len(scores) == 6 and "Cleo Rossi" in scores and len(told["rounds"]) == 2


@pytest.mark.prove
@pytest.mark.parametrize("locale", ["it-IT", "en-GB"])
def test_escalation(chromium, tmp_path, locale):
    played(chromium, tmp_path, locale, escalation_event, ToBegin(XW15_BOARDS, "xw15"))
