"""``plusthree import`` and files at the typed desk: what is told, taken, and with ``--check`` not stored."""

import pytest
import tomfile
from commands import plusthree

from host.archive.store import Archive
from host.event import squad_lists

ROUND = "# event: Cup\n# format: {form}\ntable,number_a,name_a,number_b,name_b\n1,1,Ann,2,Bo\n"
TEAMS = (
    "number,name,affiliation,city,number_a,name_a,number_b,name_b\n"
    "1,Reds,Club,Torino,11,Ada,12,Zoe\n"
)
HEAD = "player,squad,faction,ship,size,pilot,upgrades,points\n"


def squads(player, points=36):
    return HEAD + "".join(
        f"{player},{squad},Rebel,X-wing,small,Luke,,{points}\n{player},{squad},Rebel,Y-wing,small,"
        "Gold,,20\n"
        for squad in (1, 2, 3, 4)
    )


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = {
        "r.csv": ROUND.format(form="p18 swiss bo3 constructed 50"),
        "x.csv": ROUND.format(form="xw15 swiss 50"), "teams.csv": TEAMS, "ann.csv": squads(1),
        "bo.csv": squads(2), "dear.csv": squads(2, 99), "sheet.xml": TEAMS,
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("file, said", (
    ("r.csv", "round 1: 1 match, no byes, p18 swiss bo3 constructed 50; nothing was stored"),
    ("teams.csv", "1 team read; nothing was stored"),
    ("ann.csv", "the squads of 1 player keep the rules"),
))  # fmt: skip
def test_a_file_is_only_checked(here, capsys, file, said):
    assert plusthree("import", file, "--check") == 0
    assert said in capsys.readouterr().out
    assert not list(here.glob("*.db*"))


@pytest.mark.parametrize("head, asked", (
    ("nome,squadra", "its columns are of no list: a round has table,number_a"),
    ("1,Ada", "its columns are of no list"),
    ("number,name,affiliation", "the column city is missing (needed: number,name,"),
    ("player,squad", "the column faction is missing (needed: player,squad,"),
    ("table,number_a", "the column name_a is missing (needed: table,"),
))  # fmt: skip
def test_a_sheet_of_other_columns_is_told_which_it_needs(here, capsys, head, asked):
    (here / "other.csv").write_text(f"{head}\n")
    assert plusthree("import", "other.csv") == 2
    assert f"other.csv:1: {asked}" in capsys.readouterr().err
    assert not list(here.glob("*.db*"))


def test_lists_of_squads_are_kept_together_or_not_at_all(here, capsys):
    assert plusthree("import", "x.csv") == 0
    assert plusthree("import", "ann.csv", "dear.csv") == 1
    assert "nothing was kept: correct the lists first" in capsys.readouterr().out
    with Archive("plusthree.db") as archive:
        assert not squad_lists.of(archive)
    assert plusthree("import", "ann.csv", "bo.csv", "plusthree.db") == 0
    with Archive("plusthree.db") as archive:
        assert set(squad_lists.of(archive)) == {"1", "2"}


def test_two_lists_of_one_player_are_refused(here, capsys):
    assert plusthree("import", "x.csv") == 0
    (here / "again.csv").write_text(squads("01", 30))
    assert plusthree("import", "ann.csv", "again.csv") == 1
    assert "again.csv: player 01 has a list in ann.csv already" in capsys.readouterr().out
    with Archive("plusthree.db") as archive:
        assert not squad_lists.of(archive)


def test_a_draft_gets_a_name_under_which_it_can_be_imported(here, capsys):
    (here / "people.csv").write_text("number,name\n1,Ann\n2,Bo\n")
    form = "p18 swiss bo3 constructed 50"
    how = "--players", "people.csv", "--format", form, "--pack", "pokemon-swiss"
    assert plusthree("pair", "draft", *how) == 2
    assert "an event file's name ends in .csv or .txt or .tsv" in capsys.readouterr().err
    assert not (here / "draft").exists()


def test_an_archive_is_named_by_its_folder_as_serve_names_it(here, capsys):
    (here / "league").mkdir()
    assert plusthree("import", "r.csv", "league") == 0
    assert plusthree("show", "results", "league") == 0
    assert (here / "league" / "plusthree.db").is_file()


def test_a_round_of_number_nought_is_not_there(here, capsys):
    assert plusthree("import", "r.csv") == 0
    assert plusthree("show", "results", "--round", "0") == 2
    assert "there is no round 0 in this event" in capsys.readouterr().err


@pytest.mark.parametrize("words, said", (
    (("ann.csv",), "import round 1 first, or look at the lists alone with --check"),
    (("teams.csv", "new.db"), "import round 1 first"),
    (("r.csv", "teams.csv"), "name one"),
    (("r.csv", "a.db", "b.db"), "name one archive, not a.db and b.db"),
    (("sheet.xml",), "sheet.xml is no file to import: its ending is none of .csv"),
    (("none.csv",), "none.csv: cannot be read"),
))  # fmt: skip
def test_what_cannot_be_taken_is_said_in_a_sentence(here, capsys, words, said):
    assert plusthree("import", *words) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
    assert not list(here.glob("*.db"))


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
