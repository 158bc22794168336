"""What is installed is named with its hash, as ``pyproject.toml`` asks for it."""

import re
import tomllib

import pytest
import tree

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
