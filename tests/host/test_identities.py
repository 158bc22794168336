"""A number is one person for the whole event: no file and no form renames who played before."""

import json
import re

import pytest
from typed_evening import TypedEvening

FORM = "p18 swiss bo3 constructed 50"
HEAD = "table,number_a,name_a,number_b,name_b\n"
FIRST = "1,1,Ada Bo,2,Cy Dee\n2,3,Eve Fox,4,Gil Hay\n"
PLAYED = ["result 1 A 2 0 slip", "result 2 B 1 2 slip"]
PACK = "pokemon-swiss"


def sheet(number, rows):
    return f"# event: Cup\n# round: {number}\n# format: {FORM}\n{HEAD}{rows}"


@pytest.fixture
def evening(evening):
    evening.done("import", evening.file("r1.csv", sheet(1, FIRST)))
    evening.typed("publish 1", *PLAYED)
    return evening


def imported(evening, rows, *words, number=2):
    """Import a round's sheet; return exit code and all that was printed."""
    code, out, error = evening.command(
        "import", evening.file(f"r{number}.csv", sheet(number, rows)), *words
    )
    return code, out + error


def names(evening, number=1):
    found = {}
    for line in evening.objects("show results", "--round", number):
        found |= {line["number_a"]: line["name_a"], line["number_b"]: line["name_b"]}
    return found


FOUR = {"1": "Ada Bo", "2": "Cy Dee", "3": "Eve Fox", "4": "Gil Hay"}
OTHERS = {
    "a column sorted": ("1,3,Ada Bo,4,Gil Hay\n2,1,Eve Fox,2,Cy Dee\n", 5, "3", "Eve Fox", "is number 1"),
    "two exchanged": ("1,1,Cy Dee,3,Eve Fox\n2,2,Ada Bo,4,Gil Hay\n", 5, "1", "Ada Bo", "is number 2"),
    "all shifted": ("1,2,Ada Bo,3,Cy Dee\n2,4,Eve Fox,5,Gil Hay\n", 5, "2", "Cy Dee", "is number 1"),
    "somebody new": ("1,1,Ada Bo,3,Eve Fox\n2,2,Zoë Ray,4,Gil Hay\n", 6, "2", "Cy Dee", "give Zoë Ray another number"),
}  # fmt: skip


@pytest.mark.parametrize("what", OTHERS)
def test_a_number_with_another_name_is_refused(evening, what):
    rows, line, number, before, words = OTHERS[what]
    code, said = imported(evening, rows)
    assert code == 2 and f"r2.csv:{line}: number {number} is {before} in this event" in said
    assert words in said and f"--rename {number}" in said
    assert names(evening) == FOUR and evening.command("show results", "--round", "2")[0] == 2


def test_what_the_refusal_says_to_type_is_taken_word_for_word(evening):
    rows = "1,1,Ada Bo,3,Eve Fox\n2,2,Cyd Deeds,4,Gil Hay\n"
    _, said = imported(evening, rows)
    words = re.search(r"corrected, add (--rename \S+) to \S*plusthree import$", said.strip())[1]
    code, out = imported(evening, rows, *words.split())
    assert code == 0 and "player 2 is Cyd Deeds now, instead of Cy Dee" in out
    assert names(evening)["2"] == "Cyd Deeds"
    log = evening.objects("export", "json", "--out", evening.folder)
    whole = json.loads((evening.folder / log["files"][0]).read_text(encoding="utf-8"))
    renamed = [json.loads(one["value"]) for one in whole["notices"] if one["what"] == "renamed"]
    assert renamed == [{"number": "2", "before": "Cy Dee", "after": "Cyd Deeds"}]


@pytest.mark.parametrize("name", ["cy dee", "Dee Cy", '"Dee, Cy"', "Cý Dée"])
def test_another_spelling_is_taken_and_said(evening, name):
    rows = f"1,1,Ada Bo,3,Eve Fox\n2,2,{name},4,Gil Hay\n"
    code, said = imported(evening, rows)
    name = name.strip('"')
    assert code == 0 and f"player 2 is {name} now, instead of Cy Dee" in said
    assert names(evening)["2"] == name


def test_before_anything_is_published_a_name_is_put_right_and_said(tmp_path, capsys):
    evening = TypedEvening(tmp_path, capsys)
    evening.done("import", evening.file("r1.csv", sheet(1, FIRST)))
    code, said = imported(evening, FIRST.replace("Cy Dee", "Zoë Ray"), number=1)
    assert code == 0 and "player 2 is Zoë Ray now, instead of Cy Dee" in said


def test_a_new_number_with_a_known_name_is_said(evening):
    rows = "1,77,Ada Bo,3,Eve Fox\n2,2,Cy Dee,4,Gil Hay\n"
    code, said = imported(evening, rows)
    assert code == 0 and "Ada Bo is number 1 and number 77: are these two people" in said
    assert names(evening) == FOUR


@pytest.mark.parametrize(
    ("cell", "number"), [("0001", "1"), ("1.0", "1"), ("'1", "1"), ('"=""1"""', "1"), ("１", "1")]
)
def test_a_number_that_a_spreadsheet_changed_is_the_same_person(evening, cell, number):
    code, said = imported(evening, f"1,{cell},Ada Bo,3,Eve Fox\n2,2,Cy Dee,4,Gil Hay\n")
    assert code == 0 and "Ada Bo" not in said
    assert names(evening, 2)[number] == "Ada Bo"


def test_zeros_that_are_lost_name_nobody_else(tmp_path, capsys):
    evening = TypedEvening(tmp_path, capsys)
    first = FIRST.replace("1,1,", "1,0012345,")
    evening.done("import", evening.file("r1.csv", sheet(1, first)))
    evening.typed("publish 1", *PLAYED)
    good = "1,12345,Ada Bo,3,Eve Fox\n2,2,Cy Dee,4,Gil Hay\n"
    code, said = imported(evening, good.replace("Ada Bo", "Zoë Ray"))
    assert code == 2 and "r2.csv:5: number 0012345 is Ada Bo in this event" in said
    assert imported(evening, good)[0] == 0
    assert names(evening, 2)["0012345"] == names(evening, 1)["0012345"] == "Ada Bo"


@pytest.mark.parametrize("late", ["2=Somebody Else", "0002=Somebody Else"])
def test_who_comes_in_late_has_a_number_of_their_own(evening, late):
    words = ["--pack", PACK, "--seed", 1, "--drop", "2", "--late", late]
    code, _, said = evening.command("pair", evening.folder / "late.csv", *words)
    assert code == 2 and "number 2 is taken by Cy Dee: give Somebody Else another" in said
    assert not (evening.folder / "late.csv").exists() and names(evening) == FOUR


@pytest.mark.parametrize("words", ["enter 2 Somebody Else", "enter 02 Somebody Else"])
def test_at_the_desk_too(evening, words):
    (said,) = evening.desk(words)
    assert "number 2 is taken by Cy Dee" in said and names(evening) == FOUR


def test_at_the_desk_a_namesake_is_said(evening):
    told = evening.typed("enter Bo, Ada")
    assert any("Ada Bo is number 1 and number 5: are these two people" in one for one in told)


TEAM_HEAD = "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
TEAMS = "1,Ada Bo,,Pisa,11,Ann,12,Ben\n2,Cy Dee,,Bari,21,Uma,22,Vic\n"


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [("1,Ada Bo", "1,Reds", "1"), ("11,Ann", "11,Zoë", "11"), ("11,Ann,12,Ben", "12,Ben,11,Ann", None),
     ("21,Uma,22,Vic", "21,Vic,22,Uma", "21")],
)  # fmt: skip
def test_neither_a_team_nor_a_member_is_renamed(evening, before, after, number):
    evening.done("import", evening.file("teams.csv", TEAM_HEAD + TEAMS))
    evening.typed("start 10")
    path = evening.file("teams.csv", TEAM_HEAD + TEAMS.replace(before, after))
    code, _, said = evening.command("import", path)
    assert code == 2 and (number is None or f"number {number} is " in said)
    if number and "Vic" not in before:
        assert evening.command("import", path, "--rename", number)[0] == 0


def test_a_squad_list_finds_its_player_without_the_zeros(tmp_path, capsys):
    evening = TypedEvening(tmp_path, capsys)
    text = sheet(1, FIRST.replace("1,1,", "1,0012345,")).replace(FORM, "xw15 50")
    evening.done("import", evening.file("r1.csv", text))
    row = "{},{},Rebel,{},small,{},,30\n"
    ships = [("X-wing", "Luke"), ("A-wing", "Jake")]
    rows = "".join(
        row.format(number, squad, ship, pilot)
        for number in ("12345", "99")
        for squad in (1, 2, 3, 4)
        for ship, pilot in ships
    )
    head = "player,squad,faction,ship,size,pilot,upgrades,points\n"
    said = evening.done("import", evening.file("squads.csv", head + rows))
    assert "player 0012345 has no squad list" not in said and "player 2 has no squad list" in said
    assert "player 99 has a list, and is not in the event" in said
