"""A system's tables as sentences, and the diagram that is drawn from them."""

import pytest

from host import cli
from host.systems import catalogue, diagram, explore, sentences
from host.systems.match_facts import PHASES


@pytest.mark.parametrize(("words", "told"), [
    (
        "P18 elimination bo3",
        [
            "p18: Play! Pokémon TCG Rules & Formats, 11 July 2018",
            "best of 3",
            "at least 50 (8.3)",
            "9.3.3",
            "a Tiebreaker Game decides",
            "play_on",
        ],
    ),
    ("p18 SWISS bo1 limited", ["at least 20 (8.3)", "9.2.2", "4; a Tiebreaker Game 6", "a win unknown"]),
    ("D03", ["30 recommended (212)", "216", "a win 3", "a draw unknown", "the winner of a toss chooses"]),
    ("d03 team", ["50 recommended", "teams"]),
    ("xw15", ["at least 40, at most 60", "Fine della Partita", "A lead of 12", "from the pairing on"]),
    ("p18 elimination bo1 hidden", ["hidden from the players", "A judge approves"]),
    ("p18 bo3 +1/10 60", ["60 minutes", "1 turn, with a clock of 10 minutes"]),
])  # fmt: skip
def test_a_system_explains_itself(words, told, capsys):
    assert cli.main(["dev", "rules", "--explain", *words.split()]) == 0
    text = capsys.readouterr().out
    assert not [part for part in told if part not in text]
    assert max(map(len, text.splitlines())) <= 110


@pytest.mark.parametrize("words", ["p19", "p18 bo5", "xw15 team", "nothing.toml"])
def test_what_cannot_be_explained(words, capsys):
    assert cli.main(["dev", "rules", "--explain", *words.split()]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_nothing_to_do_is_a_mistake():
    assert cli.main(["dev", "rules"]) == 2


def test_the_drawing_in_the_readme_is_fresh():
    text = diagram.README.read_text(encoding="utf-8")
    assert diagram.place(text, diagram.section()) == text, (
        "draw it anew: plusthree dev rules --diagram"
    )


def test_a_readme_without_its_marks_is_refused():
    with pytest.raises(ValueError, match="lacks the lines"):
        diagram.place("# nothing", "")


def test_every_phase_is_drawn_and_reached():
    moves = diagram.moves_of(catalogue.built_in().values())
    assert {PHASES[number] for move in moves for number in (move[0], move[2])} == set(PHASES)


@pytest.mark.parametrize("name", ["p18", "d03", "xw15"])
def test_a_match_ends_from_every_phase_it_reaches(name):
    """Every system ends from every phase, as far as acts and time lead."""
    for bits in (2, 7):
        found = explore.explore(catalogue.built_in()[name], bits, 2)
        assert found.states < 4000
        ends, grown = {PHASES.index("agreed")}, True
        while grown:
            more = {before for before, _, after in found.moves if after in ends} - ends
            ends, grown = ends | more, bool(more)
        assert {move[2] for move in found.moves} <= ends


def test_every_act_and_phase_has_its_sentence():
    assert set(sentences.PHASES) == set(PHASES)
    assert not set(explore.INTENTS) - set(sentences.ACTS)
