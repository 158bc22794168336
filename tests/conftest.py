"""What every test may use: the tree's root, the support modules, and tables printed at the end."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent
# appended, never inserted: the root's code.py would shadow the standard library's ``code``
sys.path.append(str(ROOT / "tests" / "support"))


@pytest.fixture(scope="session")
def root():
    """The repository's root directory."""
    return ROOT


@pytest.fixture
def printed(request):
    """A function that takes a title and lines to print after the run, passed or failed."""

    def record(title, lines):
        request.node.user_properties.append(("printed", title + "\n" + "\n".join(lines)))

    return record


def pytest_terminal_summary(terminalreporter):
    """Print what tests measured, and every skipped test with its reason."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "printed" and report.when == "call":
                    title, _, body = text.partition("\n")
                    terminalreporter.section(title)
                    terminalreporter.write_line(body)
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        terminalreporter.write_line(f"NOT RUN: {report.nodeid}: {reason}", yellow=True)
