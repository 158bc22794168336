"""No power cut, at any operation of the flash, costs a file or an acknowledged record."""

import functools
import json
import os
import subprocess

import interpreters
import pytest

SCRIPT = interpreters.ROOT / "tests" / "prove" / "powercut.py"
SAFE = ("first", "block", "sector", "margin", "wrap", "lap")
FIGURES = ("operations", "cuts", "images", "repair_cuts", "damaged", "lost")
SLICE_STRIDE = 61
HEADS = ("", "operations", "cuts", "torn images", "cuts in repair", "files damaged", "records lost")


@pytest.fixture
def matrix(micropython_program, progress):
    """A function that runs one scenario's matrix on MicroPython and returns its figures."""
    return functools.partial(_matrix, micropython_program, progress)


def _matrix(program, progress, scenario, stride):
    command = [program, "-X", "heapsize=256m", str(SCRIPT), scenario, str(stride)]
    path = f"{interpreters.ROOT}:{SCRIPT.parent}"
    process = subprocess.Popen(
        command, env={**os.environ, "MICROPYPATH": path}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    said = []
    for line in process.stdout:
        if line.startswith("#"):
            progress(line.strip())
        else:
            said.append(line)
    assert process.wait() == 0, "".join(said)
    return json.loads(said[-1])


def rows(found):
    """Return the printed lines of a scenario's figures."""
    figures = [found["scenario"], *(found[name] for name in FIGURES)]
    return ["  ".join(f"{one!s:>14}" for one in line) for line in (HEADS, figures)]


@pytest.mark.parametrize("scenario", SAFE)
def test_every_cut_of_the_journal_leaves_all_that_was_acknowledged(
    matrix, printed, proving, scenario
):
    found = matrix(scenario, 7 if proving else SLICE_STRIDE)
    printed(
        f"power cuts on VfsFat over emulated flash, four torn modes each: {scenario}", rows(found)
    )
    assert found["damaged"] == found["lost"] == found["dark"] == 0
    assert found["repair_cuts"] > found["cuts"]


def test_a_journal_without_its_mirror_loses_in_the_same_harness(matrix):
    assert matrix("mirrorless", SLICE_STRIDE)["lost"]


def test_the_naive_append_and_flush_loses_in_the_same_harness(matrix, printed, proving):
    found = matrix("naive", 1 if proving else 7)
    printed("the naive append and flush in the same harness", rows(found))
    assert found["damaged"] and found["lost"]
