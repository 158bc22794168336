"""Names on boards and in lists, and characters nobody can see: refused or left out and said, never printed."""

import argparse
import json
import unicodedata

import pytest
import tree
from hypothesis import given
from hypothesis import strategies as st

from host.archive.access_links import AccessLinks
from host.archive.roster import Player
from host.archive.store import Archive
from host.base import plain_text, surnames
from host.base.errors import UserError
from host.cases import case_file
from host.collector.display_names import LIMIT, for_board, for_table
from host.desk import hall_plan
from host.desk.acts import fields
from host.formats import people_file, tom_file
from host.formats.csv_reader import SheetError
from host.formats.import_file import ImportedFile
from host.keys import passphrase
from host.sim import flow
from host.systems import catalogue, value_checks
from host.tournament import rule_packs

REFUSED = {
    "\x1b": "U+001B (a control character)",
    "\x07": "U+0007 (a control character)",
    "\x7f": "U+007F (a control character)",
    "\x9b": "U+009B (a control character)",  # CSI in one character
    "\u202e": "U+202E (right-to-left override)",
    "\u2066": "U+2066 (left-to-right isolate)",
    "\u2028": "U+2028 (line separator)",
    "\u3164": "U+3164 (hangul filler)",
    "\u2800": "U+2800 (braille pattern blank)",
    "\U000e0041": "U+E0041 (tag latin capital letter a)",
    "\ue000": "U+E000 (a private character)",
}
IN_A_LINE = sorted(set(REFUSED) - {"\u2028"})  # that one is a space there
LEFT_OUT = "\xad", "\u200b", "\u2060", "\ufeff", "\u200e", "\u200f", "\u200d"


ROUND = (
    "# event: Team Cup\n# format: d03 swiss bo1 constructed 50 team\n"
    "table,number_a,name_a,number_b,name_b\n1,1,Reds,2,Blues\n"
)


@pytest.fixture
def evening(evening):
    evening.done("import", evening.file("round1.csv", ROUND))
    return evening


@pytest.mark.parametrize("char", IN_A_LINE)
def test_a_typed_act_is_refused(evening, char):
    for act in ("enter 9 A{}nn", "result 1 A slip{}", "link judge Z{}oe"):
        said = evening.desk(act.format(char))[0]
        assert said.startswith("not done: ") and char not in said
        assert REFUSED[char] in said
    assert "letters that cannot be read" in evening.desk("enter 9 A\ufffdnn")[0]


@pytest.mark.parametrize("char", IN_A_LINE)
def test_a_form_an_option_and_a_text_of_rules_are_refused(evening, char):
    with pytest.raises(ValueError, match="which nobody can see"):
        fields.text(1, 60)(f"A{char}nn")
    for check in (value_checks.text, rule_packs._text):
        with pytest.raises(ValueError, match="which nobody can see"):
            check(f"A{char}nn", "name")
    code, _, error = evening.command("link", "judge", f"Z{char}oe")
    assert code == 2 and REFUSED[char] in error and char not in error
    with Archive(evening.archive) as archive, pytest.raises(UserError, match="nobody can see"):
        AccessLinks(archive).make("judge", f"Z{char}oe", "desk", 0)
    assert fields.text(1, 60)("A\u200bn\xadn") == "Ann"


@pytest.mark.parametrize("char", ("\x1b", "\x9b", "\u202e"))
def test_an_older_archive_prints_no_control_character(evening, char):
    with Archive(evening.archive) as archive:
        archive.roster.rename([Player("1", f"Re{char}[31mds")])
        AccessLinks(archive)._archive.write(
            "INSERT INTO links (role, name, digest, author, made_unix_ms) VALUES (?, ?, ?, ?, ?)",
            "judge", f"Z{char}oe", b"0" * 32, "desk", 0,
        )  # fmt: skip
    for words in (
        ("show results",), ("show tables",), ("link list",), ("show results", "--json"),
        ("show", "--watch", "--once"),
    ):  # fmt: skip
        _, out, error = evening.command(*words)
        assert char not in out + error and ("Re" in out or "Zoe" in out), words


def test_visible_text_has_neither():
    assert plain_text.visible("A" + "".join(REFUSED) + "".join(LEFT_OUT) + "b") == "Ab"


def refused(text, least=1, most=60):
    try:
        return not fields.text(least, most)(text)
    except ValueError:
        return True


def test_no_control_character_surrogate_or_private_one_is_taken():
    """By Unicode's own categories; a tab and the ends of lines are spaces."""
    ends = 0xF0000, 0xFFFFD, 0x100000, 0x10FFFD  # of the planes for private use
    for code in (*range(0x10000), *ends):
        char = chr(code)
        if unicodedata.category(char) in ("Cc", "Cs", "Co") and not char.isspace():
            assert refused(f"A{char}nn"), f"U+{code:04X}"


@pytest.mark.parametrize("char", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
def test_no_character_turns_the_text_after_it(char):
    assert refused(f"A{char}nn")


def test_a_line_has_as_many_characters_as_its_field_says():
    assert fields.text(2, 5)("Ab") == "Ab" and fields.text(2, 5)(" Abcde ") == "Abcde"
    assert refused("A", 2, 5) and refused("Abcdef", 2, 5) and refused(" A ", 2, 5)
    assert fields.text(0, 5)("") == "" and fields.text(1, 1)("e\u0301") == "\u00e9"


TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Gioco,Torino,11,Ada,12,Zoë\n"
)
SQUADS = "player,squad,faction,ship,size,pilot,upgrades,points\n1,1,Rebel,X-wing,small,Luke,R2,36\n"
PEOPLE = "number,name\n1,Ada\n2,Zoë\n"
CRYODEX = {"name": "Cup", "players": [{"name": "Ada"}], "rounds": []}


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


NAMES = [
    ("Zoë Martin", "Zoë M."),
    ("José Ángel Núñez", "José N."),
    ("O’Brien, Liam", "Liam O."),
    ("d'Artagnan", "d'Artagnan"),
    ("山田 太郎", "ShanTian T."),
    ("محمد الفاتح", "Mhmd L."),
    ("Łukasz Żółć", "Lukasz Z."),
    ("Ольга Кузнецова", "Ol'ga K."),
    ("Björk Þórsdóttir", "Björk Þ."),
    ("Wolfeschlegelsteinhausenbergerdorff", "Wolfeschlegelsteinh."),
    ("Wolfeschlegelsteinhausenbergerdorff Smith", "Wolfeschlegelste. S."),
    ("Cher", "Cher"),
    ("Ana Silva Neto", "Ana S."),
    ("Glenn Robinson III", "Glenn R."),
    ("de Souza Filho, Pedro", "Pedro S."),
    ("Ana Neto", "Ana N."),
    ("Neto, Ana Maria", "Ana N."),
    ("Jan van der Berg", "Jan B."),
    ("  Ann   Lee ", "Ann L."),
    ("A\u202enn\u202c Lee", "Ann L."),
    ("—", "1234"),
    ("µ ÿz", "µ ÿ."),
]


@pytest.mark.parametrize(("name", "shown"), NAMES)
def test_first_name_and_initial(name, shown):
    assert for_board(name, "1234") == shown


@given(st.text(max_size=60), st.text(alphabet="0123456789-", max_size=12))
def test_every_name_fits_the_font(name, number):
    shown = for_board(name, number)
    assert 0 < len(shown) <= LIMIT
    assert all(32 <= byte < 127 or byte >= 160 for byte in shown.encode("latin-1"))


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_both_at_a_table_fit(one, other):
    assert all(0 < len(name) <= LIMIT for name in for_table(Player("1", one), Player("2", other)))


@pytest.mark.parametrize("other", ["1", "1."])
def test_nobody_is_without_a_name_whose_number_is_the_others_name(other):
    assert for_table(Player("1", ":"), Player("2", other)) == ["1 1", "1 2"]


def test_namesakes_are_told_apart():
    pair = for_table(Player("17", "Marco Rossi"), Player("18", "Marco Russo"))
    assert pair == ["Marco Rossi", "Marco Russo"]
    names = for_table(Player("17", "Marco Rossi"), Player("18", "Marco Rossi"))
    assert names == ["Marco R. 17", "Marco R. 18"]


@pytest.mark.parametrize(("name", "listed"), [
    ("Ada Bianchi", "Bianchi, Ada"),
    ("José Ángel Núñez", "Núñez, José Ángel"),
    ("Anna De Luca", "De Luca, Anna"),
    ("Jan van der Berg", "van der Berg, Jan"),
    ("Juan de la Cruz", "de la Cruz, Juan"),
    ("Ada Maria Rossi-Lo Monaco", "Rossi-Lo Monaco, Ada Maria"),
    ("Rossi, Maria Chiara", "Rossi, Maria Chiara"),
    ("さくら 田中", "田中, さくら"),
    ("Sammy Davis Jr.", "Davis Jr., Sammy"),
    ("Ada Bianchi 2", "Bianchi 2, Ada"),
    ("Glenn Robinson III", "Robinson III, Glenn"),
    ("Ana Silva Neto", "Silva Neto, Ana"),
    ("João Costa Junior", "Costa Junior, João"),
    ("João Costa Júnior", "Costa Júnior, João"),
    ("Pedro de Souza Filho", "de Souza Filho, Pedro"),
    ("Rui da Silva Sobrinho", "da Silva Sobrinho, Rui"),
    ("Ivo Lima Bisneto", "Lima Bisneto, Ivo"),
    ("Ida Lima Neta", "Lima Neta, Ida"),
    ("Ivo Lima Segundo", "Lima Segundo, Ivo"),
    ("Juan Pérez hijo", "Pérez hijo, Juan"),
    ("Alexandre Dumas fils", "Dumas fils, Alexandre"),
    ("Ana Neto", "Neto, Ana"),  # the only surname is no suffix
    ("Junior Santos", "Santos, Junior"),
    ("Ivo Neto Junior", "Neto Junior, Ivo"),
    ("Ivo Lima Neto Jr.", "Lima Neto Jr., Ivo"),
    ("Neto, Ana Maria", "Neto, Ana Maria"),
    ("Pelé", "Pelé"),
    ("Van Dyke", "Dyke, Van"),  # the first word is a given name
    ("", ""),
])  # fmt: skip
def test_a_name_is_listed_by_its_surname(name, listed):
    assert surnames.by_surname(name) == listed


def test_order_knows_no_accents_and_no_capitals():
    names = ["Zoë Ávila", "Bo abel", "Łukasz Żółć", "Al Avila"]
    assert sorted(names, key=surnames.order) == [
        "Bo abel", "Al Avila", "Zoë Ávila", "Łukasz Żółć"
    ]  # fmt: skip


def ours(name):
    return (tree.ROOT / name).read_text(encoding="utf-8")


WRITTEN = {  # how a file that a person wrote is read, and one
    "system.toml": (
        lambda path: catalogue.load(path).NUMBER,
        ours("examples/systems/league75.toml"),
    ),
    "pack.toml": (rule_packs.load, ours("host/tournament/rulepacks/dci-2003.toml")),
    "cases.json": (case_file.load, ours("tests/cases/cut.json")),
    "table.flow": (flow.read, ours("tests/flows/call.flow")),
    "phrase": (
        lambda path: passphrase.read_given(argparse.Namespace(passphrase_file=path)),
        "perché è lunga\n",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_is_read_as_windows_saves_it(name, encoding, tmp_path):
    (read, text), path, plain = WRITTEN[name], tmp_path / name, tmp_path / "plain" / name
    plain.parent.mkdir()
    plain.write_bytes(text.encode())
    path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
    assert read(path) == read(plain)
