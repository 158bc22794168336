"""Every case file gives what it expects, here and on the real MicroPython program."""

import json
import pathlib
import re

import interpreters
import pytest

from host.cases import case_file

CASES = interpreters.ROOT / "tests" / "cases"
FILES = sorted(CASES.glob("*.json"))
GIVEN = CASES / "given" / "first.json"  # written by others than who wrote the machine


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_case_of_our_own_holds(path):
    failed = []
    for case in case_file.load(path):
        ok, _, differences = case_file.run(case)
        if not ok:
            failed.append(f"{case['name']}: {differences}")
    assert not failed, "\n".join(failed)


def test_every_given_match_case_holds():
    cases = [case for case in case_file.load(GIVEN) if case_file.kind_of(case) == "system"]
    assert len(cases) == 17
    assert not [case["name"] for case in cases if not case_file.run(case)[0]]


def test_names_are_said_once_and_start_with_a_rule():
    names = [case["name"] for path in FILES if has_matches(path) for case in case_file.load(path)]
    assert len(set(names)) == len(names)
    assert not [name for name in names if not re.match("[A-Z][0-9]+", name)]


def test_the_same_on_micropython(micropython_program):
    paths = [path for path in (*FILES, GIVEN) if has_matches(path)]
    script = pathlib.Path(__file__).parent.parent / "support" / "play_cases.py"
    done = interpreters.run_unix(micropython_program, script, *paths, heap="2m")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    assert int(done.stdout.split()[0]) >= 300


def has_matches(path):
    return any("system" in case for case in json.loads(path.read_text(encoding="utf-8")))
