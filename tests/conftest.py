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

# What is compiled is kept, whatever the shell says: each of three processes would compile every test,
# and each of some hundred started programs every file that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# An archive settles each transaction on the disk, 4 ms every time. No test looks at the platter, so
# where there is room the tests' files lie in memory.
MEMORY, ROOM_BYTES = pathlib.Path("/dev/shm"), 2 << 30
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_BYTES:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

DATABASES = "sqlite", "postgresql"
ROOT = pathlib.Path(__file__).resolve().parent.parent
# appended, never inserted: the root's code.py would shadow the standard library's ``code``
sys.path.append(str(ROOT / "tests" / "support"))
import programs  # noqa: E402

globals().update({f"{name}_program": programs.fixture(name) for name in programs.PROGRAMS})


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def proving():
    return bool(os.environ.get("PLUSTHREE_PROVE"))


@pytest.fixture(scope="session", autouse=True)
def cheap_passphrases():
    """Guess a passphrase at a cost that a test can pay; started programs pay the whole."""
    from host.keys import key_encryption

    cheap = {**key_encryption.encrypt.__kwdefaults__, "cost": 1 << 10}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_encryption.encrypt, "__kwdefaults__", cheap)
        yield


@pytest.fixture
def progress(request, proving):
    """A function that shows a line at once while proving, and nothing otherwise."""
    capture = request.config.pluginmanager.getplugin("capturemanager")

    def show(line):
        if proving:
            with capture.global_and_fixture_disabled():
                print(line, file=sys.stderr, flush=True)  # xdist shows no worker's stdout

    return show


@pytest.fixture
def printed(request):
    """A function that takes a title and lines to print after the run, passed or failed."""

    def record(title, lines):
        request.node.user_properties.append(("printed", title + "\n" + "\n".join(lines)))

    return record


def pytest_addoption(parser):
    parser.addoption(
        "--asking",
        action="store_true",
        help="only the tests that ask for a program that a machine may lack",
    )


def pytest_itemcollected(item):
    """Name the server of an archive that lies in one: ``place`` asks for it when the test runs."""
    if getattr(item, "callspec", None) and item.callspec.params.get("database") == DATABASES[1]:
        item.fixturenames = [*item.fixturenames, "postgres_program"]


def pytest_collection_modifyitems(config, items):
    """Leave the tests that ``--asking`` selects; order them for several processes."""
    if config.getoption("asking"):
        others = [item for item in items if not programs.asked(item.fixturenames)]
        items[:] = [item for item in items if programs.asked(item.fixturenames)]
        config.hook.pytest_deselected(items=others)
    if processes := int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "0")):
        from wholefiles import dealt

        items[:] = [items[at] for at in dealt([item.nodeid for item in items], processes)]


def pytest_configure(config):
    """Name our own marks."""
    config.addinivalue_line(
        "markers", "venue(of=Venue, tables=2, begun=False): what the fixture ``venue`` is made with"
    )
    config.addinivalue_line(
        "markers",
        "desk(tables=4, run_s=0, without=None, calls=()): a file's fixture ``desk``: for how long its"
        " round has run, which table has lost its board, which have called a judge",
    )
    config.addinivalue_line(
        "markers",
        "archives(always=False, only=None): runs over a PostgreSQL archive, too, in `make prove` or"
        " always",
    )
    config.addinivalue_line("markers", "prove: runs in `make prove` alone")
    config.addinivalue_line("markers", "refusals: requests fail in it, which a browser says itself")
    programs.missing()  # refuses a name that is none of theirs
    programs.hide(config)
    if worker := os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw"):
        import compiled

        compiled.share(config, int(worker), int(os.environ["PYTEST_XDIST_WORKER_COUNT"]))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Leave the long runs to `make prove`, before anything is set up for them."""
    if item.get_closest_marker("prove") and not os.environ.get("PLUSTHREE_PROVE"):
        pytest.skip("make prove runs it")


def pytest_collection_finish(session):
    """Spare the collector what lives as long as the run: a virtual board asks it at each start."""
    if hasattr(session.config, "cache"):  # not in the runs that a test makes of another
        gc.collect()
        gc.freeze()


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
def postgres(postgres_program):
    """A PostgreSQL server (``servers.Postgres``)."""
    import servers

    with servers.postgres(postgres_program) as server:
        yield server


@pytest.fixture
def mosquitto(mosquitto_program, mosquitto_passwd_program, request):
    """A broker (``servers.Mosquitto``) that runs; indirect parameters are more of its settings."""
    import servers

    more = getattr(request, "param", "")
    with servers.mosquitto(mosquitto_program, mosquitto_passwd_program, more) as broker:
        yield broker


@pytest.fixture(scope="session")
def browsers(chromium_program):
    """One Chromium for all tests, and others with options of their own (``browser.Browsers``)."""
    import browser

    with browser.browsers(_leanest(chromium_program)) as made:
        yield made


@pytest.fixture(scope="module")
def module_chromium(browsers):
    """``chromium`` for pages that stay open for all tests of a file."""
    with browsers.shared() as one:
        yield one


@pytest.fixture
def chromium(module_chromium, request):
    """A real Chromium; ``chromium.open(url)`` gives a page of a context of its own. None may have said
    an error in the end, but in tests with the mark ``refusals``.
    """
    with module_chromium.closing():
        yield module_chromium
    errors = [] if request.node.get_closest_marker("refusals") else [*module_chromium.errors]
    wrong = errors + module_chromium.strangers
    module_chromium.errors.clear()
    module_chromium.strangers.clear()
    assert not wrong


@pytest.fixture
def chromium_on_path(chromium_program, tmp_path_factory, monkeypatch):
    """The path of the Chromium that does the same with the least work, where the product finds it."""
    program = _leanest(chromium_program)
    link = tmp_path_factory.mktemp("found") / os.path.basename(program)
    link.symlink_to(program)
    monkeypatch.setenv("PATH", os.pathsep.join((str(link.parent), os.environ["PATH"])))
    return str(link)


def _leanest(chromium_program):
    return programs.found("headless_shell") or chromium_program


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder in which the test runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
    """A ``tabletop.Venue``, or one ``of`` its kinds, as the mark ``venue`` says."""
    from tabletop import Venue

    mark = request.node.get_closest_marker("venue")
    asked = {"of": Venue, "tables": 2, "begun": False, **(mark.kwargs if mark else {})}
    kind, begun = asked.pop("of"), asked.pop("begun")
    made = kind(place, **asked)
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
    """Print what tests measured, and which did not run for want of what."""
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, text in getattr(report, "user_properties", ()):
                if name == "printed" and report.when == "call":
                    title, _, body = text.partition("\n")
                    terminalreporter.section(title)
                    terminalreporter.write_line(body)
    for line in programs.not_run(terminalreporter.stats.get("skipped", ())):
        terminalreporter.write_line(line, yellow=True)
