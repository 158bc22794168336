"""How tables stand in the hall: plans that are read, and each that is refused."""

import pytest
from commands import plusthree

from host.base.errors import UserError
from host.desk import hall_plan

GOOD = """\
# the stage is up here

1 2 3 . 4
5;6;7;.;8      # a spreadsheet's row

. 9\t10
"""
WRONG = [
    ("1 2\n3 1", "plan, line 2: table 1 stands in line 1 already"),
    ("1 1", "plan, line 1: table 1 stands in line 1 already"),
    ("1 two", "plan, line 1: 'two' is neither a table's number nor a dot"),
    ("0", "plan, line 1: '0' is neither a table's number nor a dot"),
    ("-1", "neither a table's number"),
    ("65536", "neither a table's number"),
    ("٣", "neither a table's number"),
    (" ".join(map(str, range(1, 62))), "more than 60 places in a row"),
    ("\n".join(map(str, range(1, 62))), "the plan has more than 60 rows"),
    ("9" * 5000, "neither a table's number"),
]


def test_a_plan_is_rows_with_aisles():
    assert hall_plan.parse(GOOD) == [[1, 2, 3, 0, 4], [5, 6, 7, 0, 8], [], [0, 9, 10]]
    assert hall_plan.parse("") == hall_plan.parse("# nothing\n . \n\n") == []


@pytest.mark.parametrize(("text", "sentence"), WRONG)
def test_a_wrong_plan_is_refused_with_one_sentence(text, sentence):
    with pytest.raises(UserError) as caught:
        hall_plan.parse(text)
    assert sentence in str(caught.value) and len(str(caught.value)) < 120


def test_a_plan_is_read_before_anything_is_done(here, capsys):
    (here / "hall.txt").write_text("1 2\n2 3\n", "utf-8")
    (here / "latin.txt").write_bytes(b"1 2 # \xe8\n")
    (here / "empty.txt").write_text(" . .\n", "utf-8")
    (here / "e.csv").write_text("table,number_a,name_a,number_b,name_b\n1,1,A,2,B\n", "utf-8")
    for name, sentence in (("hall.txt", "line 2: table 2 stands in line 1"),
                           ("latin.txt", "not UTF-8"),
                           ("empty.txt", "no table on this plan"),
                           ("none.txt", "cannot be read")):  # fmt: skip
        assert plusthree("serve", "e.csv", "--no-radio", "--plan", name) == 2
        told = capsys.readouterr().err
        assert name in told and sentence in told and len(told.splitlines()) == 1
    assert not (here / "plusthree.db").exists()
