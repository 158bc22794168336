"""The root is a board's drive; a PC's tools work there, and install what a lock file names."""

import pathlib
import re
import subprocess
import sys
import tomllib

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


LOCKS = tree.ROOT / "locks"
LOCKED = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.M)
PROJECT = tomllib.loads((tree.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]


def pinned(rows):
    """Return {(name, version)} of requirement lines, as the lock files spell them."""
    parts = [re.match(r"([\w.-]+)(?:\[\w+\])?==([^\s;]+)", row).groups() for row in rows]
    return {(name.lower().replace("_", "-"), version) for name, version in parts}


@pytest.mark.parametrize(
    "lock, extras", [("all", ("hall", "test")), ("hall", ("hall",)), ("hw", ("hw",))]
)
def test_the_lock_holds_what_is_asked_for(lock, extras):
    wanted = pinned(sum((EXTRAS[extra] for extra in extras), PROJECT["dependencies"]))
    locked = set(LOCKED.findall((LOCKS / f"{lock}.txt").read_text(encoding="utf-8")))
    assert not wanted - locked, "run: make lock"


@pytest.mark.parametrize("lock", sorted(LOCKS.glob("*.txt")), ids=lambda path: path.stem)
def test_every_package_has_its_hashes(lock):
    blocks = re.split(r"\n(?=\w)", lock.read_text(encoding="utf-8").strip())
    packages = [block for block in blocks if not block.startswith("#")]
    assert packages and all(" --hash=sha256:" in block for block in packages)
