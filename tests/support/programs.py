"""The programs that some tests need and a machine may lack: how each is found, and what brings it.

``hide`` takes them all off PATH, so that neither a test nor the product finds one by itself; a test
gets one from its fixture in ``tests/conftest.py``, which skips the test where there is none. A test
that does not ask runs everywhere as on a machine without them.
"""

import os
import pathlib
import shutil
import sys
import tempfile
from typing import NamedTuple

import pytest

from host.reports.paper import pdf

WITHOUT = "PLUSTHREE_WITHOUT"  # names of the table, or "all": as if these were not installed
_WHOLE = "PLUSTHREE_WHOLE_PATH"  # for xdist's workers and for pytest that a test starts
_KEPT = pdf.browser_paths(sys.platform, os.environ)
_DEBIANS = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)


class Program(NamedTuple):
    """``commands``: any of them is the program. ``source``: what brings it. ``folders``: where it
    lies beside PATH, or if ``ours`` alone.
    """

    commands: tuple
    source: str
    folders: tuple = ()
    ours: bool = False


PROGRAMS = {
    "chromium": Program(
        (*(name for name in pdf.NAMES if name != pdf.LEAN), *map(os.path.basename, _KEPT)),
        "apt-get install chromium, or any browser of its kind",
        tuple(map(os.path.dirname, _KEPT)),
    ),
    # Chromium without windows, which opens a page with a tenth of the work
    "headless_shell": Program((pdf.LEAN,), "apt-get install chromium-headless-shell"),
    "xvfb": Program(("Xvfb",), "apt-get install xvfb"),
    "postgres": Program(("postgres",), "apt-get install postgresql", tuple(map(str, _DEBIANS))),
    "mosquitto": Program(("mosquitto",), "apt-get install mosquitto", ("/usr/sbin", "/usr/local/sbin")),
    "mosquitto_passwd": Program(("mosquitto_passwd",), "apt-get install mosquitto"),
    "ent": Program(("ent",), "apt-get install ent"),
    "rngtest": Program(("rngtest",), "apt-get install rng-tools5"),
    "dieharder": Program(("dieharder",), "apt-get install dieharder"),
    "micropython": Program(
        ("micropython",),
        "make setup has it for Linux on x86-64 alone",
        (os.path.dirname(sys.executable),),
        ours=True,
    ),
}  # fmt: skip


def fixture(name):
    """Return a fixture that gives a program's path, and skips the test where it is missing."""

    @pytest.fixture(scope="session", name=f"{name}_program")
    def program():
        return found(name) or pytest.skip(f"{name} is missing ({PROGRAMS[name].source})")

    return program


def asked(fixtures):
    """Return the programs that a test with these fixtures asks for."""
    return [name for name in PROGRAMS if f"{name}_program" in fixtures]


def found(name):
    if name in missing():
        return None
    program = PROGRAMS[name]
    whole = () if program.ours else (os.environ.get(_WHOLE, os.environ["PATH"]),)
    path = os.pathsep.join((*whole, *program.folders))
    ways = (shutil.which(command, path=path) for command in program.commands)
    return next(filter(None, ways), None)


def missing():
    """Return which programs are to be missing here, installed or not."""
    names = os.environ.get(WITHOUT, "").split()
    if names == ["all"]:
        return list(PROGRAMS)
    if unknown := {*names} - {*PROGRAMS}:
        raise pytest.UsageError(
            f"{WITHOUT}: {', '.join(sorted(unknown))} is none of: all, {', '.join(PROGRAMS)}"
        )
    return names


def hide(config):
    """Take every program of the table off PATH until the run ends."""
    if _WHOLE in os.environ:
        return
    others = [program for program in PROGRAMS.values() if not program.ours]
    hidden = {command for program in others for command in program.commands}
    os.environ[_WHOLE] = whole = os.environ["PATH"]
    memory = os.environ.get("PYTEST_DEBUG_TEMPROOT")  # a disk takes a second for all the links
    room = pathlib.Path(tempfile.mkdtemp(prefix="path", dir=memory))
    parts = [
        _without(hidden, part, room / str(at)) for at, part in enumerate(whole.split(os.pathsep))
    ]
    os.environ["PATH"] = os.pathsep.join(parts)

    def restore():
        os.environ["PATH"] = os.environ.pop(_WHOLE)
        shutil.rmtree(room)

    config.add_cleanup(restore)


def not_run(reports):
    """Yield lines that name every skipped test, under what it lacks."""
    reasons = {}
    for report in reports:
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        file, _, test = report.nodeid.partition("::")
        files = reasons.setdefault(reason.removeprefix("Skipped: "), {})
        files.setdefault(file, []).append(test)
    for reason, files in reasons.items():
        count = sum(map(len, files.values()))
        yield f"NOT RUN: {count} test{'s' * (count > 1)}: {reason}"
        for file, tests in files.items():
            yield f"    {file}: {', '.join(_named(tests))}"


def _named(tests):
    functions = {}
    for test in tests:
        functions.setdefault(test.partition("[")[0], []).append(test)
    return [
        f"{name} ({len(those)})" if len(those) > 1 else those[0]
        for name, those in functions.items()
    ]


def _without(hidden, part, room):
    """Return a folder with all programs of a part of PATH but the hidden ones: itself, or links."""
    names = os.listdir(part) if os.path.isdir(part) else ()
    if not hidden.intersection(names):
        return part
    room.mkdir()
    for name in {*names} - hidden:
        (room / name).symlink_to(os.path.join(os.path.abspath(part), name))
    return str(room)
