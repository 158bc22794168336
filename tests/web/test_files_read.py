"""A file read at the desk while it runs: what it would change is shown, then just that is taken."""

import asyncio
import base64
import json
import os
import stat

import pytest
import tomfile
from webclient import HOST, KEY, Browser

from host.archive import master_key
from host.archive.people import People
from host.desk import event_import, tom_copy
from host.desk.station import Station
from host.event import event_log
from host.formats.import_file import ImportedFile
from host.formats.round_format import parse_format
from host.tournament import event_pack, rule_packs
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

FORM = parse_format("p18 swiss bo3 constructed 50")
FIRST = [(1, 101, 102), (2, 103, 104), (5, 105)]
OPEN = [(0, 101, 104), (0, 105, 102), (5, 103)]
PLAYED = [(1, 101, 104), (2, 105, 102), (5, 103)]
ANEW = [(0, 105, 104), (0, 101, 103), (5, 102)]
THIRD = [(0, 101, 103), (0, 104, 105), (5, 102)]
tom = tomfile.event


@pytest.fixture
def station(tmp_path):
    """A desk whose event began with TOM's file: round 1 is over, round 2 a draft."""
    path = tmp_path / "cup.db"
    master_key.load_or_make(master_key.path_of(path))
    with Station(path) as station:
        file = ImportedFile("cup.tdf", raw=tom(FIRST, OPEN).encode())
        event_import.import_file(station.archive, file.event_file(FORM), 1_000_000)
        station.refresh()
        yield station


@pytest.fixture
def organiser(station):
    service = DeskService(station, Sessions(KEY, False), lambda: 60_000, boot="boot")
    return Browser(service, "organiser", name="Olga")


def given(raw, name="cup.tdf"):
    return {"name": name, "content": base64.b64encode(raw).decode()}


def shown(organiser, content, name="cup.tdf", status=200, **choices):
    raw = content.encode() if isinstance(content, str) else content
    body = {"file": given(raw, name)} | choices
    answer = organiser.act("read_file", **body)
    assert answer.status == status, answer.body
    return answer.json


def kinds(told):
    return {one["kind"]: one["said"] for one in told["changes"]}


def taken(organiser, content, name="cup.tdf", **choices):
    told = shown(organiser, content, name, **choices)
    assert not told["taken"] and told["changed"]
    again = shown(organiser, content, name, **choices, agreed=told["digest"])
    assert again["taken"] and again["changes"] == told["changes"]
    return kinds(told)


def decided(organiser, outcome, numbers):
    """Type a result from paper for table 1 of the published round 2."""
    words = {"outcome": outcome, "numbers": numbers, "reason": "slip"}
    assert organiser.act("result", table=1, round=2, **words).status == 200


def seats(station, number):
    return [
        (one.table, one.a.number, one.b and one.b.number)
        for one in station.archive.roster.pairings_of(number)
    ]


def stored(station):
    archive = station.archive
    names = archive.select(str, "SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name: archive.query(f"SELECT * FROM {name}") for name in names}


def test_the_desk_log_has_one_line_of_a_file(station, organiser):
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    mine = [one["what"] for one in event_log.lines(station.archive) if one["author"] == "Olga"]
    assert mine.count("file imported") == 1 and "file of TOM" not in mine


def test_nothing_is_kept_of_what_is_only_shown(station, organiser):
    before = stored(station)
    told = shown(organiser, tom(FIRST, PLAYED, THIRD))
    assert not told["taken"] and told["changed"] and told["round"] == 3
    assert stored(station) == before and not tom_copy.is_stored(station.archive)


def test_the_next_round_is_shown_and_then_taken(station, organiser):
    said = taken(organiser, tom(FIRST, PLAYED, THIRD))
    assert said["rounds"] == ["round 3 is new: 2 matches, 1 bye, 50 minutes"]
    assert said["results"] == ["round 2: the results of 2 tables that had none"]
    assert seats(station, 3) == [(1, "101", "103"), (2, "104", "105"), (None, "102", None)]
    assert station.hall.results(2)[1].outcome == "A"
    lines = [(one["what"], one["author"]) for one in event_log.lines(station.archive)]
    assert ("file imported", "Olga") in lines


def test_other_results_say_that_the_next_round_was_drawn_before(station, organiser):
    taken(organiser, tom(FIRST, PLAYED))
    event_pack.choose(station.archive, rule_packs.load("pokemon-swiss"), "Olga", 1)
    assert organiser.act("draft", seed=5).status == 200
    other = tom(FIRST, [(2, 101, 104), *PLAYED[1:]])
    told = shown(organiser, other)
    assert told["said"] == []
    assert shown(organiser, other, agreed=told["digest"])["said"] == [
        "round 3 is drawn by the results as they were: to have this one count there, drop that"
        " draft and draw it again"
    ]


def test_the_same_file_again_changes_nothing(station, organiser):
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    before = stored(station)
    told = shown(organiser, tom(FIRST, PLAYED, THIRD))
    assert not told["changed"] and stored(station) == before


def test_a_draft_that_was_paired_anew_is_shown_table_by_table(station, organiser):
    said = taken(organiser, tom(FIRST, ANEW))
    assert said["anew"] == [
        "round 2 is paired again, before anybody played: 3 pairings differ",
        *(
            f"table {table}: {a} – {b}"
            for table, a, b in [(1, *names(105, 104)), (2, *names(101, 103))]
        ),
        f"{names(102)[0]} has a bye",
    ]
    assert seats(station, 2) == [(1, "105", "104"), (2, "101", "103"), (None, "102", None)]


def names(*numbers):
    return [
        " ".join(tomfile.NAMES[n % len(tomfile.NAMES)]).replace("&apos;", "'").replace("&amp;", "&")
        for n in numbers
    ]


def test_a_published_round_follows_while_nobody_has_played(station, organiser):
    organiser.act("publish", round=2)
    said = taken(organiser, tom(FIRST, ANEW))
    assert said["anew"][0] == "round 2 is paired again, before anybody played: 3 pairings differ"
    assert {one[1:] for one in seats(station, 2)} == {
        ("105", "104"), ("101", "103"), ("102", None),
    }  # fmt: skip
    assert [one.a.number for one in station.archive.roster.pairings_of(2)] == ["105", "101", "102"]


def test_a_published_round_gives_the_bye_an_opponent_who_came_late(station, organiser):
    organiser.act("publish", round=2)
    late = [(0, 101, 104), (0, 105, 102), (0, 103, 106)]
    said = taken(organiser, tom(FIRST, late, people=range(101, 107)))
    assert said["people"] == [f"{names(106)[0]} (106) is new"]
    assert said["anew"][0] == "round 2 is paired again, before anybody played: 1 pairing differs"
    assert seats(station, 2)[2] == (3, "103", "106")


@pytest.mark.parametrize("begin", ["started", "played"])
def test_a_round_that_people_play_is_refused_and_stays(station, organiser, begin):
    organiser.act("publish", round=2)
    if begin == "started":
        organiser.act("start", minutes=3)
    else:
        decided(organiser, "A", (2, 0))
    before = stored(station)
    told = shown(organiser, tom(FIRST, ANEW), status=409)
    assert "the file says something else" in told["error"]
    assert stored(station) == before


def test_corrected_names_and_numbers_are_shown(station, organiser):
    text = tom(FIRST, OPEN).replace('userid="105"', 'userid="115"')
    said = taken(organiser, text)
    assert said["names"] == [f"{names(105)[0]} has the number 115 now, instead of 105"]
    assert "anew" not in said and "people" not in said
    said = taken(organiser, text.replace("Björk", "Bjork"))
    assert "Bjork Þórsdóttir now, instead of Björk Þórsdóttir" in said["names"][0]


def test_a_number_with_another_name_is_asked_about(station, organiser):
    first, last = tomfile.NAMES[101 % len(tomfile.NAMES)]
    text = tom(FIRST, PLAYED, THIRD).replace(first, "Philippa").replace(last, "Brown")
    before = stored(station)
    told = shown(organiser, text)
    assert told["ask"].startswith("Number 101 is ")
    assert told["answer"] == {"renamed": ["101"], "same_event": False}
    assert stored(station) == before
    said = taken(organiser, text, **told["answer"])
    assert "Philippa Brown" in said["names"][0]
    assert station.archive.roster.players["101"].name == "Philippa Brown"


def test_results_that_differ_are_told_apart(station, organiser):
    organiser.act("publish", round=2)
    decided(organiser, "B", (0, 2))
    said = taken(organiser, tom([(2, 101, 102), *FIRST[1:]], PLAYED, THIRD))
    (changed, new) = said["results"]
    assert changed.endswith("wins now, it said " + names(101)[0] + " wins before")
    assert new == "round 2: the result of 1 table that had none"
    (other,) = said["differs"]
    assert other.startswith("round 2, table 1, ") and "here it is " + names(104)[0] in other
    assert station.hall.results(2)[1].outcome == "B" and station.hall.results(1)[1].outcome == "B"


def test_drops_and_late_entries_are_shown(station, organiser):
    left = tomfile.DROPPED.replace("<round>1</round>", "<round>2</round>")
    third = [(0, 101, 103), (0, 104, 106), (5, 105)]
    text = tom(FIRST, PLAYED, third, people=range(101, 107), extra={102: left})
    said = taken(organiser, text)
    assert said["people"] == [f"{names(106)[0]} (106) is new", f"{names(102)[0]} (102) drops"]
    gone = [one.player.number for one in People(station.archive).every if one.dropped]
    assert gone == ["102"]


def test_what_was_shown_is_what_is_taken(station, organiser):
    text = tom(FIRST, PLAYED, THIRD)
    told = shown(organiser, text)
    organiser.act("publish", round=2)
    decided(organiser, "B", (0, 2))
    again = shown(organiser, text, agreed=told["digest"])
    assert not again["taken"] and "differs" in kinds(again) and "differs" not in kinds(told)
    assert 3 not in station.archive.roster.rounds
    assert shown(organiser, text, agreed=again["digest"])["taken"]


def test_another_file_is_not_taken_for_the_one_that_was_shown(station, organiser):
    told = shown(organiser, tom(FIRST, PLAYED, THIRD))
    other = shown(organiser, tom(FIRST, PLAYED, THIRD) + "\n", agreed=told["digest"])
    assert not other["taken"] and 3 not in station.archive.roster.rounds


def test_an_older_file_says_what_it_lacks(station, organiser):
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    said = kinds(shown(organiser, tom(FIRST, OPEN)))
    assert "cup.tdf has no result of table 1, 2 any more" in said["less"][0]
    assert "round 3 is stored here, and the file was read up to round 2" in said["less"][1]


def test_a_list_of_players_enters_who_is_not_here_yet(station, organiser):
    sheet = f"number,name\n101,{names(101)[0]}\n120,Zed Zett\n"
    said = taken(organiser, sheet, "late.csv")
    assert said["people"] == ["Zed Zett (120) is new"]
    assert "120" in station.archive.roster.players
    told = shown(organiser, "number,name\n103,Somebody Else\n121,Yan\n", "late.csv")
    assert told["ask"].startswith("Number 103 is")


def test_an_event_file_of_the_next_round_is_taken(station, organiser):
    taken(organiser, tom(FIRST, PLAYED))
    rows = f"1,101,{names(101)[0]},103,{names(103)[0]}\n"
    head = "# round: 3\n# format: p18 swiss bo3 constructed 50\n"
    sheet = head + "table,number_a,name_a,number_b,name_b\n" + rows
    said = taken(organiser, sheet, "round3.csv")
    assert said["rounds"] == ["round 3 is new: 1 match, 50 minutes"]


CRYODEX_PLAYERS = [{"name": one} for one in ("Ada", "Bo", "Cy", "Di")]


def cryodex(*rounds):
    return json.dumps({
        "name": "Cup",
        "players": CRYODEX_PLAYERS,
        "rounds": [
            {"round-type": "swiss", "round-number": number, "matches": [
                {"player1": a, "player1points": x, "player2": b, "player2points": y,
                 "result": "win" if x is not None else None}
                for a, x, b, y in matches
            ]}
            for number, matches in enumerate(rounds, 1)
        ],
    })  # fmt: skip


def test_cryodexs_next_round_is_taken(tmp_path):
    path = tmp_path / "x.db"
    master_key.load_or_make(master_key.path_of(path))
    played = [("Ada", 40, "Bo", 10), ("Cy", 30, "Di", 27)]
    file = ImportedFile("x.json", raw=cryodex(played).encode())
    with Station(path) as station:
        event_import.import_file(station.archive, file.event_file(file.proposed()), 1_000_000)
        station.refresh()
        service = DeskService(station, Sessions(KEY, False), lambda: 60_000, boot="boot")
        organiser = Browser(service, "organiser")
        following = [("Ada", None, "Cy", None), ("Bo", None, "Di", None)]
        said = taken(organiser, cryodex(played, following), "x.json")
        assert said["rounds"][0].startswith("round 2 is new: 2 matches")
        assert station.archive.roster.rounds == [1, 2]


WHOLE = tom(FIRST, PLAYED, THIRD)
ENTITIES = WHOLE.replace(
    "<tournament ", '<!DOCTYPE t [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>\n<tournament ', 1
)
BAD = {
    "half a file": (WHOLE[: len(WHOLE) // 2], "cup.tdf", "is not whole"),
    "entities": (ENTITIES, "cup.tdf", "holds a DTD or an entity"),
    "zeros": (b"\0" * 100_000, "cup.tdf", "holds a NUL"),
    "nothing": ("", "cup.tdf", "is empty"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0", "cup.png", "the ending is none of"),
    "half a sheet": ("table,number_a", "cup.csv", "is missing"),
    "no JSON": ('{"players": [', "cup.json", "is not JSON"),
    "an event of others": (
        tom([(0, 901, 902)], people=(901, 902)).replace("Coppa", "Torneo"),
        "torneo.tdf", "nobody in it plays in Coppa d'Inverno: choose the file",
    ),
    "no such pod": ("number,name\n", "list.csv", "names 0 players"),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_a_bad_file_is_refused_with_a_sentence_and_nothing_is_lost(station, organiser, what):
    content, name, words = BAD[what]
    before = stored(station)
    told = shown(organiser, content, name, status=409)
    assert words in told["error"]
    assert stored(station) == before


def test_a_player_who_moved_in_a_round_that_was_played_is_told_and_the_round_stays(
    station, organiser
):
    organiser.act("publish", round=2)
    moved = [(1, 101, 103), (2, 102, 104), (5, 105)]
    said = taken(organiser, tom(moved, PLAYED, THIRD))
    assert said["differs"] == [
        "round 1 is stored with other pairings than those of cup.tdf: its results were not read"
    ]
    assert seats(station, 1)[0] == (1, "101", "102") and seats(station, 3)


def test_a_finished_round_that_nobody_published_here_follows_the_file(station, organiser):
    moved = [(1, 101, 103), (2, 102, 104), (5, 105)]
    said = taken(organiser, tom(moved, OPEN))
    assert said["anew"][0] == "round 1 was paired otherwise: 2 pairings differ"
    assert seats(station, 1)[0] == (1, "101", "103")


def test_a_file_with_another_name_of_the_event_is_asked_about(station, organiser):
    text = tom(FIRST, PLAYED, THIRD).replace("Coppa d&apos;Inverno", "Coppa")
    told = shown(organiser, text)
    assert "Is that this event" in told["ask"]
    assert told["answer"] == {"renamed": [], "same_event": True}
    taken(organiser, text, same_event=True)
    assert [one.name for one in station.archive.roster.events] == ["Coppa d'Inverno"]


def test_a_file_beyond_the_limit_is_not_even_read(station, organiser):
    answer = organiser.act("read_file", file={"name": "cup.tdf", "content": "A" * 11_000_000})
    assert answer.status == 413
    small = organiser.act("publish", round=2, more="A" * 20_000)
    assert small.status == 413
    for one in ("cup.tdf", {}, {"name": "cup.tdf", "content": "no base 64"}, {"name": "cup.tdf"}):
        assert organiser.act("read_file", file=one).status == 400


def test_two_files_come_in_at_a_time_and_others_are_told(organiser):
    async def story():
        gone, both, answers, waiting = asyncio.Event(), asyncio.Event(), [], []

        async def receive():
            waiting.append(1)
            if len(waiting) == 2:
                both.set()
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message):
            answers.append(message)

        scopes = [
            organiser.scope("POST", "/api/acts/read_file", {
                "host": HOST, "origin": f"http://{HOST}", "content-type": "application/json",
                "x-csrf-token": organiser.csrf,
            })
            for _ in range(3)
        ]  # fmt: skip
        two = [asyncio.ensure_future(organiser.app(one, receive, send)) for one in scopes[:2]]
        await both.wait()
        await organiser.app(scopes[2], receive, send)
        assert [one["status"] for one in answers if "status" in one] == [503]
        gone.set()
        await asyncio.gather(*two, return_exceptions=True)

    asyncio.run(story())
    assert shown(organiser, WHOLE)["changed"]


def test_reading_a_file_is_the_organisers(station, organiser):
    judge = Browser(organiser.service, "head")
    assert judge.act("read_file", file=given(WHOLE.encode())).status == 403


def saved(organiser):
    answer = organiser.get("/api/export/tdf")
    return answer if answer.status == 200 else answer.json["error"]


def test_toms_file_is_saved_with_the_results_and_nothing_else_differs(station, organiser):
    assert "no file of TOM was read here" in saved(organiser)
    assert organiser.get("/api/files").json == {"tom": None}
    assert not shown(organiser, tom(FIRST, OPEN))["changed"]
    organiser.act("publish", round=2)
    decided(organiser, "B", (0, 2))
    told = organiser.get("/api/files").json["tom"]
    assert told["file"] == "cup.tdf"
    assert told["said"] == ["1 result is filled in", "1 match has no result yet"]
    answer = saved(organiser)
    assert "cup.plusthree.tdf" in answer.headers["content-disposition"]
    half = [(2, 101, 104), (0, 105, 102), (5, 103)]
    assert answer.body.decode() == tom(FIRST, half)


def test_what_tom_has_otherwise_is_named_beside_the_file(station, organiser):
    organiser.act("publish", round=2)
    decided(organiser, "B", (0, 2))
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    (_, _, other) = organiser.get("/api/files").json["tom"]["said"]
    a, b = names(101, 104)
    assert other.startswith(f"round 2, table 1, {a} – {b}: TOM has another result")


def test_toms_file_is_its_owners_alone_and_no_part_of_archive_or_export(station, organiser):
    born = b"02/27/1998"
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    path = tom_copy.path_of(station.archive)
    assert born in path.read_bytes()
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    copy = path.with_name("copy.db")
    station.archive.copy_to(copy)
    for one in (copy, station.archive.path):
        assert born not in one.read_bytes()
    for form in ("csv", "json"):
        assert born not in organiser.get(f"/api/export/{form}").body


def test_the_close_deletes_toms_file(station, organiser):
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    path = tom_copy.path_of(station.archive)
    assert path.exists() and organiser.act("close_event", anyway=True).status == 200
    assert not path.exists()
    assert "cup.tdf is not beside the archive any more: read it again" in saved(organiser)


def test_what_others_put_in_its_place_is_not_filled_in(station, organiser):
    taken(organiser, tom(FIRST, PLAYED, THIRD))
    tom_copy.path_of(station.archive).write_text(tom(FIRST, OPEN), encoding="utf-8")
    assert "read it again" in saved(organiser)
    tom_copy.path_of(station.archive).unlink()
    tom_copy.path_of(station.archive).mkdir()
    assert "read it again" in saved(organiser)


def test_only_the_organiser_saves_it(station, organiser):
    judge = Browser(organiser.service, "head")
    assert judge.get("/api/export/tdf").status == judge.get("/api/files").status == 403
