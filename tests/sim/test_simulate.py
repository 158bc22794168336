"""``plusthree dev simulate``: one JSON object, the same for the same seed, on each air."""

import json
import os
import subprocess
import sys

import pytest
from commands import plusthree

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


# a PC's whole Bluetooth costs ten times as much as the other airs: `make prove` plays more of it
TABLES = 4 if os.environ.get("PLUSTHREE_PROVE") else 2
AIRS = [
    ("pure", 6, "--loss", "0.3"), ("ether", 3, "--load", "0.3"), ("ble", TABLES, "--loss", "0.25"),
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
    found = simulated(capsys, "--tables", "3", "--rounds", "2", "--seed", "2", "--loss", "0.1")
    assert found["results_archived"] == 6


@pytest.mark.parametrize(("system", "seed"), [("d03", "1"), ("xw15", "2")])
def test_the_other_systems_are_played_too(capsys, system, seed):
    found = simulated(capsys, "--tables", "4", "--system", system, "--seed", seed, "--loss", "0.1")
    assert found["results_archived"] == 4 and found["violations"] == []
    assert not found["lost"] + found["duplicated"] + found["conflicts"]


def test_seeds_differ(capsys):
    one, other = (simulated(capsys, "--tables", "2", "--seed", seed) for seed in "34")
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
