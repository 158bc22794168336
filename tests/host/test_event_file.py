"""Event files: what an organiser may write, and one sentence for everything else."""

import pytest

from host.archive.roster import Format, Pairing, Player
from host.formats import event_file
from host.formats.event_file import EventFileError
from host.formats.round_format import EXAMPLE, parse_format, words_of

HEAD = "# event: Cup\n# round: 2\n# format: p18 swiss bo3 constructed 50\n"
COLUMNS = "table,number_a,name_a,number_b,name_b\n"


@pytest.fixture
def read(tmp_path):
    def read(text, encoding="utf-8"):
        path = tmp_path / "e.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
        return event_file.read(path)

    return read


def test_pairings_and_byes(read):
    file = read(HEAD + COLUMNS + "3,10,Zoë Martin,11,山田 太郎\n,12,محمد علي,,\n")
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
def test_judges_are_names_and_numbers(read, line):
    assert read(f"{HEAD}{line}\n{COLUMNS}{ROW}").staff.judges == ("Ugo Blu", "1007", "1008")


def test_what_spreadsheets_do_to_a_file_is_fine(read):
    plain = read(HEAD + COLUMNS + '3,10,"O\'Brien, Liam",11,Bo\n')
    padded = read(
        "\ufeff# event: Cup,,,,\r\n# round: 2,,,,\r\n# format: p18 swiss bo3 constructed"
        " 50,,,,\r\n\r\nNumber_A,Name_A,TABLE,name_b,number_b,club\r\n10,\"O'Brien,"
        ' Liam",3,Bo,11,x\r\n,,,,,\r\n'
    )
    assert plain.pairings == padded.pairings and plain.event == padded.event


ROW = "1,10,Ann,11,Bo\n"
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
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "words"), WRONG, ids=[row[2][:30] for row in WRONG])
def test_a_mistake_is_one_sentence_with_file_and_line(read, text, line, words):
    with pytest.raises(EventFileError) as caught:
        read(text)
    sentence = str(caught.value)
    assert words in sentence and "\n" not in sentence
    assert sentence.split(": ")[0].endswith(f"e.csv:{line}" if line else "e.csv")


def test_five_thousand_pairings_are_read(read):
    rows = "".join(f"{n},{2 * n},A,{2 * n + 1},B\n" for n in range(1, 5001))
    assert len(read(HEAD + COLUMNS + rows).pairings) == 5000


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
