"""The list of people before round 1, and the round that is drawn from it."""

import pytest
from commands import plusthree

from host.formats import event_file, people_file
from host.formats.csv_reader import SheetError

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
    ("number,name\n1,A\n", "names 1 players"),
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
