"""A torture run says whether the program broke or the harness that tests it."""

import asyncio

import pytest

from host.sim import clock
from host.sim.torture.crew import Crew
from host.sim.torture.hall import Hall


@pytest.fixture
def live(tmp_path):
    """Return a function that lets a hall of one table be acted on, and gives the violations."""

    def live(act):
        async def main():
            hall = Hall(asyncio.get_running_loop(), tmp_path, 1, 1)
            hall.laptop.start()
            act(hall)
            hall.close()
            return hall.watch.violations

        return clock.run(main())

    return live


def test_a_judge_who_finds_a_spare_that_has_told_nothing_yet_rules_nothing(live):
    def walk(hall):
        assert hall.laptop.station.hall.fold_at(1) is None
        hall.laptop.guard(Crew(hall, {}, "1")._rule, 1)
        assert hall.laptop.up and not hall.laptop.station.archive.orders.pending

    assert live(walk) == []


def test_a_mistake_of_the_harness_is_not_laid_to_the_program(live):
    def lay_too_many(hall):
        hall.spares.clear()
        hall.laptop.guard(hall.lay, 1)

    (said,) = live(lay_too_many)
    assert ": " in said and "the harness broke: IndexError at hall.py:" in said


def test_a_mistake_of_the_program_is_the_program_s_though_the_harness_passes_it_on(live):
    (said,) = live(lambda hall: hall.laptop.guard(hall.laptop.station.archive.query, "SELECT no"))
    assert "the host's program broke: OperationalError at wire.py:" in said
