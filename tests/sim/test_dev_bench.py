"""``plusthree dev bench``: one table, each figure beside its baseline and its limit."""

import json
import pathlib

import pytest
from commands import plusthree

from host.boards.models import MODELS
from host.cli.dev import bench
from host.sim import bench_figures

ROW = bench_figures.Row("results stored", "1/s", 30.0, 10.0, 40.0, "one by one", "all at once")


def test_ratios_are_of_the_same_rows_figures():
    assert (ROW.of_naive, ROW.of_limit) == (3.0, 0.75)
    assert ROW._replace(naive=0.0).of_naive is None
    assert ROW._replace(limit=0.0).of_limit is None


def test_a_table_has_each_figure_in_its_column():
    head, line, said = bench_figures.table([ROW])
    assert head.split("  ")[0] == "figure" and len(head) == len(line)
    for name, value in zip(("reached", "naive", "limit"), ("30", "10", "40"), strict=True):
        end = head.index(name) + len(name)
        assert line[:end].endswith(f" {value}")
    assert line.split()[-2:] == ["3", "0.75"]
    assert said == "    naive: one by one; limit: all at once"


def test_every_part_comes_into_one_table(capsys, tmp_path, monkeypatch):
    seeds = []

    def part(name):
        def measured(seed, folder):
            assert folder.is_dir() and folder.parent == tmp_path
            seeds.append(seed)
            return [ROW._replace(what=name)]

        return measured

    monkeypatch.setattr(bench, "PARTS", {"one": part("one"), "two": part("two")})
    assert plusthree("dev", "bench", "--seed", "3", "--out", tmp_path) == 0
    told = capsys.readouterr().out
    assert told.count("reached") == 1 and "\none " in told and "\ntwo " in told
    assert seeds == [3, 3]
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("part", ["edges", "ingest"])
def test_a_part_gives_its_figure_with_both_others(capsys, tmp_path, part):
    """How fast a disk is nobody knows beforehand; the beacon's hall is the same each time."""
    assert plusthree("dev", "bench", "--only", part, "--json", "--out", tmp_path) == 0
    [row] = json.loads(capsys.readouterr().out)["rows"]
    assert min(row["reached"], row["naive"], row["limit"]) > 0
    assert row["of_naive"] == row["reached"] / row["naive"]
    if part == "edges":
        assert row["limit"] <= row["reached"] < row["naive"]


def test_the_quiet_part_asks_every_model_of_a_tables_board(monkeypatch, tmp_path):
    asked = []

    def rows_of(model, seed, folder):
        asked.append((model, seed, folder))
        return [ROW._replace(what=f"{model}: {ROW.what}")]

    monkeypatch.setattr(bench_figures, "_rows", rows_of)
    told = bench_figures.quiet(3, tmp_path)
    assert asked == [(model, 3, tmp_path / model) for model in MODELS] and len(asked) == 3
    assert [row.what.split(":")[0] for row in told] == list(MODELS)


def test_make_bench_runs_it(root):
    rule = pathlib.Path(root, "Makefile").read_text().split("\nbench:")[1].split("\n\n")[0]
    assert "plusthree dev bench" in rule


def test_a_folder_that_cannot_be_written_gets_a_sentence(capsys, tmp_path):
    (tmp_path / "file").write_text("")
    assert plusthree("dev", "bench", "--only", "ingest", "--out", tmp_path / "file" / "x") == 2
    assert "cannot be written" in capsys.readouterr().err
