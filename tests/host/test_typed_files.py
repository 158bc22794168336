"""Files at the typed desk: ``import FILE``, ``import FILE take``, ``export FORM``."""

import pytest
import tomfile

FORM = ("--format", "p18 swiss bo3 constructed 50")
OPEN = [(0, 101, 102), (0, 103, 104)]
DECIDED = [(1, 101, 102), (2, 103, 104)]
NEXT = [(0, 101, 104), (0, 102, 103)]
PEOPLE = range(101, 105)


@pytest.fixture
def evening(evening):
    """Round 1 of TOM's file, published, with its results from paper."""
    evening.done("import", evening.file("cup.tdf", tomfile.event(OPEN, people=PEOPLE)), *FORM)
    evening.typed("publish 1", "result 1 A 2 0 slip", "result 2 B 0 2 slip")
    return evening


def test_a_file_is_shown_and_then_taken(evening):
    path = evening.file("cup.tdf", tomfile.event(DECIDED, NEXT, people=PEOPLE))
    shown = evening.typed(f'import "{path}"')
    assert "new rounds: round 2 is new: 2 matches, 50 minutes" in shown
    assert shown[-1] == "nothing is changed yet; to take it, add the word: take"
    assert {one["round"] for one in evening.objects("show results")} == {1}
    assert evening.typed(f'import "{path}" take')[-1] == "cup.tdf was taken"
    assert evening.typed(f'import "{path}"') == ["nothing in cup.tdf is new"]
    evening.typed("publish 2")


def test_a_question_is_answered_with_sure(evening):
    first, last = tomfile.NAMES[101 % len(tomfile.NAMES)]
    text = tomfile.event(DECIDED, NEXT, people=PEOPLE).replace(first, "Philippa")
    path = evening.file("cup.tdf", text.replace(last, "Brown"))
    (asked,) = evening.desk(f'import "{path}" take')
    assert asked.startswith("not done: Number 101 is") and asked.endswith("the word 'sure'")
    assert evening.typed(f'import "{path}" take sure')[-1] == "cup.tdf was taken"


@pytest.mark.parametrize(("words", "said"), [
    ("import nowhere.tdf", "cannot be read"),
    ("import", "say: import FILE [take] [sure] [pod N] [round N]"),
    ("export pdf", "must be one of"),
])  # fmt: skip
def test_what_cannot_be_says_why(evening, words, said):
    (refused,) = evening.desk(words)
    assert refused.startswith("not done: ") and said in refused


def test_toms_file_is_written_filled_in_and_the_others_too(evening):
    out = evening.folder / "out"
    written = evening.typed(f'export tdf "{out}"', f'export csv "{out}"')
    assert (out / "cup.plusthree-1.tdf").read_text(encoding="utf-8") == tomfile.event(
        DECIDED, people=PEOPLE
    )
    assert "2 results are filled in" in written
    assert (out / "results.csv").exists() and (out / "cup.plusthree-1.txt").exists()


def test_the_command_fills_the_file_that_was_read_last(evening):
    out = evening.folder / "out"
    evening.done("export", "tdf", "--out", out)
    assert (out / "cup.plusthree-1.tdf").exists()
    evening.typed("close")
    code, _, error = evening.command("export", "tdf", "--out", out)
    assert code == 2 and "read it again; add: --tdf FILE" in error
