"""Tests run by name inside this process, as when one check is taken away to see them fail."""

import bugs
import pytest
import tree

# As they end, the first two collect garbage five times over all that the run around has made, for
# a second each; the others have nothing to do in a run of one test.
_IDLE = (
    "unraisableexception", "threadexception", "cacheprovider", "xdist", "junitxml", "pastebin",
    "doctest", "stepwise",
)  # fmt: skip


def run(*names):
    """Run tests by name (below ``tests/``); return pytest's exit code."""
    paths = [str(tree.ROOT / "tests" / name) for name in names]
    idle = [word for plugin in _IDLE for word in ("-p", f"no:{plugin}")]
    return pytest.main([*paths, *idle, "--no-header", "--tb=no", "--exitfirst"])


def code_without(take_away, name):
    """Run a test with a check taken away by ``take_away(patch)``, put back afterwards; return
    pytest's exit code.
    """
    with bugs.limited(name), pytest.MonkeyPatch.context() as patch:
        take_away(patch)
        return run(name)


def edited(where, passage, instead):
    """Return a ``take_away(patch)`` by which one passage of a function ("module:Class.name") is
    written otherwise.
    """
    return lambda patch: bugs.plant(patch, ((where, passage, instead),))


def fails(capsys, where, passage, instead, name):
    """Say whether a test fails once one passage of the product is written otherwise; where not,
    show what it printed.
    """
    broken = code_without(edited(where, passage, instead), name) == pytest.ExitCode.TESTS_FAILED
    printed = capsys.readouterr().out
    if not broken:
        print(printed)
    return broken
