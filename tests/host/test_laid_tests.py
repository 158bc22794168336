"""``plusthree board deploy --tests``: the portable tests on a drive, run there in two ways."""

import re

import interpreters
import pytest
from commands import plusthree

from host.boards.deploy import image

BAD = (
    b"def test_one():\n assert 1 == 2\ndef test_two():\n raise OSError(5)\ndef test_three():\n"
    b" pass\n"
)
HEAP = "1m"
PROGRAM = {f"firmware/{name}": path.read_bytes() for name, path in image.firmware_files().items()}


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    """A drive on which the program and the tests lie, as MicroPython loads it."""
    path = tmp_path_factory.mktemp("drive")
    assert plusthree("board", "deploy", path, "--board", "feathers3", "--tests") == 0
    for laid in path.rglob("*.mpy"):
        laid.write_bytes(b"M" + laid.read_bytes()[1:])
    return path


def written(name=""):
    return sum(
        len(re.findall("^def test_", path.read_text("utf-8"), re.M))
        for path in image.portable_files().values()
        if name in ("", path.stem)
    )


def on_the_program(program, folder, command=image.TEST_COMMAND):
    """Return what the 64-bit MicroPython prints, with the drive as its root."""
    script = folder / "repl.py"
    script.write_text(command)
    done = interpreters.run_unix(program, script, heap=HEAP, folder=folder)
    script.unlink()
    return done.stdout + done.stderr


def with_unittest(files, command):
    """Return what the WebAssembly MicroPython prints, which has micropython-lib's unittest."""
    laid = {f"/p/{name}": data for name, data in files.items()}
    return interpreters.run_wasm(laid, ["import sys\nsys.path.insert(0, '/p')", command])[1]


def test_every_test_passes_by_our_own_loop(micropython_program, board):
    printed = on_the_program(micropython_program, board)
    assert printed.splitlines()[-1] == f"{written()} passed, 0 failed", printed
    assert len(re.findall("^ok test_", printed, re.M)) == written()


def test_a_file_passes_through_unittest():
    """All of them do in ``test_portable``."""
    files = {**PROGRAM, **image.portable_tests()}
    printed = with_unittest(files, "from tests.run import run; run('team')")
    assert printed.splitlines()[-1] == f"{written('team')} passed, 0 failed", printed
    assert len(re.findall(r"^Ran \d+ tests", printed, re.M)) == 1


def test_a_file_is_run_by_its_name(micropython_program, board):
    printed = on_the_program(micropython_program, board, "from tests.run import run; run('team')")
    assert printed.startswith("team\n"), printed
    assert printed.endswith(f"\n{written('team')} passed, 0 failed\n"), printed


def test_a_failure_is_named_with_its_line(micropython_program, board):
    (board / "tests" / "bad.py").write_bytes(BAD)
    printed = on_the_program(
        micropython_program, board, "from tests.run import run; run('bad', 'team')"
    )
    (board / "tests" / "bad.py").unlink()
    assert "FAILED test_one" in printed and 'bad.py", line 2' in printed
    assert "FAILED test_two" in printed
    assert printed.endswith(f"\n{written('team') + 1} passed, 2 failed\n")


def test_unittest_counts_failures_and_errors():
    printed = with_unittest(
        {**PROGRAM, **image.portable_tests(), "tests/bad.py": BAD},
        "from tests.run import run; run('bad')",
    )
    assert printed.splitlines()[-1] == "1 passed, 2 failed"


def test_a_file_that_cannot_be_loaded_has_failed(micropython_program, board):
    printed = on_the_program(
        micropython_program, board, "from tests.run import run; run('absent', 'team')"
    )
    assert "FAILED absent" in printed
    assert printed.endswith(f"\n{written('team')} passed, 1 failed\n")


def test_the_next_deploy_without_them_takes_them_away(tmp_path, capsys):
    plain = ["board", "deploy", str(tmp_path), "--board", "feathers3"]
    assert plusthree(*plain, "--tests") == 0
    assert image.TEST_COMMAND in capsys.readouterr().out
    (tmp_path / "tests" / "gone.py").write_text("")
    assert plusthree(*plain, "--tests") == 0
    assert "removed tests/gone.py" in capsys.readouterr().out
    assert plusthree(*plain) == 0
    assert not (tmp_path / "tests").exists()
    assert "removed tests/" in capsys.readouterr().out
