"""The linter finds nothing (``make lint`` asks for the formatter's opinion, too)."""

import pathlib
import subprocess
import sys

import tree

RUFF = pathlib.Path(sys.executable).with_name("ruff")


def test_ruff_finds_nothing():
    found = subprocess.run(
        [RUFF, "check", "--no-cache", "--output-format=concise"],
        cwd=tree.ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert found.returncode == 0, found.stdout + found.stderr
