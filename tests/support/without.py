"""Checks that are taken away one by one, and the test of each that must notice.

A row is (the check, ``take_away(patch)``, the test by its name below ``tests/``). The tests of a
file are collected once, inside this process, and run anew for each of its rows.
"""

import os

import bugs
import pytest
import tree
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

# As they end, the first two collect garbage five times over all that the run around has made, for
# a second each; the others have nothing to do in such a run.
_IDLE = (
    "unraisableexception", "threadexception", "cacheprovider", "xdist", "junitxml", "pastebin",
    "doctest", "stepwise",
)  # fmt: skip
settings.register_profile("taken away", settings(), phases=(Phase.explicit, Phase.generate))


def edited(where, passage, instead):
    """Return a ``take_away(patch)`` that writes one passage of a function otherwise."""
    return lambda patch: bugs.plant(patch, ((where, passage, instead),))


def files(rows):
    return list(dict.fromkeys(_file(test) for _, _, test in rows))


def unnoticed(rows, file):
    """Return those checks of the ``rows`` with a test in ``file`` that it does not notice."""
    taken = _TakenAway([row for row in rows if _file(row[2]) == file])
    names = dict.fromkeys(str(tree.ROOT / "tests" / test) for _, _, test in taken.rows)
    idle = [word for plugin in _IDLE for word in ("-p", f"no:{plugin}")]
    settings.load_profile("taken away")  # the first example that fails is enough
    try:
        pytest.main([*names, *idle, "--no-header", "--tb=no"], [taken])
    finally:
        settings.load_profile("prove" if os.environ.get("PLUSTHREE_PROVE") else "test")
    return [check for check, *_ in taken.rows if check not in taken.noticed]


def _file(test):
    return test.partition("::")[0]


class _TakenAway:
    """A plugin by which each test runs once for each of its rows, with the check taken away."""

    def __init__(self, rows):
        self.rows, self.noticed = rows, set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item):
        """Run a test for its rows, all fixtures made anew for each."""
        for check, take_away, test in self.rows:
            if check in self.noticed or not _is(item.nodeid.removeprefix("tests/"), test):
                continue
            with bugs.limited(check), pytest.MonkeyPatch.context() as patch:
                take_away(patch)
                reports = runtestprotocol(item, log=False, nextitem=None)
            if any(report.failed for report in reports):
                self.noticed.add(check)
        return True


def _is(test, name):
    """Return whether a test's full name is ``name``, or begins with it as a whole."""
    return test == name or test.startswith((name + "::", name + "["))
