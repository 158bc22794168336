"""What every test may use: the tree's root, the support modules, and tables printed at the end."""

import gc
import os
import pathlib
import shutil
import sys

import pytest
from hypothesis import settings

# `make test` must say the same twice and never watch the wall clock; `make prove` goes looking
settings.register_profile("test", derandomize=True, deadline=None)
settings.register_profile("prove", deadline=None, max_examples=2000)
settings.load_profile("prove" if os.environ.get("PLUSTHREE_PROVE") else "test")

# The rules on ourselves hold every file's syntax tree, and none of it is garbage: with the usual
# thresholds the collector walks through all of it so often that parsing takes three times as long.
gc.set_threshold(100_000, 20, 50)

# An archive settles each transaction on the disk, 4 ms every time. No test looks at the platter, so
# where there is room the tests' files lie in memory.
MEMORY, ROOM_BYTES = pathlib.Path("/dev/shm"), 2 << 30
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

DATABASES = "sqlite", "postgresql"
ROOT = pathlib.Path(__file__).resolve().parent.parent
# appended, never inserted: the root's code.py would shadow the standard library's ``code``
sys.path.append(str(ROOT / "tests" / "support"))


@pytest.fixture(scope="session")
def root():
    """The repository's root directory."""
    return ROOT


@pytest.fixture(scope="session")
def proving():
    """Whether this is `make prove`: the long run, not the slice of it."""
    return bool(os.environ.get("PLUSTHREE_PROVE"))


@pytest.fixture
def progress(request, proving):
    """A function that shows a line at once while proving, and nothing otherwise."""
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def show(line):
        if proving:
            with capture.global_and_fixture_disabled():
                print(line, flush=True)

    return show


@pytest.fixture
def printed(request):
    """A function that takes a title and lines to print after the run, passed or failed."""

    def record(title, lines):
        request.node.user_properties.append(("printed", title + "\n" + "\n".join(lines)))

    return record


def pytest_configure(config):
    """Name our own marks."""
    config.addinivalue_line(
        "markers", "venue(tables=2, begun=False): what the fixture ``venue`` is made with"
    )
    config.addinivalue_line(
        "markers",
        "archives(always=False, only=None): runs over a PostgreSQL archive, too, in `make prove` or"
        " always",
    )
    if hasattr(config, "cache"):  # not in the runs that a test makes of another
        import laid_once

        laid_once.share(config.cache.mkdir("laid"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the files of tests/web whole where the tests are spread over processes."""
    if config.getoption("dist") != "worksteal":
        return None
    from wholefiles import WholeFiles

    return WholeFiles(config, log)


def pytest_generate_tests(metafunc):
    """Give a test with the mark ``archives`` both databases."""
    mark = metafunc.definition.get_closest_marker("archives")
    if mark and "database" in metafunc.fixturenames:
        both = mark.kwargs.get("always") or os.environ.get("PLUSTHREE_PROVE")
        chosen = [mark.kwargs["only"]] if "only" in mark.kwargs else DATABASES
        metafunc.parametrize("database", chosen if both else chosen[:1], indirect=True)


@pytest.fixture
def database(request):
    """Which database an archive is in, one of ``DATABASES``."""
    return getattr(request, "param", DATABASES[0])


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server (``servers.Postgres``); the test is skipped where there is none."""
    import servers

    with servers.postgres() as server:
        yield server


@pytest.fixture
def address(postgres, tmp_path, monkeypatch):
    """The address of a new PostgreSQL database; what lies beside it is in the test's folder."""
    monkeypatch.chdir(tmp_path)
    return postgres.database()


@pytest.fixture
def place(database, tmp_path, request):
    """Where a test's archive is to be: a file, or an ``address``."""
    return tmp_path / "a.db" if database == "sqlite" else request.getfixturevalue("address")


@pytest.fixture
def venue(place, request):
    """A ``tabletop.Venue`` as the mark ``venue`` says: so many tables, round 1 begun or not."""
    from tabletop import Venue

    mark = request.node.get_closest_marker("venue")
    asked = {"tables": 2, "begun": False, **(mark.kwargs if mark else {})}
    begun = asked.pop("begun")
    made = Venue(place, **asked)
    if begun:
        made.begin()
    yield made
    made.station.close()


@pytest.fixture
def console(venue):
    """The typed desk of ``venue``, with Ann at it."""
    from host.server.console import Console

    return Console(venue.station, "Ann")


@pytest.fixture
def service(venue):
    """The web desk of ``venue``."""
    from webclient import office_of

    return office_of(venue)


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
