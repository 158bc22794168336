"""A hall costs what its tables cost: the work for one table does not grow with their number.

Nor does what is done at one of them: a judge's act, a board that is added.

Counted are Python's calls and SQLite's statements, which no load of the machine changes.
"""

import asyncio
import cProfile
import os
import time

import pytest

from firmware.core import phases
from host.archive.roster import Board
from host.archive.store import Archive
from host.sim import clock
from host.sim.programme import RandomProgramme
from host.sim.pure import PureAir
from host.sim.stage import Stage
from host.sim.venue import Venue

FEW, MANY = (20, 80) if os.environ.get("PLUSTHREE_PROVE") else (15, 45)
BOOTED_S = 150  # all have joined the event
WINDOW_S = (
    300 if MANY > 50 else 180
)  # the same for both halls, and long enough to tell each board of the larger
ACTS = 10  # of judges
MORE = 1.2  # what chance gives the one hall and not the other: records share a commit, or not


class Costs:
    """What was called and asked of SQLite since the last ``take``."""

    def __init__(self, station):
        self._statements, self._profile = 0, None
        station.archive._db.set_trace_callback(self._asked)

    def _asked(self, statement):
        self._statements += 1

    def begin(self):
        self._statements, self._profile = 0, cProfile.Profile(subcalls=False, builtins=False)
        self._profile.enable()

    def end(self):
        """Return the calls and the statements since ``begin``."""
        self._profile.disable()
        return sum(one.callcount for one in self._profile.getstats()), self._statements


def _publish(venue, tables):
    station, programme = venue.station, RandomProgramme(tables, 1)
    station.archive.roster.store_round(1, programme.format, programme.pairings(1))
    station.refresh()
    station.desk.publish(1)


def _start(venue, tables):
    venue.station.desk.start(venue.now_ms() + 1500 * WINDOW_S)


def _play(venue, tables):
    assert {one.app.match.phase for one in venue.tables.values()} == {phases.PLAYING}


async def _costs(path, tables):
    """Return the costs of ``WINDOW_S`` after a hall is told of a round, after its start is set,
    and of nothing but running clocks; and of ``ACTS`` acts of judges.

    The start itself is left out: all boards then have news at one moment, and wait for the few
    links.
    """
    loop = asyncio.get_running_loop()
    venue = Venue(loop, PureAir(loop, 1, 0.0), path, RandomProgramme(tables, 1), 1)
    carrying, costs, found = loop.create_task(venue.carrier.run()), Costs(venue.station), []
    await asyncio.sleep(BOOTED_S)
    for act in (_publish, _start, _play):
        costs.begin()
        act(venue, tables)
        await asyncio.sleep(WINDOW_S)
        found.append(costs.end())
        assert not venue.station.archive.orders.waiting
        if act is _start:
            await asyncio.sleep(2 * WINDOW_S)
    carrying.cancel()
    costs.begin()
    for table in range(1, ACTS + 1):
        venue.station.desk.extend(table, 1)
    acts = costs.end()
    venue.close()
    return found, acts


@pytest.fixture(scope="module")
def halls(tmp_path_factory):
    """The costs of a small hall and of one five times as large, by number of tables."""
    folder = tmp_path_factory.mktemp("halls")
    return {n: clock.run(_costs(folder / f"{n}.sqlite", n)) for n in (FEW, MANY)}


@pytest.mark.parametrize("phase", [0, 1, 2], ids=["published", "start set", "playing"])
@pytest.mark.parametrize("what", [0, 1], ids=["calls", "statements"])
def test_a_table_costs_the_same_in_a_hall_five_times_as_large(halls, phase, what):
    few, many = (halls[n][0][phase][what] / n for n in (FEW, MANY))
    print(f"{few:.0f} at {FEW} tables, {many:.0f} at {MANY}")
    assert many <= MORE * few


@pytest.mark.parametrize("what", [0, 1], ids=["calls", "statements"])
def test_a_judges_act_costs_the_same_in_a_hall_five_times_as_large(halls, what):
    few, many = (halls[n][1][what] for n in (FEW, MANY))
    assert few and many <= MORE * few


def test_a_board_is_set_up_as_fast_in_a_hall_that_has_many(tmp_path):
    with Archive(tmp_path / "hall.sqlite") as archive:
        costs = []
        for device in range(1, MANY + 1):
            profile = cProfile.Profile(subcalls=False, builtins=False)
            profile.enable()
            archive.roster.add_board(Board(device, 1, device), 0)
            profile.disable()
            costs.append(sum(one.callcount for one in profile.getstats()))
    assert costs[-1] <= MORE * costs[FEW // 4]


LATER = 1.5  # times as long: whoever is unlucky several times is rarer among few
MOST_S = 300  # of the processor, twice what an idle machine takes for two thousand tables


def opened(folder, tables):
    """Open a round at so many tables; return how long it took, virtual seconds and CPU seconds."""
    folder.mkdir()
    stage, began_s = Stage(folder, tables), time.process_time()
    began_ms = stage.now_ms()
    try:
        asyncio.run(stage.open_round())
        assert not stage.station.archive.orders.waiting
        return (stage.now_ms() - began_ms) / 1000, time.process_time() - began_s
    finally:
        stage.close()


def test_a_round_is_opened_as_soon_as_in_a_small_hall(tmp_path, proving, printed):
    (few_s, _), (many_s, cpu_s) = (
        opened(tmp_path / str(tables), tables) for tables in ((50, 2000) if proving else (20, 60))
    )
    printed("a round opened", [f"{many_s:.0f} virtual s ({cpu_s:.1f} s of the processor)"])
    assert many_s <= LATER * few_s
    assert not proving or cpu_s <= MOST_S
