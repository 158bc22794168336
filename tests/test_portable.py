"""The core's portable tests, on the real MicroPython and on its 32-bit WebAssembly build."""

import pathlib

import interpreters
import pytest

FILES = sorted((interpreters.ROOT / "tests").glob("*/portable/*.py"))
RUNNER = interpreters.ROOT / "tests" / "support" / "portable_runner.py"
UNITTEST = """
import unittest, {name}
tests = unittest.TestSuite()
tests._load_module({name})
outcome = unittest.TextTestRunner().run(tests)
print("COUNT", outcome.testsRun, len(outcome.failures) + len(outcome.errors))
"""


def name_of(path):
    return path.relative_to(interpreters.ROOT / "tests").as_posix()


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_passes_on_the_micropython_program(micropython_program, path):
    done = interpreters.run_unix(micropython_program, RUNNER, path, heap="1m")
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stdout.startswith("0 passed"), f"{path} holds no tests"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_passes_on_the_webassembly_build(path):
    files = interpreters.sources("firmware", "/p/firmware")
    files[f"/p/{path.name}"] = path.read_bytes()
    calls = ["import sys\nsys.path.insert(0, '/p')", UNITTEST.format(name=path.stem)]
    printed = interpreters.run_wasm(files, calls)[1]
    count, failed = map(int, printed.rsplit("COUNT", 1)[1].split())
    assert count and not failed, printed


def test_the_runner_fails_when_a_test_fails(micropython_program, tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def test_one():\n    assert 1 == 1\n\ndef test_two():\n    assert 1 == 2\n")
    done = interpreters.run_unix(micropython_program, RUNNER, bad)
    assert done.returncode == 1
    assert "1 passed, 1 failed" in done.stdout


def test_there_is_something_to_run():
    assert FILES, f"no portable tests below {pathlib.Path('tests')}"
