"""Tests run by name inside this process, as when one check is taken away to see them fail."""

import pytest
import tree


def run(*names):
    """Run tests by name (below ``tests/``); return pytest's exit code."""
    paths = [str(tree.ROOT / "tests" / name) for name in names]
    return pytest.main([*paths, "-p", "no:cacheprovider", "--no-header", "--tb=no"])


def code_without(take_away, name):
    """Run a test with a check taken away by ``take_away(patch)``, put back afterwards; return pytest's exit code."""
    with pytest.MonkeyPatch.context() as patch:
        take_away(patch)
        return run(name)
