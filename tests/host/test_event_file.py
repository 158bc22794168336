"""Event files, lists of people, pasted players: what may be written, read again, or refused with a sentence."""

import csv
import io

import pytest
from commands import plusthree
from hypothesis import given
from hypothesis import strategies as st

from host.archive.roster import Format, Pairing, Player
from host.base.errors import UserError
from host.formats import event_file, people_file
from host.formats.csv_reader import SheetError
from host.formats.event_file import EventFile, EventFileError
from host.formats.pasted_players import read
from host.formats.round_format import EXAMPLE, parse_format, words_of

HEAD = "# event: Cup\n# round: 2\n# format: p18 swiss bo3 constructed 50\n"
COLUMNS = "table,number_a,name_a,number_b,name_b\n"


@pytest.fixture
def read_text(tmp_path):
    def read_text(text, encoding="utf-8"):
        path = tmp_path / "e.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return event_file.read(path)

    return read_text


def test_pairings_and_byes(read_text):
    file = read_text(HEAD + COLUMNS + "3,10,Zoë Martin,11,山田 太郎\n,12,محمد علي,,\n")
    assert (file.event, file.round, file.format) == ("Cup", 2, Format(0, 6, 50))
    assert file.pairings == [
        Pairing(2, 1, 3, Player("10", "Zoë Martin"), Player("11", "山田 太郎")),
        Pairing(2, 2, None, Player("12", "محمد علي"), None),
    ]


@pytest.mark.parametrize("line", [
    "# judges: Ugo  Blu, 1007 1008",
    '"# judges: Ugo Blu, 1007, 1008",,,,',
    "# judges: Ugo Blu, 1007, 1008,,,",
    "# judges: Ugo Blu; 1007; 1008",
])  # fmt: skip
def test_judges_are_names_and_numbers(read_text, line):
    assert read_text(f"{HEAD}{line}\n{COLUMNS}{ROW}").staff.judges == ("Ugo Blu", "1007", "1008")


def test_what_spreadsheets_do_to_a_file_is_fine(read_text):
    plain = read_text(HEAD + COLUMNS + '3,10,"O\'Brien, Liam",11,Bo\n')
    padded = read_text(
        "\ufeff# event: Cup,,,,\r\n# round: 2,,,,\r\n# format: p18 swiss bo3 constructed"
        " 50,,,,\r\n\r\nNumber_A,Name_A,TABLE,name_b,number_b,club\r\n10,\"O'Brien,"
        ' Liam",3,Bo,11,x\r\n,,,,,\r\n'
    )
    assert plain.pairings == padded.pairings and plain.event == padded.event


def test_tables_that_became_figures_beside_a_bye_are_read(read_text):
    found = read_text(HEAD + COLUMNS + "1.0,10,Ann,11,Bo\n2.0,12,Cy,13,Di\n,14,Eve,,\n")
    assert [pairing.table for pairing in found.pairings] == [1, 2, None]


ROW = "1,10,Ann,11,Bo\n"
ENDLESS = "9" * 5000  # more digits than Python turns into a number
WRONG = [
    (HEAD + "table,number_a,name_a,name_b\n", 4, "column number_b is missing"),
    (HEAD + COLUMNS + ROW + "2,12,Cy,10,Ann\n", 6, "player 10 (Ann) is paired already in line 5"),
    (HEAD + COLUMNS + "1,10,Ann,10,Ann\n", 5, "paired already in line 5"),
    (HEAD + COLUMNS + ROW + "1,12,Cy,13,Di\n", 6, "table 1 is given already in line 5"),
    (HEAD + COLUMNS + "x,12,Cy,13,Di\n", 5, "'x' is not a table number"),
    (HEAD + COLUMNS + "70000,12,Cy,13,Di\n", 5, "is not a table number"),
    (HEAD + COLUMNS + ",12,Cy,13,Di\n", 5, "'' is not a table number"),
    (HEAD + COLUMNS + "1,12,,13,Di\n", 5, "needs a number and a name"),
    (HEAD + COLUMNS + "1,12,Cy,13,\n", 5, "needs a number and a name"),
    (HEAD + COLUMNS + "1,12,Cy" + "y" * 300 + ",13,Di\n", 5, "longer than 200"),
    (HEAD + COLUMNS + "1,12,C\x07y,13,Di\n", 5, "control character"),
    (HEAD + COLUMNS + '1,12,"Cy,13,Di\n', 5, "this is not CSV"),
    (HEAD + 'table,"number_a"x,name_a\n', 4, "this is not CSV"),
    (HEAD + COLUMNS, 4, "has no pairings"),
    (HEAD, 3, "has no header line"),
    ("", None, "has no header line"),
    (COLUMNS + ROW, 1, "has no format line"),
    ("# format: chess bo3 50\n" + COLUMNS + ROW, 1, "the format begins with one of"),
    ("# format: p18 bo7 50\n" + COLUMNS + ROW, 1, "'bo7' does not fit"),
    ("# format: p18 bo3 swiss\n" + COLUMNS + ROW, 1, "needs its minutes"),
    (HEAD + "# round: 3\n" + COLUMNS + ROW, 4, "a second time what the round is"),
    ("# round: 0\n" + COLUMNS + ROW, 1, "is not a round"),
    ("# event:\n" + COLUMNS + ROW, 1, "does not say what the event is"),
    (HEAD + '"# judges: ,"\n' + COLUMNS + ROW, 4, "are no judges, such as"),
    (HEAD + "# judges: Ugo Blu, blu ugo\n" + COLUMNS + ROW, 4, "names the judge blu ugo twice"),
    (HEAD + "# judges: 1.5\n" + COLUMNS + ROW, 4, "1.5 is not the number that was typed"),
    (HEAD + "# judges: " + "y" * 201 + "\n" + COLUMNS + ROW, 4, "longer than 200"),
    (HEAD.encode() + COLUMNS.encode() + b"1,10,A\0nn,11,Bo\n", 5, "holds a NUL"),
    ((HEAD + COLUMNS + ROW).encode("utf-16-le"), 1, "holds a NUL"),
    ((HEAD + COLUMNS + "1,10,Zoë,11,Bo\n").encode("latin-1"), 5, "is not UTF-8"),
    (HEAD + COLUMNS + "".join(f"{n},{2 * n},A,{2 * n + 1},B\n" for n in range(1, 5002)), 5005, "more than 5000"),
    (f"# round: {ENDLESS}\n" + COLUMNS + ROW, 1, "is not a round"),
    (HEAD + f"# rounds: 50 {ENDLESS}\n" + COLUMNS + ROW, 4, "are no rounds' minutes"),
    (HEAD + f"# points: win {ENDLESS}\n" + COLUMNS + ROW, 4, "are no points"),
    (HEAD + COLUMNS + f"{ENDLESS},10,Ann,11,Bo\n", 5, "is not a table number"),
    (f"# format: p18 bo3 {ENDLESS}\n" + COLUMNS + ROW, 1, "does not fit into the format"),
    (f"# format: p18 bo3 50 +{ENDLESS}\n" + COLUMNS + ROW, 1, "is no overtime"),
    (f"# format: p18 bo3 50 +3/{ENDLESS}\n" + COLUMNS + ROW, 1, "is no overtime"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "words"), WRONG, ids=[row[2][:30] for row in WRONG])
def test_a_mistake_is_one_sentence_with_file_and_line(read_text, text, line, words):
    with pytest.raises(EventFileError) as caught:
        read_text(text)
    sentence = str(caught.value)
    assert words in sentence and "\n" not in sentence
    assert sentence.split(": ")[0].endswith(f"e.csv:{line}" if line else "e.csv")


def test_five_thousand_pairings_are_read(read_text):
    rows = "".join(f"{n},{2 * n},A,{2 * n + 1},B\n" for n in range(1, 5001))
    assert len(read_text(HEAD + COLUMNS + rows).pairings) == 5000


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(EventFileError, match="cannot be read"):
        event_file.read(tmp_path / "none.csv")


@pytest.mark.parametrize("words", [
    EXAMPLE,
    "p18 elimination bo1 limited 20",
    "d03 swiss bo1 constructed 30",
    "xw15 swiss bo1 constructed 50",
])  # fmt: skip
def test_formats_say_what_they_were_told(words):
    assert words_of(parse_format(words)) == words


def test_a_short_format_takes_what_is_usual():
    assert words_of(parse_format("p18 30")) == "p18 swiss bo1 constructed 30"


READ = (
    ("Ada Neri\nUgo Blu\n", [("", "Ada Neri"), ("", "Ugo Blu")]),
    ("1. Ada Neri\n2) Ugo Blu", [("1", "Ada Neri"), ("2", "Ugo Blu")]),
    ("Ada Neri 0012\nUgo Blu (13)", [("0012", "Ada Neri"), ("13", "Ugo Blu")]),
    ("Neri, Ada\nBlu, Ugo", [("", "Ada Neri"), ("", "Ugo Blu")]),
    ("12 Neri, Ada\n13 Blu, Ugo", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("12,Ada Neri\n13,Ugo Blu", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("Ada Neri\t12\n\nUgo Blu\t13\n", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("12;Ada;Neri\n13;Ugo;", [("12", "Ada Neri"), ("13", "Ugo")]),
    ("12\tAda\tNeri\t\t\n13\tUgo\tBlu\t\t", [("12", "Ada Neri"), ("13", "Ugo Blu")]),
    ("Player ID,Last Name,First Name\n12,Neri,Ada\n,Blu,Ugo", [("12", "Ada Neri"), ("", "Ugo Blu")]),
    ("Cognome;Nome;N.\nNeri;Ada;12", [("12", "Ada Neri")]),
    ("Nome\tTessera\nAda Neri\t12", [("12", "Ada Neri")]),
    ('number,name\n12,"Neri, Ada"', [("12", "Neri, Ada")]),
    ("12.0\tAda Neri", [("12", "Ada Neri")]),
    ("\ufeffAda\u200b Neri", [("", "Ada Neri")]),
    ("sep=;\nnumber;name\n12;Ada Neri", [("12", "Ada Neri")]),
    ('\ufeff"sep=,"\r\n12,Ada Neri\r\n', [("12", "Ada Neri")]),
    ("# of January\n\n# paid, all\nnumber;name\n12;Ada Neri", [("12", "Ada Neri")]),
    ("#12 Ada Neri\n#13 Ugo Blu", [("#12", "Ada Neri"), ("#13", "Ugo Blu")]),
    ("#12 Ada Neri\nUgo Blu (#13)", [("#12", "Ada Neri"), ("#13", "Ugo Blu")]),
)  # fmt: skip


@pytest.mark.parametrize(("text", "people"), READ)
def test_a_list_is_read_as_its_people_mean_it(text, people):
    found = read(text).people
    assert [(one.player.number, one.player.name) for one in found] == people


def test_a_header_also_names_families_and_what_is_left_out():
    found = read("Number;Name;Birth date;Family\n12;Ada Neri;2001-03-01;Neri")
    assert found.people[0].parties == {"family Neri"}
    assert found.left_out == ("Birth date",)


REFUSED = (
    ("", "no player"),
    ("number,name\n", "no player"),
    ("12;Ada;Neri;ada@mail.it\n13;Ugo;Blu;ugo@mail.it", "which of the 4 columns is the name"),
    ("12\t2001\n13\t1999", "which of the 2 columns"),
    ("12;Ada Neri\n13;", "line 2: a player has no name"),
    ("sep=;\n# of January\nnumber;name\n12;", "line 4: a player has no name"),
    ("12;Ada Neri\n012;Ugo Blu", "line 2: number 012 stands in line 1 already"),
    ("12;Ada Neri\n1,5E+07;Ugo Blu", "line 2: 1,5E+07 is not the number that was typed"),
    ("number,name\n12,Ada Neri,left", "line 2: 'left' stands in no column"),
    ("name,name\nAda,Neri", "two columns are called name"),
    ("Ada\nU\u202ego", "line 2: holds U+202E"),
    ('12,"Ada\n13,Ugo', "line 1"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "why"), REFUSED)
def test_an_odd_list_is_refused_whole(text, why):
    with pytest.raises(UserError) as refusal:
        read(text)
    assert why in str(refusal.value)


def test_several_faults_are_told_at_once_and_no_more_than_five():
    with pytest.raises(UserError) as refusal:
        read("\n".join(f"{n};" for n in range(1, 9)) + "\n9;Ada")
    assert "8 lines need a look" in str(refusal.value) and str(refusal.value).count("line ") == 5


NAMES = st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20)
FORMULAS = st.sampled_from(["=1+1", "+1", "-2+3", "@SUM(A1)", "'=x", "'", "＝1", '"', ",", ";"])


@given(st.lists(st.one_of(NAMES, FORMULAS), min_size=1, max_size=9), st.one_of(st.none(), NAMES))
def test_names_come_back(tmp_path_factory, names, event):
    players = [Player(str(n), name) for n, name in enumerate(names)]
    pairs = list(zip(players[::2], players[1::2], strict=False))
    pairings = [Pairing(2, n, n, a, b) for n, (a, b) in enumerate(pairs, 1)]
    if len(players) % 2:
        pairings.append(Pairing(2, len(pairings) + 1, None, players[-1], None))
    event = None if event is None or event.startswith("#") else event
    file = EventFile(event, 2, Format(0, 6, 50), pairings)
    text = event_file.text_of(file)
    path = tmp_path_factory.getbasetemp() / "draft.csv"
    path.write_text("\ufeff" + text, encoding="utf-8", newline="")
    assert event_file.read(path) == file
    for row in csv.reader(io.StringIO(text)):
        assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) for cell in row)


GOOD = "number,name,family,travel\n1,Zoë,Rossi,\n2,'=Bo,Rossi,car 1\n3,Cy,,car 1\n4,Di,,\n5,Eve,,\n"


def put(here, text):
    (here / "people.csv").write_text(text, encoding="utf-8")
    return here / "people.csv"


def test_people_and_their_parties(here):
    people = people_file.read(put(here, GOOD))
    assert [one.player.name for one in people] == ["Zoë", "=Bo", "Cy", "Di", "Eve"]
    assert people[1].parties == {"family Rossi", "travel car 1"} and not people[3].parties


@pytest.mark.parametrize(("text", "words"), [
    ("", "has no header line: number,name"),
    ("number\n1\n", "column name is missing"),
    ("number,name\n1,A\n", "names one player"),
    ("number,name\n1,A\n,B\n", "people.csv:3: every player needs"),
    ("number,name\n1,A\n1,B\n", "is there already in line 2"),
    ("number,name\n1,A\n2,B\x07\n", "control character"),
    (f"number,name\n1,A\n{'2' * 40},B\n", "far too long"),
])  # fmt: skip
def test_a_mistake_is_one_sentence(here, text, words):
    with pytest.raises(SheetError) as caught:
        people_file.read(put(here, text))
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("seed", range(8))
def test_round_1_of_xwing_parts_families_and_cars(here, seed, capsys):
    put(here, GOOD)
    words = "pair one.csv --players people.csv --event Torneo --seed"
    assert plusthree(*words.split(), seed, "--format", "xw15 50") == 0
    file = event_file.read(here / "one.csv")
    assert (file.event, file.round, len(file.pairings)) == ("Torneo", 1, 3)
    assert file.pairings[-1].b is None
    pairs = {frozenset((one.a.number, one.b.number)) for one in file.pairings if one.b}
    assert not pairs & {frozenset("12"), frozenset("23")}


@pytest.mark.parametrize(("more", "words"), [
    ([], "needs what is played"),
    (["--format", "chess"], "begins with one of"),
    (["--format", "p18 30"], "choose a rule pack"),
    (["--format", "xw15 50", "--minutes", "0"], "must be from 1"),
])  # fmt: skip
def test_what_round_1_cannot_do_without(here, more, words, capsys):
    put(here, GOOD)
    assert plusthree("pair", "one.csv", "--players", "people.csv", *more) == 2
    assert words in capsys.readouterr().err and not (here / "one.csv").exists()
