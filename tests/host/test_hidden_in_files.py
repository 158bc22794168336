"""Characters that nobody can see, in files: refused with their line, or left out and said."""

import json

import pytest
from hidden_letters import IN_A_LINE, LEFT_OUT, REFUSED
from typed_evening import TypedEvening

from host.base.errors import UserError
from host.desk import hall_plan
from host.formats import people_file, tom_file
from host.formats.csv_reader import SheetError
from host.formats.import_file import ImportedFile

ROUND = (
    "# event: Team Cup\n# format: d03 swiss bo1 constructed 50 team\n"
    "table,number_a,name_a,number_b,name_b\n1,1,Reds,2,Blues\n"
)
TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Gioco,Torino,11,Ada,12,Zoë\n"
)
SQUADS = "player,squad,faction,ship,size,pilot,upgrades,points\n1,1,Rebel,X-wing,small,Luke,R2,36\n"
PEOPLE = "number,name\n1,Ada\n2,Zoë\n"
CRYODEX = {"name": "Cup", "players": [{"name": "Ada"}], "rounds": []}


@pytest.fixture
def evening(tmp_path, capsys):
    made = TypedEvening(tmp_path, capsys)
    made.done("import", made.file("round1.csv", ROUND))
    return made


@pytest.mark.parametrize("char", REFUSED)
@pytest.mark.parametrize(
    ("command", "text", "word", "line"),
    [("import", ROUND, "Blues", 4), ("import", ROUND, "Team Cup", 1), ("import", TEAMS, "Torino", 2),
     ("import", TEAMS, "Zoë", 2), ("import", SQUADS, "Luke", 2)],
)  # fmt: skip
def test_a_list_names_line_and_character(evening, capsys, command, text, word, line, char):
    path = evening.file("list.csv", text.replace(word, f"{word[0]}{char}{word[1:]}"))
    code, out, error = evening.command(command, path)
    assert code == 2 and error.count("\n") == 1
    assert f"list.csv:{line}: holds {REFUSED[char]}, which nobody can see" in error
    assert char not in out + error


@pytest.mark.parametrize("char", LEFT_OUT)
def test_what_spreadsheets_leave_behind_is_left_out_and_said(evening, char):
    path = evening.file("teams.csv", TEAMS.replace("Torino", f"To{char}rino{char}"))
    code, out, _ = evening.command("import", path)
    assert code == 0
    assert f"left out what nobody can see: U+{ord(char):04X} (first in line 2)" in out
    evening.done("export", "json", "--out", evening.folder)
    told = json.loads((evening.folder / "everything.json").read_text("utf-8"))["teams"]
    assert told[0]["city"] == "Torino"


def test_a_space_that_does_not_break_is_a_space(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("\ufeff" + PEOPLE.replace("Ada", "Ada\xa0\u2009Rossi"), "utf-8")
    assert people_file.read(path)[0].player.name == "Ada Rossi"


def test_a_joiner_stays_where_a_script_needs_it(tmp_path):
    path, name = tmp_path / "people.csv", "علی\u200cرضا"
    path.write_text(PEOPLE.replace("Ada", name).replace("Zoë", "Zo\u200cë"), "utf-8")
    assert [one.player.name for one in people_file.read(path)] == [name, "Zoë"]


@pytest.mark.parametrize("char", IN_A_LINE)
def test_an_escape_of_json_hides_nothing(tmp_path, char):
    path = tmp_path / "t.json"
    path.write_text(json.dumps(CRYODEX | {"players": [{"name": f"A{char}da"}]}), "ascii")
    with pytest.raises(SheetError) as caught:
        ImportedFile(path)
    assert f"'Ada' is not a name: it holds {REFUSED[char]}" in str(caught.value)


@pytest.mark.parametrize("char", ("\x9b", "\u202e", "\u3164"))
def test_a_reference_of_xml_hides_nothing(tmp_path, char):
    path = tmp_path / "t.tdf"
    for said in (char, f"&#{ord(char)};"):
        path.write_text(
            f'<?xml version="1.0" encoding="UTF-8"?>\n<a>\n<b c="{said}"/></a>', "utf-8"
        )
        with pytest.raises(SheetError) as caught:
            tom_file.read(path)
        assert f"t.tdf:3: holds {REFUSED[char]}" in str(caught.value)


@pytest.mark.parametrize("char", ("\x1b", "\u202e", "\x07"))
def test_a_plan_names_line_and_character(tmp_path, char):
    path = tmp_path / "plan.txt"
    path.write_text(f"1 2\n3 {char}4\n", "utf-8")
    with pytest.raises(UserError, match="plan.txt:2: holds"):
        hall_plan.read(path)
