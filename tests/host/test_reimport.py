"""A file that is imported again: TOM paired anew, corrected a number, or was saved earlier."""

import json
import re

import pytest
import tomfile

from host.archive.people import People
from host.archive.store import Archive
from host.desk import pairing_changes
from host.desk.station import Station

FORM = ("--format", "p18 swiss bo3 constructed 50")
PACK = "pokemon-swiss"
FIRST = [(1, 101, 102), (2, 103, 104), (5, 105)]
OPEN = [(0, 101, 104), (0, 105, 102), (5, 103)]
ANEW = [(0, 105, 104), (0, 101, 103), (5, 102)]
tom = tomfile.event


def corrected(text, before=105, after=115):
    """Return a file in which TOM's user has corrected a player's number."""
    return text.replace(f'userid="{before}"', f'userid="{after}"')


def taken(evening, text, *words, code=0, name="cup.tdf"):
    found, out, error = evening.command("import", evening.file(name, text), *words)
    assert found == code, out + error
    return out + error


def seats(evening, number):
    return [
        (one["table"], one["number_a"], one["number_b"])
        for one in evening.objects("show results", "--round", number)
    ]


def points(evening, number=2):
    table = evening.objects("show standings", "--pack", PACK, "--round", number)
    return {one["number"]: one["points"] for one in table["lines"]}


def test_a_draft_that_tom_paired_anew_is_replaced(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    said = taken(evening, tom(FIRST, ANEW))
    assert "round 2 was not published yet: its pairings are those of cup.tdf now" in said
    assert seats(evening, 2) == [(1, "105", "104"), (2, "101", "103"), (None, "102", None)]
    assert points(evening) == {"101": 3, "102": 3, "103": 0, "104": 3, "105": 3}


def test_other_tables_of_a_draft_are_taken(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    taken(evening, tom(FIRST, OPEN, tables=(11, 12, 0)))
    assert seats(evening, 2)[:2] == [(11, "101", "104"), (12, "105", "102")]


def test_other_tables_of_a_published_round_are_said(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    evening.typed("publish 2")
    decided = [(1, 101, 104), (2, 105, 102), (5, 103)]
    said = taken(evening, tom(FIRST, decided, tables=(2, 1, 0)))
    assert "round 2 is published: its tables stay as they are" in said
    assert seats(evening, 2)[:2] == [(1, "101", "104"), (2, "105", "102")]
    assert points(evening)["102"] == 3 and points(evening)["101"] == 6


def test_the_same_file_twice_says_so(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    said = taken(evening, tom(FIRST, OPEN))
    assert "nothing has changed since it was imported last" in said
    assert "nothing has changed" not in taken(evening, tom(FIRST, ANEW))


def test_of_a_published_round_the_refusal_can_be_walked(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    evening.typed("publish 2")
    said = taken(evening, tom(FIRST, ANEW), code=2)
    assert (
        "round 2 is published, and the file says something else" in said and "# round:" not in said
    )
    assert re.search(r"table 1: .+ and .+ here", said) and "change places as in the file" in said
    with Station(evening.archive) as station:
        for pair in (("105", "101"), ("102", "103")):
            change = pairing_changes.swap(station, 2, "", *pair)
            pairing_changes.carry_out(station, change, "Olga", 1)
    assert "published" not in taken(evening, tom(FIRST, ANEW))
    decided = [(1, 105, 104), (1, 101, 103), (5, 102)]
    assert "round 2 was read: 2 results" in taken(evening, tom(FIRST, decided))
    assert points(evening) == {"101": 6, "102": 3, "103": 0, "104": 3, "105": 6}


def test_a_round_that_has_begun_is_played_as_it_is(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    evening.typed("publish 2", "start 10")
    said = taken(evening, tom(FIRST, ANEW), code=2)
    assert "round 2 has begun, and the file says something else" in said
    assert "Pair it so in the file" in said
    assert seats(evening, 2)[0] == (1, "101", "104")
    taken(evening, tom(FIRST, OPEN))  # paired so in TOM


@pytest.mark.parametrize("acts", [(), ("publish 2",), ("publish 2", "start 10")])
def test_a_corrected_number_is_the_same_person(evening, acts):
    taken(evening, tom(FIRST, OPEN), *FORM)
    evening.typed(*acts)
    said = taken(evening, corrected(tom(FIRST, OPEN)))
    assert "Björk Þórsdóttir has the number 115 now, instead of 105" in said
    assert points(evening) == {"101": 3, "102": 0, "103": 3, "104": 3, "115": 3}
    with Archive(evening.archive) as archive:
        assert "105" not in archive.roster.players
    _, out, _ = evening.command("export", "tdf", "--tdf", evening.folder / "cup.tdf")
    assert "not paired in" not in out


def test_a_corrected_number_of_a_round_that_was_paired_anew(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    said = taken(evening, corrected(tom(FIRST, ANEW)))
    assert "has the number 115 now, instead of 105" in said
    assert points(evening) == {"101": 3, "102": 3, "103": 0, "104": 3, "115": 3}


def test_a_corrected_number_keeps_a_drop(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    evening.typed("publish 2", "drop 105 sure", "result 1 A 2 0 slip", "result 2 A 2 0 slip")
    taken(evening, corrected(tom(FIRST, OPEN)))
    with Archive(evening.archive) as archive:
        assert [one.player.number for one in People(archive).every if one.dropped] == ["115"]
    assert points(evening)["115"] == 6


def test_a_corrected_number_with_another_name_is_asked(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    text = corrected(tom(FIRST, OPEN)).replace("Björk", "Deirdre").replace("Þórs", "Finns")
    said = taken(evening, text, code=2)
    assert re.search(r"cup.tdf:\d+: number 115 is Björk Þórsdóttir in this event", said)
    taken(evening, text, "--rename", "115")
    assert points(evening)["115"] == 3


def test_players_come_and_go_between_rounds(evening):
    six = range(101, 107)
    taken(evening, tom(FIRST, OPEN), *FORM)
    left = {103: tomfile.DROPPED}
    third = [(0, 101, 104), (0, 105, 106), (5, 102)]
    taken(evening, tom(FIRST, third, people=six, extra=left))
    with Archive(evening.archive) as archive:
        assert [one.player.number for one in People(archive).every if one.dropped] == ["103"]
        assert "106" in archive.roster.players
    taken(evening, tom(FIRST, OPEN))  # 103 was taken back, 106 never came
    with Archive(evening.archive) as archive:
        assert not [one for one in People(archive).every if one.dropped]
        assert "106" not in archive.roster.players


def test_an_older_copy_says_what_it_lacks(evening):
    decided = [(1, 101, 104), (2, 105, 102), (5, 103)]
    taken(evening, tom(FIRST, decided), *FORM)
    said = taken(evening, tom(FIRST, OPEN))
    assert "round 2: cup.tdf has no result of table 1, 2 any more" in said
    said = taken(evening, tom(FIRST))
    assert "round 2 is stored here, and the file was read up to round 1" in said
    assert "no result" not in taken(evening, tom(FIRST, decided))
    assert points(evening)["101"] == 6


def test_swapped_numbers_of_a_played_round_are_refused(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    text = tom(FIRST, OPEN)
    head, tail = text.split("</players>", 1)
    head = head.replace('"101"', '"x"').replace('"102"', '"101"').replace('"x"', '"102"')
    said = taken(evening, head + "</players>" + tail, code=2)
    assert re.search(r"cup.tdf:\d+: number 10[12] is ", said) and "is number 10" in said


def test_a_draft_of_other_people_is_refused(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    others = tom([(0, 201, 202), (0, 203, 204)], people=range(201, 205))
    said = taken(evening, others, code=2)
    assert "round 1 of" in said and "stored with other people" in said


HEAD = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\ntable,number_a,name_a,number_b,name_b\n"
)


def test_a_sheet_of_ours_is_put_right_before_it_is_published(evening):
    taken(evening, HEAD + "1,1,Ada,2,Bo\n2,3,Cy,40,Di\n", name="r.csv")
    said = taken(evening, HEAD + "1,1,Ada,3,Cy\n2,2,Bo,4,Di\n", name="r.csv")
    assert "round 1 was not published yet" in said and "two people" not in said
    assert seats(evening, 1) == [(1, "1", "3"), (2, "2", "4")]
    with Archive(evening.archive) as archive:
        assert sorted(archive.roster.players) == ["1", "2", "3", "4"]


def test_a_sheet_does_not_replace_results_of_another_file(evening):
    taken(evening, tom(FIRST), *FORM)
    text = HEAD.replace("Cup", "Coppa d'Inverno") + "1,101,Siobhán O'Connor,103,Nguyễn Thị Khai\n"
    said = taken(evening, text, code=2, name="r.csv")
    assert "round 1 has results from cup.tdf" in said
    assert points(evening, 1)["101"] == 3


CRYODEX = {
    "name": "Escalation",
    "players": [{"name": name} for name in ("Ada", "Bo", "Cy", "Di")],
    "rounds": [
        {"round-type": "swiss", "round-number": 1, "matches": [
            {"player1": "Ada", "player1points": 40, "player2": "Bo", "player2points": 10,
             "result": "win"},
            {"player1": "Cy", "player1points": 30, "player2": "Di", "player2points": 27,
             "result": "win"}]},
    ],
}  # fmt: skip
SECOND = {"round-type": "swiss", "round-number": 2, "matches": [
    {"player1": "Ada", "player2": "Cy"}, {"player1": "Bo", "player2": "Di"}]}  # fmt: skip


def cryodex(evening, names, *rounds, code=0):
    told = CRYODEX | {"players": [{"name": one} for one in names], "rounds": list(rounds)}
    return taken(evening, json.dumps(told), code=code, name="e.json")


def test_cryodexs_players_keep_their_numbers_in_another_order(evening):
    first = CRYODEX["rounds"][0]
    cryodex(evening, ["Ada", "Bo", "Cy", "Di"], first)
    evening.typed("publish 1")
    said = cryodex(evening, ["Eve", "Di", "Ada", "Cy", "Bo"], first, SECOND)
    assert "other pairings" not in said and "here it is" not in said
    assert seats(evening, 2) == [(1, "1", "3"), (2, "2", "4")]
    third = {"round-type": "swiss", "round-number": 2, "matches": [
        {"player1": "Ada", "player2": "Cy"}, {"player1": "Eve", "player2": "Di"}]}  # fmt: skip
    cryodex(evening, ["Eve", "Di", "Ada", "Cy", "Bo"], first, third)
    assert seats(evening, 2) == [(1, "1", "3"), (2, "5", "4")]


def test_a_name_corrected_in_cryodex_is_asked(evening):
    first = CRYODEX["rounds"][0]
    cryodex(evening, ["Ada", "Bo", "Cy", "Di"], first)
    evening.typed("publish 1")
    renamed = json.loads(json.dumps([first, SECOND]).replace('"Bo"', '"Bob"'))
    said = cryodex(evening, ["Ada", "Bob", "Cy", "Di"], *renamed, code=2)
    assert "number 2 is Bo in this event, and Bob has it here" in said and "--rename 2" in said


@pytest.mark.parametrize("name", ["cup.tdf", "r.csv"])
def test_another_length_of_a_published_round_says_what_to_write(evening, name):
    sheet = HEAD + "1,1,Ada,2,Bo\n2,3,Cy,4,Di\n"
    text, words = (sheet, ()) if name == "r.csv" else (tom(FIRST, OPEN), FORM)
    taken(evening, text, *words, name=name)
    evening.typed("publish 1" if name == "r.csv" else "publish 2")
    if name == "r.csv":
        said = taken(evening, text.replace("constructed 50", "constructed 40"), code=2, name=name)
        again = re.search(r"write (# format: .*) in it", said)[1]
        taken(evening, text.replace("# format: p18 swiss bo3 constructed 50", again), name=name)
    else:
        other = text.replace("<roundtime>50", "<roundtime>40")
        said = taken(evening, other, code=2)
        taken(evening, other, "--format", re.search(r'--format "(.*)"', said)[1])


def test_a_length_that_the_desk_changed_stays_when_a_draft_is_replaced(evening):
    taken(evening, tom(FIRST, OPEN), *FORM)
    evening.typed("publish 1", "length 2 60 the hall opens late")
    taken(evening, tom(FIRST, ANEW))
    assert seats(evening, 2)[0] == (1, "105", "104")
    with Archive(evening.archive) as archive:
        assert archive.roster.format_of(2).minutes == 60
