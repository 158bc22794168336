"""``plusthree dev bench air``: figures beside their formulae, and the drawings of docs/air.md."""

import json
import re

import pytest

from host.cli import main
from host.cli.dev import air
from host.sim.ether.curves import Axis, Trial, drawn, round_up


def test_it_prints_figures_near_their_formulae(capsys, tmp_path):
    assert (
        main(["dev", "bench", "air", "--only", "collisions", "--json", "--svg", str(tmp_path)]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["the hall alone", "others take 25 %"]
    assert [one["x"] for one in found["the hall alone"]][-1] == 2000
    assert [path.name for path in tmp_path.iterdir()] == ["air-collisions.svg"]


def test_a_folder_that_cannot_be_written_gets_a_sentence_before_anything_is_simulated(
    capsys, tmp_path, monkeypatch
):
    title, across, up, curves, least = air.FIGURES["collisions"]
    unasked = dict.fromkeys(curves, lambda: pytest.fail("it was simulated first"))
    monkeypatch.setitem(air.FIGURES, "collisions", (title, across, up, unasked, least))
    (tmp_path / "file").write_text("")
    where = str(tmp_path / "file" / "below")
    assert main(["dev", "bench", "air", "--only", "collisions", "--svg", where]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_dots_stand_on_the_line_where_figure_and_formula_agree():
    curve = [Trial(x, 0.1 * x, 0.1 * x, 9) for x in (1, 4, 10)]
    for least in (None, 0.05):
        svg = drawn("a < b", "metres", "share", [("alike", curve)], least)
        line = re.search(r'polyline points="([^"]+)"', svg)
        dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', svg)
        assert line and line[1].split() == [",".join(dot) for dot in dots]
        assert "a &lt; b" in svg and svg.count("<circle") == 3


def test_an_axis_ends_at_a_round_number():
    assert [round_up(value) for value in (0.9, 1.0, 17, 2000, 0.03)] == [1, 1, 20, 2000, 0.05]
    assert Axis([0.06, 31.0], 0.05).ticks == [0.1, 1, 10]
