"""An organiser's own rules in the virtual venue: a flow, an evening, and the desk with its boards."""

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

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "systems"
FIVE = EXAMPLES / "five.toml"


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.toml")))
def test_an_evening_of_each_example_ends_with_what_its_players_confirmed(name, capsys):
    words = ["simulate", "--tables", "2", "--seed", "2", "--system", str(EXAMPLES / f"{name}.toml")]
    assert plusthree(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["results_archived"] == found["results_expected"] == 2
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
