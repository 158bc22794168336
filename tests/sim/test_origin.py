"""A torture run says whether the program broke or the harness that tests it."""

import asyncio

import pytest

from host.sim import clock
from host.sim.programme import RandomProgramme
from host.sim.staff import Staff
from host.sim.torture.faulty_venue import FaultyVenue


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
        venue.laptop.guard(Staff(venue, {}, "1")._rule, 1)
        assert venue.laptop.up and not venue.laptop.station.archive.orders.pending

    assert live(walk) == []


def test_who_waits_for_a_record_of_a_begun_round_sets_no_other_start(live):
    """As in seed 254: a wall clock jumps by an hour while the desk lacks what a table had sent."""

    def look_again(venue):
        staff, laptop = Staff(venue, {1: None}, "1"), venue.laptop
        roster, one = laptop.station.archive.roster, RandomProgramme(1, 1)
        roster.store_round(1, one.format, one.pairings(1))
        for _ in ("published", "started"):
            laptop.station.refresh()
            staff._act(1)
            with laptop.station.archive.transaction():
                laptop.station.archive.write("UPDATE commands SET state = 'done'")
        begun_ms = laptop.station.desk.start_ms
        laptop.wall_ms += 3_600_000
        laptop.end_program()
        laptop.start()
        staff._act(1)
        assert laptop.station.desk.start_ms == begun_ms < laptop.now_ms()

    assert live(look_again) == []


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


def test_a_stranger_right_after_another_has_not_stayed_as_long_as_both(live):
    """As in seeds 981660408 and 141891554 of the relays."""

    def come_and_go(venue):
        table, now_s = venue.boards[1], venue.loop.time()
        table.switch_on()
        sync = table.app.sync
        sync.opened_ms = sync.heard_ms = table.board.clock.now_ms() - 8310
        for since_s in (now_s - 0.12, now_s - 8.31):
            venue.invariants.phone_closed(table, since_s)

    (said,) = live(come_and_go)
    assert "a stranger on the link, 8310 ms after any proof" in said
