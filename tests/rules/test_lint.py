"""The linters and the formatter find nothing to say (``make lint``, which also checks types)."""

import pathlib
import subprocess
import sys

import pytest
import tree

BIN = pathlib.Path(sys.executable).parent
TOOLS = {
    "lint": ["ruff", "check", "--no-cache", "--output-format=concise"],
    "format": ["ruff", "format", "--no-cache", "--check"],
    "imports": ["lint-imports", "--no-cache"],
}


@pytest.mark.parametrize("words", TOOLS.values(), ids=TOOLS)
def test_it_finds_nothing(words):
    found = subprocess.run(
        [BIN / words[0], *words[1:]], cwd=tree.ROOT, check=False, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stdout + found.stderr
