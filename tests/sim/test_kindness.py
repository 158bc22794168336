"""No helping hand: every kindness that a double could show a board is found by a test of
its own.
"""

import asyncio
import importlib.util
import inspect
import pathlib
import signal

import barechip
import bugs
import kindnesses
import pytest

from host.sim import clock, prices

TESTS = pathlib.Path(__file__).resolve().parent.parent


def test_of(where):
    path, name = where.split(":")
    spec = importlib.util.spec_from_file_location(
        f"kind_{path[:-3].replace('/', '_')}", TESTS / path
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


test_of.__test__ = False


def arguments(test, given, folder):
    """Return what a test is called with: what the row gives, a panel that is blank, or what makes a
    chip in a folder before it.
    """
    names = inspect.signature(test).parameters
    if "blank" in names:
        from host.sim import panel

        return ((panel.Panel("320x240"), "320x240"),)
    return (barechip.on(folder), *given) if "bare" in names else given


@pytest.mark.parametrize("row", kindnesses.ROWS, ids=lambda row: row[0])
def test_a_kindness_is_found(row, tmp_path):
    name, read_in, changes, where, *given = row
    test = test_of(where)
    test(*arguments(test, given, tmp_path))
    with bugs.row(name, changes), pytest.raises(BaseException) as found:
        test(*arguments(test, given, tmp_path))
    assert not isinstance(found.value, (KeyboardInterrupt, SystemExit)), str(found.value)
    test(*arguments(test, given, tmp_path))


STANDS = (
    "one that stands still",
    (("host.sim.prices:alike", "return ...", "while True: pass"),),
)
WAITS = ("one that waits", (("host.sim.prices:alike", "return ...", "return 1"),))


def standing():
    return prices.alike(0)


async def waiting():
    while prices.alike(0):
        await asyncio.sleep(1)


@pytest.mark.parametrize("row, run", [(STANDS, standing), (WAITS, lambda: clock.run(waiting()))])
def test_a_row_that_never_ends_fails_by_its_name(row, run):
    told = pytest.raises(pytest.fail.Exception, match=f"'{row[0]}' never ends")
    with told, bugs.row(*row, longest_s=0.1):
        run()
    run()
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_every_kindness_fits_the_source():
    assert bugs.stale([row[2] for row in kindnesses.ROWS]) == []


def test_there_are_enough_of_them():
    names = [row[0] for row in kindnesses.ROWS]
    assert len(names) == len(set(names)) >= 20
    assert all(row[1] for row in kindnesses.ROWS), "each names the C file that is not so kind"
