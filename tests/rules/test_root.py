"""The root is a board's drive; a PC's tools work there; programs that a machine may lack are found in one place."""

import ast
import os
import pathlib
import re
import subprocess
import sys
import tomllib

import programs
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


FINDERS = set(
    "shutil.which pdf.chromium sync_playwright servers.postgres servers.mosquitto".split()
)
FIND = {  # who finds a program or starts one, and what for
    "tests/conftest.py": "the fixtures",
    "tests/support/programs.py": "the one place",
    "tests/support/browser.py": "what the fixtures give",
    "tests/support/pictures.py": "make pictures",
    "tests/host/test_paper.py": "the product's finder itself",
}
SKIP = {  # which tests are skipped by something other than a fixture: what the system lacks
    "tests/host/test_private_files.py": "/dev/fd",
    "tests/host/test_copy_seal.py": "pipes, /dev/fd",
    "tests/host/test_keyring.py": "POSIX's modes",
    "tests/host/test_odd_rows.py": "pipes",
    "tests/host/test_paper.py": "a shell",
    "tests/host/test_gateway_talk.py": "pseudo-terminals",
    "tests/host/test_standard_streams.py": "/dev/full",
    "tests/host/test_two_programs.py": "/proc/net/tcp",
    "tests/prove/test_web_day.py": "CPython's count of blocks",
    "tests/rules/test_root.py": "a shell",
    "tests/sim/test_demo.py": "Tk, in its fixture",
    "tests/web/test_connection_limits.py": "a second loopback address",
    "tests/web/test_lan.py": "an address of its own",
    "tests/web/test_web_server.py": "a second loopback address",
}
SKIPS = {"pytest.mark.skipif", "pytest.importorskip"}
TESTS = """
import shutil
from host.reports.paper import pdf

def test_asks(ent_program): assert ent_program == shutil.which("ent", path=PLACE)
def test_asks_for_another(rngtest_program): pass
def test_forgets(): assert not shutil.which("ent") and not pdf.chromium() and shutil.which("beside")
def test_the_product_looks(chromium_on_path): assert pdf.chromium() == chromium_on_path
def test_the_product_looks_no_more(): assert not pdf.chromium()
"""


def users(names):
    """Return the files below ``tests`` that use one of these names."""
    last = {name.rpartition(".")[2] for name in names}
    return {
        tree.name_of(path)
        for path in tree.python_files("tests")
        for node in tree.nodes(path)
        if {getattr(node, "attr", ""), getattr(node, "id", "")} & last
        and ast.unparse(node) in names
    }


def test_no_test_finds_or_starts_one_itself():
    assert users(FINDERS) == {*FIND}


def test_only_what_a_system_lacks_is_said_by_a_test():
    assert users(SKIPS) == {*SKIP}


def run(*words, **environment):
    """Return what a run of pytest says, begun as a person begins it, and its exit code."""
    outer = {**os.environ, "PATH": os.environ["PLUSTHREE_WHOLE_PATH"]}
    left_out = ("PLUSTHREE_WHOLE_PATH", "PLUSTHREE_PROVE", "PYTEST_XDIST_WORKER")
    for name in left_out:
        outer.pop(name, None)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, words)],
        cwd=tree.ROOT, env={**outer, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.skipif(os.name != "posix", reason="shell scripts stand in for the programs")
def test_a_test_has_what_it_asks_for_and_nothing_else(tmp_path):
    """Also in another process, as ``make test`` spreads them."""
    place = tmp_path / "bin"
    place.mkdir()
    for name in ("ent", "rngtest", "chromium", "beside"):
        (place / name).write_text("#!/bin/sh\n")
        (place / name).chmod(0o755)
    (tmp_path / "test_it.py").write_text(TESTS.replace("PLACE", repr(str(place))))
    code, said = run(
        *("-p", "tests.conftest", "-n", 1, tmp_path / "test_it.py"),
        PATH=os.pathsep.join((str(place), os.environ["PLUSTHREE_WHOLE_PATH"])),
        PLUSTHREE_WITHOUT="rngtest",
    )
    assert code == 0 and "4 passed, 1 skipped" in said, said
    assert "NOT RUN: 1 test: rngtest is missing (apt-get install rng-tools5)\n" in said
    assert "test_it.py: test_asks_for_another\n" in said


def test_without_any_every_test_that_asks_is_named_and_none_errs():
    code, said = run("--asking", PLUSTHREE_WITHOUT="all", PLUSTHREE_PROVE="1")
    assert code == 0 and not re.search("passed|failed|error", said.splitlines()[-1]), said
    assert {*re.findall(r"NOT RUN: .*: (\w+) is missing", said)} == {*programs.PROGRAMS} - {
        "mosquitto_passwd",  # asked for after mosquitto
        "headless_shell",  # any Chromium does instead
    }
    assert "tests/web/test_entrance.py: test_a_browser_asks_its_judge\n" in said
    assert "test_every_page_is_open_to_all (5)" in said
    assert "test_a_record_is_added_once[post" in said


def test_a_name_that_is_none_is_refused(monkeypatch):
    monkeypatch.setenv(programs.WITHOUT, "ent firefox")
    with pytest.raises(pytest.UsageError, match="firefox is none of: all, chromium,"):
        programs.missing()
