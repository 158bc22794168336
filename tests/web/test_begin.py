"""An event begins in the browser: what is played, who plays, and round 1 drawn and published."""

import base64
import json
import re

import pytest
from commands import plusthree
from tabletop import MASTER
from webclient import KEY, Browser

from host.archive import teams
from host.archive.roster import Event
from host.desk import beginning, hall_plan, registration, round_lengths
from host.desk.station import Station
from host.event import event_log, event_plan, registrations
from host.reports.export_forms import FORMS
from host.systems import catalogue
from host.tournament.rule_packs import shipped_packs
from host.web.desk_service import DeskService
from host.web.registration_page import Bucket
from host.web.routes import READS
from host.web.sessions import Sessions

SWISS = "Pokémon Swiss, 3-1-0"
CUP = {"name": "Winter Cup", "format": "p18 swiss bo3 constructed 50", "pack": SWISS}
ORIGIN_MS = 1_790_000_000_000
NAMES = "\n".join(f"{1000 + n}\tGiven{n}\tFamily{n}" for n in range(1, 33))


class Clock:
    now_ms = 1000


@pytest.fixture
def service(tmp_path):
    """The desk of a new archive, reached over the network."""
    with Station(tmp_path / "a.db", MASTER) as station:
        station.planned_origin_unix_ms = ORIGIN_MS
        sessions = Sessions(KEY, False)
        made = DeskService(
            station, sessions, lambda: Clock.now_ms, shipped_packs(), "https://10.0.0.1"
        )
        yield made


@pytest.fixture
def ada(service):
    return Browser(service, "organiser")


def names_of(service):
    return [one.name for one in service.archive.roster.players.values()]


def stored(service):
    archive = service.archive
    return archive.roster.events, archive.roster.players, archive.roster.rounds, archive.notices.all


def nothing_changed(service, act):
    """Return an act's answer, having made sure that it left no trace."""
    before = stored(service)
    answer = act()
    assert stored(service) == before
    return answer


def refused(service, act):
    """Return why an act is refused, having made sure that it left no trace."""
    answer = nothing_changed(service, act)
    assert answer.status == 409
    return answer.json["error"]


def assert_families_are_apart(service, ada):
    for seed in range(20):
        ada.act("draw_first", seed=seed)
        for one in service.archive.roster.pairings_of(1):
            assert int(one.a.number) % 2 != int(one.b.number) % 2
        ada.act("drop_draft", round=1)


def test_rounds_beyond_a_systems_minutes_have_those_of_its_last(service):
    mine = catalogue.compile_system('name = "mine"\nnumber = 17\nbase = "xw15"\n', "mine.toml")
    systems = {**catalogue.built_in(), "mine": mine}
    cup = beginning.NewEvent("Cup", "mine 45", rounds=6)
    assert beginning.begin(service.station, cup, [], systems, "Ada")[1]
    assert round_lengths.announced_minutes(service.archive) == (45, 70, 90, 120, 120, 120)


def test_every_page_works_without_an_event(service):
    for role in ("organiser", "judge", "viewer"):
        person = Browser(service, role)
        state = person.get("/api/state").json
        assert state["event"] is None and state["round"] is None and state["rounds"] == {}
        for read in READS:
            path = re.sub("{form}", "json", re.sub("{kind}", "names", read.path))
            path = path.replace("{table:int}", "1")
            answer = person.get(path)
            assert answer.status in (200, 403, 409), path
            assert answer.status != 409 or answer.json["error"].count(" ") > 3


def test_an_act_before_the_event_says_what_to_do(service, ada):
    for act, body in (
        ("add_player", {"name": "Ugo"}), ("publish", {"round": 1}), ("choose_pack", {"pack": SWISS}),
        ("door", {"on": True}), ("lay_out", {"plan": "1 2"}), ("draw_first", {}),
    ):  # fmt: skip
        answer = nothing_changed(service, lambda act=act, body=body: ada.act(act, **body))
        assert answer.status == 409 and "begin" in answer.json["error"], act


def test_an_event_is_begun_with_pasted_players_and_round_1_is_published(service, ada):
    answer = ada.act("begin", **CUP, rounds=5, cut=8, players=NAMES)
    assert answer.json["told"] == "Winter Cup is open: 32 players are entered"
    event = service.archive.roster.event
    assert (event.name, event.origin_unix_ms) == ("Winter Cup", ORIGIN_MS)
    told = ada.get("/api/begin").json
    assert (told["people"], told["format"], told["rounds"], told["cut"]) == (
        32, CUP["format"], 5, 8,
    )  # fmt: skip
    drawn = ada.act("draw_first", seed=7).json
    assert drawn["round"] == 1 and drawn["said"] == []
    assert len(ada.get("/api/rounds").json["open"]["1"]["seats"]) == 16
    assert ada.act("publish", round=1).status == 200
    assert service.desk.round == 1 and len(service.desk.tables) == 16
    assert service.pack.name == SWISS
    log = [line["what"] for line in ada.get("/api/log").json["lines"]]
    assert {"what is played", "rule pack", "lengths of the rounds", "round drafted"} <= {*log}


def test_the_draw_is_the_one_of_the_command_line(service, ada, tmp_path):
    """``plusthree pair --players`` draws the same round from the same people and seed."""
    from host.formats import event_file

    ada.act("begin", **CUP, players=NAMES)
    ada.act("draw_first", seed=7)
    sheet = "number,name\n" + "\n".join(
        f"{one.number},{one.name}" for one in service.archive.roster.players.values()
    )
    (tmp_path / "list.csv").write_text(sheet, "utf-8")
    words = "pair", tmp_path / "r.csv", "--players", tmp_path / "list.csv", "--seed", 7, "--pack"
    words = *words, "pokemon-swiss", "--format", CUP["format"], tmp_path / "none.db"
    assert plusthree(*[str(one) for one in words]) == 0
    ours, theirs = service.archive.roster.pairings_of(1), event_file.read(tmp_path / "r.csv")
    assert [(one.table, one.a, one.b) for one in ours] == [
        (one.table, one.a, one.b) for one in theirs.pairings
    ]


REFUSED = (
    ({"format": "chess 50"}, "the format begins with one of"),
    ({"format": "p18 bo2 50"}, "bo2"),
    ({"format": "d03 bo3 30"}, "is for p18, and this is d03"),
    ({"format": "xw15 50", "pack": "", "rounds": 5}, "has 4 rounds"),
    ({"format": "xw15 20", "pack": "", "rounds": 4}, "too short"),
    ({"pack": "Nobody's"}, "no such rule pack"),
    ({"players": "1;Ada;x;y;z"}, "which of the 5 columns is the name"),
    ({"players": "1;Ada\n1;Ugo"}, "line 2: number 1 stands in line 1 already"),
)  # fmt: skip


@pytest.mark.parametrize(("body", "why"), REFUSED)
def test_what_cannot_be_is_refused_and_nothing_is_taken(service, ada, body, why):
    assert why in refused(service, lambda: ada.act("begin", **CUP | body))


ODD = (
    {"rounds": 31}, {"rounds": -1}, {"rounds": 2**70}, {"cut": 1}, {"cut": 65}, {"name": ""},
    {"name": "x" * 61}, {"name": "a\0b"}, {"name": "\ud800"}, {"format": "p18 swiss bo3 constructed 0"},
    {"format": "p18 swiss bo3 constructed 99999999999999999999"}, {"players": "\0"},
    {"players": f"{'9' * 400};Ada"}, {"players": "-1;Ada\n;"}, {"players": "1;" + "Ada" * 200},
)  # fmt: skip


def refusals(place):
    """Return what each invalid begin is told at a new archive; nothing is stored."""
    with Station(place, MASTER) as station:
        service = DeskService(station, Sessions(KEY, False), lambda: 1000, shipped_packs())
        ada = Browser(service, "organiser")
        bodies = [body for body, _ in REFUSED] + [*ODD]
        told = [
            nothing_changed(service, lambda body=body: ada.act("begin", **CUP | body))
            for body in bodies
        ]
        assert ada.act("begin", **CUP).status == 200
        told.append(nothing_changed(service, lambda: ada.act("draw_first")))
    return [(one.status, one.body) for one in told]


def test_an_invalid_begin_is_refused_in_the_same_words_on_postgresql(tmp_path, address):
    on_file = refusals(tmp_path / "a.db")
    assert {status for status, _ in on_file} <= {400, 409}
    assert refusals(address) == on_file


def test_the_plan_of_the_hall_that_serve_was_given_is_the_event_s(service, ada):
    service.station.plan = {**hall_plan.NONE, "rows": [[1, 2]]}
    ada.act("begin", **CUP)
    assert hall_plan.current(service.archive)["rows"] == [[1, 2]]


def test_x_wing_announces_its_own_minutes(service, ada):
    assert ada.act("begin", name="Escalation", format="xw15 50", rounds=3).status == 200
    lengths = service.archive.notices.latest("lengths")
    assert lengths == "50 70 90"


def test_families_of_a_list_are_kept_apart(service, ada):
    people = "number;name;family\n" + "\n".join(f"{n};P{n};{n % 2}" for n in range(1, 5))
    ada.act("begin", name="Escalation", format="xw15 50", players=people)
    assert_families_are_apart(service, ada)


def test_a_browser_that_goes_back_begins_nothing_twice(service, ada):
    ada.act("begin", **CUP, players=NAMES)
    assert "'Winter Cup' has begun here already" in refused(
        service, lambda: ada.act("begin", **CUP | {"name": "Other"})
    )
    assert ada.act("enter_players", players=NAMES).json["said"] == []
    assert len(names_of(service)) == 32
    ada.act("draw_first")
    assert "publish it, or drop it" in refused(service, lambda: ada.act("draw_first"))
    assert "has its first round" in refused(service, lambda: ada.act("begin", **CUP))


def test_what_is_played_can_be_changed_until_round_1_is_drawn(service, ada):
    ada.act("begin", **CUP, rounds=5, cut=8, players=NAMES)
    changed = {"format": "d03 swiss bo1 constructed 30", "pack": "DCI Swiss, 3-2-1-0"}
    assert ada.act("begin", name="Winter Cup", **changed).status == 200
    told = ada.get("/api/begin").json
    assert (told["format"], told["rounds"], told["cut"]) == (changed["format"], 0, None)
    assert ada.act("draw_first").status == 200 and service.pack.name == changed["pack"]


def test_a_list_is_entered_whole_or_not_at_all(service, ada):
    ada.act("begin", **CUP, players="12;Ada Neri")
    taken = nothing_changed(service, lambda: ada.act("enter_players", players="13;Zoe\n012;Ugo"))
    assert taken.json["error"] == "number 12 is taken by Ada Neri: give Ugo another number"
    twins = nothing_changed(service, lambda: ada.act("enter_players", players="Ugo\nUgo\nZoe"))
    assert "more than one line says Ugo" in twins.json["ask"]
    told = ada.act("enter_players", players="Ugo\nUgo\nZoe\nada neri", sure=True).json
    assert (told["told"], told["said"]) == (
        "3 players are entered", ["one player was entered already"])  # fmt: skip
    assert [*service.archive.roster.players] == ["12", "13", "14", "15"]


def test_two_players_are_needed(service, ada):
    ada.act("begin", **CUP, players="12;Ada Neri")
    assert "enter players first" in ada.act("draw_first").json["error"]


def test_a_list_is_looked_at_and_not_taken(service, ada):
    ada.act("begin", **CUP)
    look = nothing_changed(service, lambda: ada.act("look_at_players", players=NAMES)).json
    assert look["count"] == 32 and look["lines"][0] == ["1001", "Given1 Family1"]
    fault = ada.act("look_at_players", players="1;2;3").json["fault"]
    assert "which of the 3 columns" in fault


TEAM_CUP = {"name": "Team Cup", "format": "d03 swiss bo1 constructed team 50",
            "pack": "DCI Swiss, 3-2-1-0"}  # fmt: skip
TEAM_HEAD = "number\tname\taffiliation\tcity\tnumber_a\tname_a\tnumber_b\tname_b\tpaid\n"
REDS = "01\tReds\tGioco Libero\tTorino\t11\tAda Bianchi\t12\tZoë Martin\tyes\n"
BLUES = "2\tBlues\t\tMilano\t21\tBo Cruz\t22\tŁukasz Żółć\t\n"


def members(service):
    found = teams.of(service.archive).values()
    return {one.number: (one.name, one.city, one.a.name, one.b.name) for one in found}


TEAMS = {
    "01": ("Reds", "Torino", "Ada Bianchi", "Zoë Martin"),
    "2": ("Blues", "Milano", "Bo Cruz", "Łukasz Żółć"),
}


def test_a_pasted_sheet_of_teams_gives_teams_with_their_members(service, ada):
    sheet = TEAM_HEAD + REDS + BLUES
    look = nothing_changed(service, lambda: ada.act("look_at_players", players=sheet)).json
    assert look == {
        "orders": [], "said": [], "count": 2, "left_out": ["paid"],
        "lines": [["01", "Reds", "Ada Bianchi, Zoë Martin"], ["2", "Blues", "Bo Cruz, Łukasz Żółć"]],
    }  # fmt: skip
    told = ada.act("begin", **TEAM_CUP, players=sheet).json
    assert told["told"] == "Team Cup is open: 2 players are entered"
    assert told["said"] == ["2 teams are kept with their members"]
    assert names_of(service) == ["Blues", "Reds"] and members(service) == TEAMS


def test_teams_whose_names_were_pasted_get_their_members_and_late_ones_come_with_them(service, ada):
    ada.act("begin", **TEAM_CUP, players="1;Reds\n2;Blues")
    told = ada.act("enter_players", players=(TEAM_HEAD + REDS + BLUES).replace("\t", ",")).json
    assert told["told"] == "2 players were entered already"
    assert told["said"] == ["2 teams are kept with their members"]
    assert [*members(service).values()] == [*TEAMS.values()] and "1" in members(service)
    ada.act("draw_first", seed=1)
    ada.act("publish", round=1)
    ada.act("start", minutes=3)
    late = "3,Greens,,Asti,31,Eva Neri,32,Ugo Blu,\n"
    head = TEAM_HEAD.replace("\t", ",")
    assert ada.act("enter_players", players=head + late).status == 200
    assert members(service)["3"] == ("Greens", "Asti", "Eva Neri", "Ugo Blu")
    for changed, why in (
        (late.replace("31", "33"), "they would be another team (D03 243)"),
        (late.replace("Eva Neri", "Eve Neri"), "read the sheet under Files"),
    ):
        assert why in refused(
            service, lambda one=changed: ada.act("enter_players", players=head + one)
        )


@pytest.mark.parametrize(("sheet", "why"), (
    (TEAM_HEAD + REDS + BLUES.replace("Milano", ""), "line 3: city is empty"),
    (TEAM_HEAD + REDS + BLUES.replace("\t22", "\t21"), "line 3: a team has two members"),
    (TEAM_HEAD + REDS + BLUES.replace("Blues", "reds"), "two teams are called 'Reds'"),
    (TEAM_HEAD + REDS + BLUES.replace("2\tB", "1\tB"), "two teams have the number 01"),
    (TEAM_HEAD + REDS + BLUES.replace("22", "1,5E+07"), "is not the number that was typed"),
    (TEAM_HEAD, "no player in this list"),
))  # fmt: skip
def test_an_odd_sheet_of_teams_is_refused_whole(service, ada, sheet, why):
    fault = ada.act("look_at_players", players=sheet).json["fault"]
    assert why in fault
    assert why in refused(service, lambda: ada.act("begin", **TEAM_CUP, players=sheet))


def test_a_sheet_of_teams_is_refused_where_nobody_plays_in_teams(service, ada):
    sheet, why = TEAM_HEAD + REDS + BLUES, "is not played by teams (D03 241)"
    assert why in refused(service, lambda: ada.act("begin", **CUP, players=sheet))
    ada.act("begin", **CUP)
    assert why in refused(service, lambda: ada.act("enter_players", players=sheet))
    twice = TEAM_HEAD + REDS + BLUES.replace("21", "11")
    ada.act("begin", **{**TEAM_CUP, "name": "Winter Cup"})
    assert "player 11 stands in two teams" in refused(
        service, lambda: ada.act("enter_players", players=twice)
    )


def opened(service, ada):
    """Open the door of a new event; return what a phone does there."""
    ada.act("begin", **CUP, players="12;Ada Neri\n13;Ugo Blu")
    ada.act("door", on=True)
    place = ada.get("/api/begin").json["door"]["url"].removeprefix("https://10.0.0.1")
    phone = Browser(service)
    assert phone.get(place).status == 200
    assert phone.get(place.replace("/enter/", "/api/door/")).json == {"event": "Winter Cup"}
    return lambda number, name: phone.post(
        f"/api{place}", json.dumps({"number": number, "name": name}).encode()
    )


def test_players_enter_themselves_and_staff_accept(service, ada):
    enter = opened(service, ada)
    assert enter("14", "Zoë Martin").json["told"].startswith("Zoë Martin, your entry is with")
    assert enter("", "Bo Lind").status == 200
    assert names_of(service) == ["Ada Neri", "Ugo Blu"]
    service.change_feed.step(2000)
    assert ada.get("/api/state").json["door"] == 2
    assert "door" not in [
        key for key, value in Browser(service, "viewer").get("/api/state").json.items() if value
    ]
    assert ada.act("accept_entry").json["told"] == "2 players are entered"
    assert names_of(service) == ["Ada Neri", "Ugo Blu", "Zoë Martin", "Bo Lind"]
    assert ada.get("/api/begin").json["entries"] == []
    assert enter("14", "zoe martin").json["told"].startswith("zoe martin, you are entered")


def test_an_entry_under_another_name_or_number_waits_for_a_look(service, ada):
    enter = opened(service, ada)
    for number, name in (("012", "Eve"), ("99", "Ugo Blu"), ("20", "Tom"), ("20", "Kim")):
        assert enter(number, name).status == 200
    entries = ada.get("/api/begin").json["entries"]
    assert [one["seen"] for one in entries] == [
        ["number 12 is Ada Neri in this event"],
        ["Ugo Blu is number 13 in this event: is this somebody else?"],
        ["this number was entered with several names"],
        ["this number was entered with several names"],
    ]
    assert ada.act("accept_entry").status == 409
    eve, ugo, tom, kim = (one["id"] for one in entries)
    taken = nothing_changed(service, lambda: ada.act("accept_entry", entry=eve))
    assert taken.json["error"] == "number 12 is taken by Ada Neri: give Eve another number"
    assert ada.act("accept_entry", entry=tom).status == 200
    assert ada.act("accept_entry", entry=kim).status == 409
    for one in (eve, ugo, kim):
        assert ada.act("refuse_entry", entry=one).status == 200
    assert names_of(service) == ["Ada Neri", "Ugo Blu", "Tom"]
    decided = nothing_changed(service, lambda: ada.act("accept_entry", entry=tom))
    assert "decided this entry already" in decided.json["error"]


def test_the_same_entry_twice_is_one(service, ada):
    enter = opened(service, ada)
    enter("14", "Zoë Martin")
    assert nothing_changed(service, lambda: enter("14", "Zoe MARTIN")).status == 200


BAD = (
    (b"{", 400), (b'{"name": "A"} ' + b" " * 2000, 413), (b'{"name": ""}', 400),
    (b'{"name": "A\\u202eB"}', 400), (b'{"name": "A", "more": 1}', 400),
    (b'{"name": "A", "number": "1,5E+07"}', 409),
)  # fmt: skip


@pytest.mark.parametrize(("body", "status"), BAD)
def test_the_door_refuses_what_no_player_means(service, ada, body, status):
    opened(service, ada)
    phone = Browser(service)
    answer = nothing_changed(service, lambda: phone.post(f"/api{service.registration_path}", body))
    assert answer.status == status and answer.json["error"]


def test_a_shut_door_and_a_guessed_address_let_nobody_in(service, ada):
    enter, place = opened(service, ada), service.registration_path
    phone = Browser(service)
    assert phone.get("/enter/" + "0" * 32).status == 401
    ada.act("door", on=False)
    assert phone.get(place).status == 401 and enter("14", "Zoë").status == 401
    ada.act("door", on=True)
    assert service.registration_path != place and enter("14", "Zoë").status == 401
    foreign = phone.post(
        f"/api{service.registration_path}", b'{"name": "A"}', origin="http://evil.test"
    )
    assert foreign.status == 403 and registrations.waiting(service.archive) == []


def test_a_device_is_slowed_down(service, ada):
    enter = opened(service, ada)
    answers = [enter(str(n), f"Name{n}").status for n in range(20, 40)]
    assert answers == [200] * 8 + [409] * 12
    assert "wait a minute" in enter("99", "Name").json["error"]
    bucket = Bucket(2, 1000)
    assert [bucket.take(ms) for ms in (0, 0, 0, 999, 1000, 500, 2500)] == [
        True, True, False, False, True, False, True]  # fmt: skip


def test_no_more_wait_than_staff_can_look_at(service, ada, monkeypatch):
    ada.act("begin", **CUP)
    monkeypatch.setattr(registration, "MOST", 2)
    registration.enter(service.station, "1", "Ada")
    registration.enter(service.station, "2", "Ugo")
    with pytest.raises(Exception, match="too many entries are waiting"):
        registration.enter(service.station, "3", "Zoe")


@pytest.mark.parametrize("value", ["{", "[]", "7", '{"format": 1, "rounds": 2}', '{"rounds": 1}'])
def test_a_damaged_notice_counts_for_nothing(service, ada, value):
    ada.act("begin", **CUP)
    for what in (event_plan.BEGUN, event_plan.PARTIES, registrations.ENTRY, registrations.TAKEN):
        service.archive.notices.add(what, value, "test", 0)
    assert event_plan.plan_of(service.archive).format.minutes == 50
    assert registrations.waiting(service.archive) == [] and ada.get("/api/begin").status == 200
    assert event_log.lines(service.archive)


def test_a_large_event_begins_within_a_second_of_work(service, ada):
    """Counted in statements, not in seconds: none is asked for each player."""
    people = "\n".join(f"{n};Given{n} Family{n}" for n in range(1, 1001))
    assert ada.act("begin", **CUP, players=people).json["told"].endswith("1000 players are entered")
    assert ada.act("draw_first", seed=1).status == 200
    assert len(service.archive.roster.pairings_of(1)) == 500


@pytest.mark.parametrize("form", [form for form in FORMS if form != "csv"])  # a sheet is empty
def test_before_an_event_an_export_is_refused_with_a_sentence(ada, form):
    answer = ada.get(f"/api/export/{form}")
    assert answer.status == 409 and "there is no" in answer.json["error"]


def sent(path):
    return {"name": path.name, "content": base64.b64encode(path.read_bytes()).decode()}


def test_the_players_of_toms_and_cryodexs_file_become_a_list(service, ada, root):
    ada.act("begin", **CUP)
    toms = sent(root / "tests/host/formats/tdf/swiss.tdf")
    text = nothing_changed(service, lambda: ada.act("look_at_players", file=toms)).json["players"]
    assert ada.act("look_at_players", players=text).json["count"] == text.count("\n") > 4
    names = [{"name": f"P{n}"} for n in range(4)]
    raw = json.dumps({"players": names, "rounds": []}).encode()
    cryodex = {"name": "a.json", "content": base64.b64encode(raw).decode()}
    assert ada.act("look_at_players", file=cryodex).json["players"].startswith("1\tP0\n")
    broken = {"name": "a.tdf", "content": base64.b64encode(b"<tournament>").decode()}
    assert "a.tdf" in ada.act("look_at_players", file=broken).json["fault"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_players_in_a_spreadsheets_file_become_a_list(service, ada, encoding, tmp_path):
    ada.act("begin", **CUP)
    sheet = tmp_path / "players.txt"
    sheet.write_bytes("sep=;\r\nnumber;name\r\n12;Zoë Neri\r\n".encode(encoding))
    text = ada.act("look_at_players", file=sent(sheet)).json["players"]
    assert ada.act("look_at_players", players=text).json["lines"] == [["12", "Zoë Neri"]]


def test_a_spreadsheets_file_whose_letters_would_be_lost_is_refused(service, ada, tmp_path):
    ada.act("begin", **CUP)
    sheet = tmp_path / "players.csv"
    sheet.write_bytes("number,name\n12,Zoë Neri\n".encode("cp1252"))
    fault = ada.act("look_at_players", file=sent(sheet)).json["fault"]
    assert fault == "players.csv:2: is not UTF-8: save the sheet as CSV in UTF-8"


def test_a_file_with_rounds_is_opened_in_an_event_that_was_just_begun(service, ada, root):
    """TOM's file does not say what is played: what was chosen for the event holds."""
    ada.act("begin", **CUP | {"format": "p18 swiss bo3 constructed 75"})
    toms = sent(root / "tests/host/formats/tdf/swiss.tdf")
    shown = ada.act("read_file", file=toms).json
    told = ada.act("read_file", file=toms, **shown.get("answer", {})).json
    taken = ada.act("read_file", file=toms, agreed=told["digest"], **shown.get("answer", {})).json
    assert taken["taken"] and service.archive.roster.rounds
    assert service.archive.roster.format_of(taken["round"]).bits == 6


def test_a_mistyped_name_is_corrected_until_the_event_is_closed(service, ada, root):
    """Files that have the name of before are of this event, without a question."""
    ada.act("begin", **CUP | {"name": "Coppa d'Inverno"}, players=NAMES)
    number = service.archive.roster.event.number
    assert "already" in refused(service, lambda: ada.act("rename_event", name="Coppa d'Inverno"))
    answer = ada.act("rename_event", name="Coppa d’Inverno 2026")
    assert answer.json["told"] == "the event is called Coppa d’Inverno 2026 now"
    assert service.archive.roster.event.number == number
    toms = sent(root / "tests/host/formats/tdf/swiss.tdf")
    assert "ask" not in ada.act("read_file", file=toms).json
    assert ada.get("/api/log").json["lines"][-1]["what"] == "name of the event"
    ada.act("draw_first", seed=7)
    ada.act("publish", round=1)
    assert ada.act("rename_event", name="Winter Cup").status == 200
    ada.act("close_event", anyway=True)
    assert "what was taken home has this name" in refused(
        service, lambda: ada.act("rename_event", name="Other")
    )


def test_an_event_takes_no_name_of_another_one(service, ada):
    ada.act("begin", **CUP)
    service.archive.roster.open_event(Event(2, "Summer Cup", ORIGIN_MS))
    assert "another event in this archive" in refused(
        service, lambda: ada.act("rename_event", name="Winter Cup")
    )


def test_families_are_kept_of_who_is_entered_already_and_out_of_files(service, ada):
    """Names are pasted first; the sheet with families comes later, pasted or read as a file."""
    ada.act("begin", name="Escalation", format="xw15 50", players="1;Ada\n2;Bo\n3;Cleo\n4;Dino")
    ada.act("enter_players", players="number;name;family\n1;Ada;Rossi\n3;Cleo;Rossi")
    sheet = b"number,name,travel\n2,Bo,car\n4,Dino,car\n"
    file = {"name": "cars.csv", "content": base64.b64encode(sheet).decode()}
    shown = ada.act("read_file", file=file).json
    kinds = {one["kind"]: one["said"] for one in shown["changes"]}
    assert kinds["settings"] == ["families and travel groups: of 2 players"]
    assert ada.act("read_file", file=file, agreed=shown["digest"]).json["taken"]
    assert_families_are_apart(service, ada)
    again = nothing_changed(service, lambda: ada.act("read_file", file=file))
    assert not again.json["changed"]


def test_d03_is_offered_with_single_games_first_and_in_teams(service, ada):
    """One game is D03's default (211); P18's usual event is a best of three."""
    systems = {one["name"]: one for one in ada.get("/api/begin").json["systems"]}
    words = {name: [kind["words"] for kind in one["kinds"]] for name, one in systems.items()}
    assert words["d03"][0] == "bo1 constructed" and "bo1 limited team" in words["d03"]
    assert words["p18"][0] == "bo3 constructed" and words["xw15"] == [""]
