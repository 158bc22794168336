"""The linter and the formatter find nothing to say (``make lint``)."""

import pathlib
import subprocess
import sys

import pytest
import tree

RUFF = pathlib.Path(sys.executable).with_name("ruff")


@pytest.mark.parametrize(
    "asked", [["check", "--output-format=concise"], ["format", "--check"]], ids=["lint", "format"]
)
def test_ruff_finds_nothing(asked):
    found = subprocess.run(
        [RUFF, asked[0], "--no-cache", *asked[1:]],
        cwd=tree.ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert found.returncode == 0, found.stdout + found.stderr
