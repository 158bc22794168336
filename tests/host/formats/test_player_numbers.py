"""Players' numbers as spreadsheets change them: restored where it is certain, otherwise refused."""

import pytest

from host.formats import event_file, people_file, player_numbers
from host.formats.csv_reader import SheetError

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
