"""Flows: every story in ``tests/flows`` goes as it says, and one that does not says where."""

import pathlib

import pytest
from commands import plusthree

from host.base.errors import UserError
from host.sim import flow
from host.sim.faces import blank_face

FLOWS = sorted((pathlib.Path(__file__).parents[1] / "flows").glob("*.flow"))
BEGIN = "board feathers3 p18\nround 1 5\nformat p18 swiss bo1 constructed 30\n"


def play(tmp_path, text):
    path = tmp_path / "small.flow"
    path.write_text(text, "utf-8")
    player = flow.Player(blank_face)
    player.play(flow.read(path))
    return player


@pytest.mark.parametrize("path", FLOWS, ids=lambda path: path.stem)
def test_flow(path):
    steps = flow.read(path)
    assert any(step.verb == "journal" for step in steps), "says nothing of the journal"
    flow.Player(blank_face).play(steps)


@pytest.mark.parametrize(("text", "message"), [
    ("expect screen clock\n", "small.flow:4: screen is seated, not clock"),
    ("journal ROUND_SET\njournal FORMAT_SET 1\n", "line 2 is FORMAT_SET 0 2 30, not FORMAT_SET 1"),
    ("journal ROUND_SET\n", "2 lines, not 1"),
    ("desk RESUME\n", "small.flow:4: the board refused it"),
])  # fmt: skip
def test_what_goes_otherwise_is_a_surprise(tmp_path, text, message):
    with pytest.raises(flow.FlowMismatch, match=message):
        play(tmp_path, BEGIN + text)


@pytest.mark.parametrize(("text", "message"), [
    ("dance\n", "small.flow:1: 'dance' is none of board"),
    ("press ▲\n", "small.flow:1: .*board feathers3 p18"),
    ("board toaster\n", "a board is one of feathers3 lilygo"),
    (BEGIN + "press X\n", "small.flow:4: press: 'X'"),
    (BEGIN + "desk FLY\n", "small.flow:4: desk"),
])  # fmt: skip
def test_a_line_that_means_nothing_is_named(tmp_path, text, message):
    with pytest.raises(UserError, match=message):
        play(tmp_path, text)


def test_command_takes_pictures_and_prints_the_journal(tmp_path, capsys):
    path = tmp_path / "small.flow"
    path.write_text(BEGIN + "shot here\n", "utf-8")
    assert plusthree("dev", "rules", "flow", path, "--shots", tmp_path / "shots", "--journal") == 0
    assert (tmp_path / "shots" / "small.here.png").exists()
    assert "journal ROUND_SET 1 5 1" in capsys.readouterr().out
    path.write_text(BEGIN + "expect phase agreed\n", "utf-8")
    assert plusthree("dev", "rules", "flow", path) == 1
