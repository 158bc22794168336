"""A torture run says whether the program broke or the harness that tests it."""

import asyncio

import pytest

from host.sim import clock
from host.sim.torture.faulty_venue import FaultyVenue
from host.sim.torture.round_staff import RoundStaff


@pytest.fixture
def live(tmp_path):
    """Return a function that lets a venue of one table be acted on, and gives the violations."""

    def live(act):
        async def main():
            venue = FaultyVenue(asyncio.get_running_loop(), tmp_path, 1, 1)
            venue.laptop.start()
            act(venue)
            venue.close()
            return venue.invariants.violations

        return clock.run(main())

    return live


def test_a_judge_who_finds_a_spare_that_has_told_nothing_yet_rules_nothing(live):
    def walk(venue):
        assert venue.laptop.station.hall.fold_at(1) is None
        venue.laptop.guard(RoundStaff(venue, {}, "1")._rule, 1)
        assert venue.laptop.up and not venue.laptop.station.archive.orders.pending

    assert live(walk) == []


def test_a_mistake_of_the_harness_is_not_laid_to_the_program(live):
    def lay_too_many(venue):
        venue.spares.clear()
        venue.laptop.guard(venue.lay_spare, 1)

    (said,) = live(lay_too_many)
    assert ": " in said and "the harness broke: IndexError at faulty_venue.py:" in said


def test_a_mistake_of_the_program_is_the_program_s_though_the_harness_passes_it_on(live):
    (said,) = live(
        lambda venue: venue.laptop.guard(venue.laptop.station.archive.query, "SELECT no")
    )
    assert "the host's program broke: OperationalError at faulty_database.py:" in said
