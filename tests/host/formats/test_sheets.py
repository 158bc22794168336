"""What spreadsheets and people do to a sheet: every cell is read, restored, or refused with its line."""

import pytest
from commands import plusthree

from host.desk import hall_plan
from host.formats import event_file, people_file, player_numbers, teams_file
from host.formats.csv_reader import SheetError
from host.formats.import_file import ImportedFile
from host.tournament import xwing_squads

SETTINGS = "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
HEADERS = {
    "event": "table,number_a,name_a,number_b,name_b\n",
    "people": "number,name\n",
    "teams": "number,name,affiliation,city,number_a,name_a,number_b,name_b\n",
    "squads": "player,squad,faction,ship,size,pilot,upgrades,points\n",
}
ROWS = {
    "event": "1,1001,Ada,1002,Cy Dee\n2,1003,Eve,1004,Gil\n",
    "people": "1001,Ada\n1002,Cy Dee\n",
    "teams": "1,Reds,,Pisa,1001,Ada,1002,Cy Dee\n2,Blues,,Bari,1003,Eve,1004,Gil\n",
    "squads": "1001,1,Rebel,X-wing,small,Luke,,36\n1002,1,Rebel,A-wing,small,Jake,,30\n",
}
KINDS = tuple(HEADERS)


@pytest.fixture
def read(tmp_path):
    """Return ``read(kind, text, encoding)``: what stands in such a file, as plain values."""

    def read(kind, text, encoding="utf-8"):
        path = tmp_path / f"{kind}.csv"
        path.write_bytes(text.encode(encoding))
        if kind == "event":
            return event_file.read(path).pairings
        if kind == "people":
            return [one.player for one in people_file.read(path)]
        if kind == "teams":
            return teams_file.read(path)
        ships, faults = xwing_squads.read(path)
        if faults:
            raise SheetError(path, *faults[0])
        return ships

    return read


def numbers(kind, found):
    """Return the players' numbers in what was read, in the file's order."""
    if kind == "event":
        return [player.number for one in found for player in (one.a, one.b)]
    if kind == "people":
        return [one.number for one in found]
    if kind == "teams":
        return [number for one in found for number in (one.a.number, one.b.number)]
    return [one.player for one in found]


def plain(kind):
    return (SETTINGS if kind == "event" else "") + HEADERS[kind] + ROWS[kind]


def refused(read, kind, text, line, *words):
    with pytest.raises(SheetError) as caught:
        read(kind, text)
    sentence = str(caught.value)
    assert f"{kind}.csv:{line}: " in sentence and "\n" not in sentence
    assert all(word in sentence for word in words), sentence


SEPARATED = {
    "as Excel writes it": ("sep=;\n", ";"),
    "in quotation marks": ('"sep=;"\r\n', ";"),
    "with empty cells behind": ("sep=;;;;\n", ";"),
    "of another program's copy": ('"sep=;",,,,\n', ","),
    "a comma": ("sep=,\n", ","),
    "a tab": ("sep=\t\n", "\t"),
    "a tab in words": ("SEP=\\t\n", "\t"),
    "a bar": ("sep=|\n", "|"),
    "after a byte order mark": ("\ufeffsep=;\n", ";"),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", SEPARATED)
def test_excels_own_first_line_is_read(read, kind, how):
    first, separator = SEPARATED[how]
    wanted = read(kind, plain(kind))
    text = first + plain(kind).replace(",", separator)
    found = read(kind, text)
    assert numbers(kind, found) == numbers(kind, wanted)
    assert numbers(kind, read(kind, text.replace("\n", "\r\n"))) == numbers(kind, wanted)


@pytest.mark.parametrize("kind", KINDS)
def test_lines_are_counted_with_excels_own_first_line(read, kind):
    text = "sep=;\n" + plain(kind).replace(",", ";")
    stray = text.rstrip("\n") + ";more\n"
    refused(read, kind, stray, len(stray.splitlines()), "'more' stands in no column", "';'")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", ["", "sep=\t\n"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_excels_unicode_text_is_read(read, kind, first, encoding):
    """It has tabs, a byte order mark and CRLF; the name has what only Unicode has."""
    text = (first + plain(kind).replace(",", "\t").replace("Ada", "Zoë 山田")).replace("\n", "\r\n")
    found = read(kind, text, encoding)
    assert numbers(kind, found) == numbers(kind, read(kind, plain(kind)))
    if kind == "people":
        assert found[0].name == "Zoë 山田"


def test_it_is_called_txt(tmp_path):
    (tmp_path / "e.txt").write_bytes(plain("event").replace(",", "\t").encode("utf-16"))
    assert len(ImportedFile(tmp_path / "e.txt").event_file().pairings) == 2


def test_half_a_character_of_utf_16_is_refused(tmp_path):
    (tmp_path / "e.csv").write_bytes(plain("event").encode("utf-16")[:-1])
    with pytest.raises(SheetError, match="is not UTF-16"):
        event_file.read(tmp_path / "e.csv")


HASHED = ["#2PP0", '"#12"', "##7", "'#12"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", HASHED)
def test_a_number_that_begins_with_a_hash_is_read(read, kind, number):
    head, rows = HEADERS[kind], ROWS[kind].replace("1001", number, 1)
    text = (SETTINGS if kind == "event" else "") + head + rows
    wanted = number.strip('"')
    assert wanted in numbers(kind, read(kind, text))


def test_a_pairing_whose_line_begins_with_a_hash_is_read(read):
    head = SETTINGS + "number_a,name_a,number_b,name_b,table\n"
    found = read("event", head + "#2PP0,Ada Bo,#9QRR,Cy Dee,1\n1003,Eve Fox,1004,Gil Hay,2\n")
    assert numbers("event", found) == ["#2PP0", "#9QRR", "1003", "1004"]
    found = read("event", head + "#2PP0,#Ada,,,\n")
    assert (found[0].a.name, found[0].b) == ("#Ada", None)


@pytest.mark.parametrize(("row", "words"), [
    ("#1,1001,Ada,1002,Cy\n", "'#1' is not a table number"),
    ("#1,,,,\n", "needs a number and a name"),
    ("# 12,Ada,1002,Cy,1\n", "as a comment does"),
    ("#,Ada,1002,Cy,1\n", "as a comment does"),
    ("# rounds: 50, 70\n", "as a comment does"),
    ("1,#N/A,Ada,1002,Cy\n", "#N/A in the column number_a is a spreadsheet's error"),
    ("1,1001,#NOME?,1002,Cy\n", "spreadsheet's error"),
    ("1,####,Ada,1002,Cy\n", "spreadsheet's error"),
    ("1,1001,Dee, Cy,1002,Bo\n", "'Bo' stands in no column"),
    ('1,1001,"Ada,1002,Cy\n2,1003,Eve",1004,Gil\n', "goes on in another line"),
])  # fmt: skip
def test_nothing_below_the_header_is_passed_over(read, row, words):
    text = SETTINGS + HEADERS["event"] + row
    refused(read, "event", text, 4 + row.count("\n") - 1, words)


@pytest.mark.parametrize("kind", KINDS)
def test_notes_may_stand_around_the_data(read, kind):
    body = plain(kind)
    head, _, rest = body.partition(HEADERS[kind])
    noted = f"\n# who plays, and where; see below\n{head}{HEADERS[kind]}# the first lot\n{rest}\n"
    noted += "#\n# end\n,,\n"
    assert numbers(kind, read(kind, noted)) == numbers(kind, read(kind, body))


@pytest.mark.parametrize(("note", "event"), [
    ('"# event: Cup; the first";;;;', "Cup; the first"),
    ('"# event: Cup, the ""first""";;;;', 'Cup, the "first"'),
    ('# event: Cup "the first";;;;', 'Cup "the first"'),
    ('# event: "Cup', '"Cup'),
])  # fmt: skip
def test_a_spreadsheet_may_have_put_a_note_in_quotation_marks(tmp_path, note, event):
    body = plain("event").replace(",", ";").replace("# event: Cup", note)
    (tmp_path / "e.csv").write_text(body, "utf-8")
    assert event_file.read(tmp_path / "e.csv").event == event


@pytest.mark.parametrize("kind", KINDS)
def test_empty_cells_behind_are_nothing(read, kind):
    body = plain(kind)
    padded = "".join(f"{line},,\n" if line else "\n" for line in body.splitlines())
    assert numbers(kind, read(kind, padded)) == numbers(kind, read(kind, body))


@pytest.mark.parametrize(("name", "cell"), [
    ("Dee, Cy", '"Dee, Cy"'),
    ("Dee, Cy", ' "Dee, Cy"'),
    ('Cy "the Fox" Dee', '"Cy ""the Fox"" Dee"'),
    ("Dee; Cy", "Dee; Cy"),
    ("=Cy", "'=Cy"),
    ("Cy Dee", '"=""Cy Dee"""'),
    ("'t Hooft", "'t Hooft"),
])  # fmt: skip
def test_names_keep_their_separators_and_quotation_marks(read, name, cell):
    found = read("people", f"number,name\n1001,Ada\n1002,{cell}\n")
    assert found[1].name == name


@pytest.mark.parametrize(("text", "line", "words"), [
    ("number,name,,\n1001,Ada,,\n1002,Dee, Cy,\n", 3, "'Cy' stands in no"),
    ("City League\nnumber,name\n1001,Ada\n", 1, "column number is missing"),
    ("number,name,family,family\n1001,Ada,x,y\n", 1, "the column family is there twice"),
    ("number,name,family,number\n1001,Ada,x,y\n", 1, "the column number is there twice"),
])  # fmt: skip
def test_columns_that_do_not_fit_are_refused(read, text, line, words):
    refused(read, "people", text, line, words)


@pytest.mark.parametrize(("text", "rows"), [
    ("1 2 # the window", [[1, 2]]),
    ("# 3 rows\n1 2", [[1, 2]]),
    ("1 2\n#\n3 4#end", [[1, 2], [], [3, 4]]),
])  # fmt: skip
def test_a_plan_of_the_hall_has_comments(text, rows):
    assert hall_plan.parse(text) == rows


@pytest.mark.parametrize("text", ["#1 #2\n#3 #4", "1 #2 3", "1, 2\n3, #4"])
def test_a_table_with_a_hash_on_a_plan_is_refused(text):
    with pytest.raises(Exception, match=r"plan, line \d: '#\d' is neither a table's number"):
        hall_plan.parse(text)


def test_an_event_is_imported_and_paired_from_such_files(here, capsys):
    (here / "e.csv").write_text("sep=;\n" + plain("event").replace(",", ";"), "utf-8")
    assert plusthree("import", "e.csv", "x.db") == 0
    assert "2 matches" in capsys.readouterr().out


CERTAIN = [
    ("1234567.0", "1234567"),
    ("1234567,00", "1234567"),
    ("1,234,567", "1234567"),
    ("1.234.567", "1234567"),
    ("1 234 567", "1234567"),
    ("1\u00a0234\u00a0567", "1234567"),
    ("1\u202f234", "1234"),
    ("1'234'567", "1234567"),
    ("１２３４", "1234"),
    ("'0012", "0012"),
    ('"=""0012"""', "0012"),
    ('="0012"', "0012"),
    ("  1234 \u00a0", "1234"),
    ("0012345", "0012345"),
    ("A-12.0", "A-12.0"),  # a text of its own
    ("1E5", "1E5"),
    ("12-AB", "12-AB"),
    ("#2PP0", "#2PP0"),
]
CHANGED = [
    ("1.23457E+06", "rounded"),
    ("1,23E+09", "rounded"),
    ("1.2e9", "rounded"),
    ("1E+06", "rounded"),
    ("12345678901234500000", "rounded"),
    ("05-gen", "date"),
    ("5-Jan", "date"),
    ("Mar-77", "date"),
    ("12-mar-26", "date"),
    ("05.01.2026", "date"),
    ("1/2/26", "date"),
    ("2026-01-02", "date"),
    ("1234.5", "sign between"),
    ("1,234", "sign between"),  # 1234, or a fraction
    ("1.000", "sign between"),
]


def people(tmp_path, *cells):
    path = tmp_path / "people.csv"
    rows = "".join(f"{cell}\tAda {at}\n" for at, cell in enumerate(cells))
    path.write_text("number\tname\n" + rows, "utf-8")
    return people_file.read(path)


@pytest.mark.parametrize(("cell", "number"), CERTAIN)
def test_what_is_certain_is_the_same_number(tmp_path, cell, number):
    assert people(tmp_path, cell, "77")[0].player.number == number


@pytest.mark.parametrize(("cell", "words"), CHANGED)
def test_what_is_not_is_refused_with_the_line(tmp_path, cell, words):
    with pytest.raises(SheetError) as caught:
        people(tmp_path, "77", cell)
    sentence = str(caught.value)
    assert "people.csv:3: " in sentence and words in sentence and "type the number" in sentence


@pytest.mark.parametrize(("one", "other"), [("0012345", "12345"), ("1234567.0", "1,234,567")])
def test_two_people_do_not_share_a_number(tmp_path, one, other):
    with pytest.raises(SheetError, match="is there already in line 2"):
        people(tmp_path, one, other)
    path = tmp_path / "e.csv"
    head = "# format: p18 swiss bo3 constructed 50\ntable\tnumber_a\tname_a\tnumber_b\tname_b\n"
    path.write_text(f"{head}1\t{one}\tAda\t{other}\tBo\n", "utf-8")
    with pytest.raises(SheetError, match=r"e.csv:3: player .* is paired already in line 3"):
        event_file.read(path)


@pytest.mark.parametrize("words", ["1.5E+09", "05-gen"])
def test_the_organisers_number_is_one_too(tmp_path, words):
    path = tmp_path / "e.csv"
    path.write_text(
        f"# organiser: {words}\n# format: p18 swiss bo3 constructed 50\n"
        "table,number_a,name_a,number_b,name_b\n1,1,Ada,2,Bo\n", "utf-8",
    )  # fmt: skip
    with pytest.raises(SheetError, match="e.csv:1: "):
        event_file.read(path)


def test_zeros_before_a_number_are_compared_without():
    assert player_numbers.bare("0012") == player_numbers.bare("12") != player_numbers.bare("A0012")
