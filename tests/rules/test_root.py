"""The root is a board's drive, with a ``code.py``; a PC's tools still work there."""

import subprocess
import sys

import pytest
import tree


@pytest.mark.parametrize("words", [
    ["-m", "pytest", "--version"],
    ["-m", "pdb", "-c", "continue", "-c", "quit", "tests/support/tree.py"],
    ["-c", "import code, pdb; code.InteractiveConsole; code.interact"],
])  # fmt: skip
def test_pythons_own_tools_start_at_the_root(words):
    done = subprocess.run(
        [sys.executable, *words],
        cwd=tree.ROOT,
        capture_output=True,
        text=True,
        input="",
        check=False,
    )
    assert done.returncode == 0, done.stderr
