"""A pytest plugin: each mutant of a module meets the collected tests that run its lines.

The program and the tests are imported once. First every test runs in a fork of this process, which
tells the lines of the module that it runs and how long it takes. Then every mutant is planted in a
fork, which runs the tests of its lines until one fails, those first that found most in least time.
Run as ``pytest -p mutant_runs TESTS`` (``run`` does so).
"""

import contextlib
import gc
import importlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
from typing import NamedTuple

import hypothesis
import mutants
import programs
import pytest
import servers
import tree

_TERMS = "PLUSTHREE_MUTANTS_OF"  # the module, how many (0: all), what the draw is from, the report
_ON_A_SERVER = "postgres"  # what a module or a test is called that wants one
_BASE_S, _TIMES = 1, 3  # CPU time that a test may use beside and times what it takes
_LONGEST_S = 600  # of a test, without any mutant
_EXAMPLES = 20  # that Hypothesis tries at most: each mutant that survives meets all of them


class Found(NamedTuple):
    """How many mutants a module has, how many were tried, and (line, name) of each survivor."""

    every: int
    tried: int
    survivors: list[tuple[int, str]]


def run(module: str, tests: list[str], most: int, seed: str, report: os.PathLike[str]) -> Found:
    """Return what comes of at most ``most`` mutants (0: all), drawn by ``seed``."""
    environment = {k: v for k, v in os.environ.items() if k != "PLUSTHREE_PROVE"}
    environment["PYTHONPATH"] = str(tree.ROOT / "tests" / "support")
    environment[_TERMS] = json.dumps([module, most, seed, str(report)])
    paths = [str(tree.ROOT / "tests" / name) for name in tests]
    words = ["-p", "mutant_runs", "-q", "--no-header", "-p", "no:cacheprovider", "-p", "no:xdist"]
    with contextlib.ExitStack() as stack:
        program = programs.found("postgres")
        if program and any(_ON_A_SERVER in one for one in (module, *tests)):  # one for all forks
            shared = servers.shared_postgres(program)
            environment |= stack.enter_context(shared)
        else:
            words += ["-k", "not postgresql"]  # each fork would start one
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *words, *paths],
            env=environment, cwd=tree.ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    every, tried, survivors = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
    return Found(every, tried, sorted((line, name) for line, name in survivors))


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """Run the collected tests in forks, instead of here."""
    module, most, seed, report = json.loads(os.environ[_TERMS])
    every = list(mutants.mutants(module))
    luck = random.Random(f"{seed} {module}")
    drawn = luck.sample(every, most) if 0 < most < len(every) else every
    gc.freeze()  # a fork that collects would copy every page
    path = importlib.import_module(module).__file__
    tests = [_Test(item, path) for item in session.items]
    survivors = [(one.lines[0], one.name) for one in drawn if not _is_found(one, tests)]
    found = json.dumps([len(every), len(drawn), survivors])
    pathlib.Path(report).write_text(found, encoding="utf-8")
    return True


class _Test:
    """A test of a module: the lines of the module's file that it runs, and how long it takes."""

    def __init__(self, item, path):
        self.item, self.found = item, 0
        _shorten(item.obj)
        told = _forked(lambda tell: _traced(item, path, tell))
        if not told:
            raise pytest.UsageError(f"{item.nodeid} fails without any mutant")
        self._lines, self.took_s = set(told[0][0]), told[0][1]

    def runs(self, lines):
        return any(line in self._lines for line in range(lines[0], lines[1] + 1))

    @property
    def worth(self):
        """How many mutants it finds in a second, more or less."""
        return (self.found + 0.1) / (self.took_s + 0.01)


def _shorten(test):
    """Have Hypothesis try a few examples of a law instead of hundreds."""
    asked = getattr(test, "_hypothesis_internal_use_settings", None)
    if asked is not None:
        few = min(_EXAMPLES, asked.max_examples)
        test._hypothesis_internal_use_settings = hypothesis.settings(asked, max_examples=few)


def _is_found(mutant, tests):
    chosen = [test for test in tests if test.runs(mutant.lines)]
    chosen.sort(key=lambda test: -test.worth)
    told = _forked(lambda tell: _planted(mutant, chosen, tell))
    if told and told[-1] is not None:
        chosen[told[-1]].found += 1
    return told[-1:] != [None]


def _forked(work):
    """Return all that ``work(tell)`` tells in a fork before it ends, or is ended."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            os.setpgid(0, 0)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            work(lambda said: os.write(writing, json.dumps(said).encode() + b"\n"))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        said = file.read()
    os.waitpid(child, 0)
    return [json.loads(line) for line in said.splitlines()]


def _limit(seconds):
    """End this process after so much CPU time, or ten times that of waiting for what never comes."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def _traced(item, path, tell):
    """Run a test and tell the lines of the file at ``path`` that it runs, and its seconds."""
    lines = set()

    def in_it(frame, event, _):
        lines.add(frame.f_lineno)
        return in_it

    def anywhere(frame, event, _):
        return in_it(frame, event, None) if frame.f_code.co_filename == path else None

    began_s = time.process_time()
    _limit(_LONGEST_S)
    threading.settrace(anywhere)
    sys.settrace(anywhere)
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    sys.settrace(None)
    if not item.session.testsfailed:
        tell([sorted(lines), time.process_time() - began_s])


def _planted(mutant, tests, tell):
    """Run tests until one fails: tell the number of each before it begins, None after the last."""
    mutant.plant()
    items = [test.item for test in tests]
    for at, (test, after) in enumerate(zip(tests, [*items[1:], None], strict=True)):
        tell(at)
        _limit(_BASE_S + _TIMES * test.took_s)
        test.item.config.hook.pytest_runtest_protocol(item=test.item, nextitem=after)
        if test.item.session.testsfailed:
            return
    tell(None)
