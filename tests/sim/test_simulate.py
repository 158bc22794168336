"""``plusthree dev simulate`` and ``dev bench``: one object for a seed on each air, one table of figures."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from commands import plusthree

from host.boards.models import MODELS
from host.cli.dev import bench
from host.sim import bench_figures
from host.sim.ether import seconds

KEYS = [
    "tables", "rounds", "seed", "air", "adapters", "results_expected", "results_archived", "lost",
    "duplicated", "conflicts", "violations", "frames", "start_spread_ms", "clock_error_ms", "last_result_s",
    "virtual_s", "wall_s",
]  # fmt: skip


def simulated(capsys, *words):
    assert plusthree("dev", "simulate", *words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found.pop("wall_s") > 0
    return found


# a table is enough to see a difference; `make prove` plays more of them
PROVE = bool(os.environ.get("PLUSTHREE_PROVE"))
AIRS = [
    ("pure", 6 if PROVE else 2, "--loss", "0.3"), ("ether", 3 if PROVE else 1, "--load", "0.3"),
    ("ble", 4 if PROVE else 1, "--loss", "0.25"),
]  # fmt: skip


@pytest.mark.parametrize("air, tables, name, share", AIRS)
def test_the_same_seed_gives_the_same_object(capsys, air, tables, name, share):
    words = ("--tables", str(tables), "--seed", "7", "--air", air, name, share)
    found = simulated(capsys, *words)
    assert [*found, "wall_s"] == KEYS
    assert found == simulated(capsys, *words)
    assert found["results_archived"] == found["results_expected"] == tables
    assert found["violations"] == []
    assert not found["lost"] + found["duplicated"] + found["conflicts"]


def test_two_rounds_at_the_same_boards(capsys):
    found = simulated(capsys, "--tables", "2", "--rounds", "2", "--seed", "2", "--loss", "0.1")
    assert found["results_archived"] == 4


@pytest.mark.parametrize(("system", "seed"), [("d03", "1"), ("xw15", "2")])
def test_the_other_systems_are_played_too(capsys, system, seed):
    found = simulated(capsys, "--tables", "2", "--system", system, "--seed", seed, "--loss", "0.1")
    assert found["results_archived"] == 2 and found["violations"] == []
    assert not found["lost"] + found["duplicated"] + found["conflicts"]


def test_seeds_differ(capsys):
    one, other = (simulated(capsys, "--tables", "1", "--seed", seed) for seed in "34")
    one.pop("seed"), other.pop("seed")
    assert one != other


def test_no_thread_beside_the_simulator_takes_its_interpreter():
    """Blinka's displayio starts one that wakes every millisecond."""
    asked = "import threading, host.cli.dev.simulate; print(threading.active_count())"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1"]


@pytest.mark.prove
def test_a_host_with_more_adapters_has_told_a_hall_sooner(capsys):
    # one adapter is enough for 40 tables
    one, four = (simulated(capsys, "--tables", "100", "--adapters", each) for each in "14")
    assert four["adapters"] == 4 and four["virtual_s"] < one["virtual_s"]
    assert four["results_archived"] == 100 and four["violations"] == []


WRONG = [
    ("--tables", "0"), ("--rounds", "300"), ("--loss", "1"), ("--load", "1"),
    ("--loss", "0.1", "--air", "ether"), ("--adapters", "0"), ("--adapters", "2", "--air", "ble"),
]  # fmt: skip


@pytest.mark.parametrize("words", WRONG)
def test_impossible_halls_are_refused_in_a_sentence(capsys, words):
    assert plusthree("dev", "simulate", *words) == 2
    assert words[0] in capsys.readouterr().err


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
def test_a_part_gives_its_figure_with_both_others(capsys, tmp_path, monkeypatch, part):
    """How fast a disk is nobody knows beforehand; the beacon's hall is the same each time."""
    if not PROVE:
        whole = seconds.looks
        monkeypatch.setattr(seconds, "looks", lambda count, until_s, seed: whole(40, 70, seed))
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
