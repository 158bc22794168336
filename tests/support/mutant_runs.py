"""A pytest plugin: the tests that were collected are run once for each mutant of a module.

The program and the tests are imported once; every mutant is planted in a fork of this process,
which runs the tests until one fails. Run as ``pytest -p mutant_runs TESTS`` (``run`` does so).
"""

import json
import os
import random
import resource
import signal
import subprocess
import sys
from typing import NamedTuple

import mutants
import pytest
import tree

_TERMS = "PLUSTHREE_MUTANTS_OF"  # the module, how many (0: all), what the draw is from, the report
_BASE_S, _TIMES = 5, 4  # CPU time that a mutant may use beside and times what the tests take


class Found(NamedTuple):
    """What came of a module's mutants: how many there are, how many were tried, who survived.

    ``survivors``: (line, name) of each.
    """

    every: int
    tried: int
    survivors: list[tuple[int, str]]


def run(module: str, tests: list[str], most: int, seed: str, report: os.PathLike[str]) -> Found:
    """Return what comes of at most ``most`` mutants (0: all), drawn by ``seed``; AssertionError
    if the tests fail without any.
    """
    environment = {k: v for k, v in os.environ.items() if k != "PLUSTHREE_PROVE"}
    environment["PYTHONPATH"] = str(tree.ROOT / "tests" / "support")
    environment[_TERMS] = json.dumps([module, most, seed, str(report)])
    paths = [str(tree.ROOT / "tests" / name) for name in tests]
    words = ["-p", "mutant_runs", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *paths],
        env=environment, cwd=tree.ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    with open(report, encoding="utf-8") as file:
        every, tried, survivors = json.load(file)
    return Found(every, tried, [(line, name) for line, name in survivors])


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Run the collected tests in forks, instead of here."""
    if _TERMS not in os.environ:  # imported by a test that is no such run
        return None
    module, most, seed, report = json.loads(os.environ[_TERMS])
    every = list(mutants.mutants(module))
    drawn = every
    if 0 < most < len(every):
        kept = set(random.Random(f"{seed} {module}").sample(range(len(every)), most))
        drawn = [one for at, one in enumerate(every) if at in kept]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if not _passes(session, None, 3600):
        raise pytest.UsageError(f"the tests of {module} fail without any mutant")
    took_s = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    limit_s = int(_BASE_S + _TIMES * took_s)
    survivors = []
    for tried, one in enumerate(drawn, 1):
        if _passes(session, one, limit_s):
            survivors.append((one.line, one.name))
        with open(report, "w", encoding="utf-8") as file:
            json.dump([len(every), tried, survivors], file)
    return True


def _passes(session, mutant, limit_s):
    """Return whether all tests pass in a fork with a Mutant (None: without one)."""
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            failed = _failed(session, mutant, limit_s)
        finally:
            os._exit(failed)
    return os.waitpid(child, 0)[1] == 0


def _failed(session, mutant, limit_s):
    os.setpgid(0, 0)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
    signal.alarm(limit_s * 10)  # one that waits for what never comes
    if mutant is not None:
        mutant.plant()
    for item, after in zip(session.items, [*session.items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        if session.testsfailed:
            return 1
    return 0
