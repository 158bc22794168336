"""Flows: every story in ``tests/flows`` goes as it says; and an organiser's own rules, with flow, evening and desk."""

import json
import pathlib

import pytest
from commands import plusthree

from host.base.errors import UserError
from host.cli import virtual_desk
from host.event import event_systems
from host.sim import flow
from host.sim.faces import blank_face
from host.sim.programme import RandomProgramme, begin
from host.sim.stage import Stage
from host.sim.venue import OPENED_UNIX_MS
from host.systems import catalogue

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


EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "systems"
FIVE = EXAMPLES / "five.toml"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_an_evening_of_each_example_ends_with_what_its_players_confirmed(name, capsys):
    words = ["simulate", "--tables", "1", "--seed", "2", "--system", str(EXAMPLES / f"{name}.toml")]
    assert plusthree(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["results_archived"] == found["results_expected"] == 1
    assert found["violations"] == [] and not found["lost"] + found["conflicts"]


def test_a_flow_plays_a_file_of_rules(tmp_path):
    path = tmp_path / "small.flow"
    path.write_text(
        f"board feathers3 {FIVE}\nround 1 5\nformat five swiss bo3 constructed 55\n"
        "expect screen seated\njournal ROUND_SET\njournal FORMAT_SET\n",
        "utf-8",
    )
    player = flow.Player(blank_face)
    player.play(flow.read(path))
    assert len(player.journal) == 2


def test_a_flow_names_the_line_of_rules_that_are_none(tmp_path):
    path = tmp_path / "small.flow"
    path.write_text("board feathers3 nowhere.toml\n", "utf-8")
    with pytest.raises(UserError, match="small.flow:1: board: nowhere.toml: No such file"):
        flow.Player(blank_face).play(flow.read(path))


def test_virtual_boards_play_a_file_of_rules(tmp_path):
    rules = catalogue.load(FIVE)
    programme = RandomProgramme(2, 7, own=rules)
    begin(tmp_path / "a.db", programme.event, rules, OPENED_UNIX_MS)
    stage = Stage(tmp_path, 2, programme=programme, name="a.db")
    stage.pass_time(60)
    stage.station.desk.publish(1)
    stage.pass_time(60)
    match = stage.venue.tables[1].app.match
    assert (match.rules.NUMBER, match.round, match.best_of) == (rules.NUMBER, 1, 3)
    assert match.overtime == (5, 0) and match.minutes == rules.MINUTES[2]
    assert "five" in event_systems.of(stage.station.archive)
    stage.close()


def test_the_virtual_desk_takes_them(tmp_path, monkeypatch):
    """With an event file whose format names them, or without one."""
    served = []

    async def serve(args, path, file, own, said):
        served.append((file and file.format.system, own.NUMBER))

    monkeypatch.setattr(virtual_desk, "_serve", serve)
    monkeypatch.setattr(virtual_desk.places, "exists", lambda where: False)
    event = tmp_path / "round1.csv"
    event.write_text(
        "# event: Cup\n# round: 1\n# format: five swiss bo3 constructed 55\n"
        "table,number_a,name_a,number_b,name_b\n1,1,Ada,2,Bo\n",
        "utf-8",
    )
    for words in ([], [str(event)]):
        assert plusthree("serve", *words, "--virtual", "2", "--system", FIVE) == 0
    number = catalogue.load(FIVE).NUMBER
    assert served == [(None, number), (number, number)]
