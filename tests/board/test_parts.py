"""Runs ``parts.py`` on MicroPython, where stand-ins of native modules can take their names."""

import re

import interpreters
import pytest

HERE = interpreters.ROOT / "tests" / "board"
SUPPORT = interpreters.ROOT / "tests" / "support"


@pytest.fixture(scope="module")
def done(micropython_program, tmp_path_factory):
    folders = (HERE / "modules", SUPPORT / "modules", interpreters.ROOT)
    arguments = (SUPPORT / "portable_runner.py", HERE / "parts.py", *folders)
    return interpreters.run_unix(
        micropython_program, *arguments, heap="4m", folder=tmp_path_factory.mktemp("drive")
    )


NAMES = re.findall(r"^def (test_\w+)", (HERE / "parts.py").read_text("utf-8"), re.M)


@pytest.mark.parametrize("name", NAMES)
def test_part(done, name):
    assert f"ok {name}\n" in done.stdout, done.stdout + done.stderr
