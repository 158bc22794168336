"""A host that is killed while it starts, at every write that a start makes, starts the next time as
if nothing had been.
"""

import asyncio
import itertools
import shutil

import pytest

from firmware.core import events, frames, intents, payload, seeds
from firmware.core.journal import Journal
from host.archive import audit_log
from host.archive.records import ArchivedRecord
from host.archive.store import Archive
from host.event import nonces
from host.sim import clock, stored_records
from host.sim.board import RamStore
from host.sim.torture.faulty_venue import GENERATION, FaultyVenue
from host.sim.torture.laptop import Laptop
from host.sim.torture.seed_runs import run_seed

COMMITTED = (*range(seeds.SEED, seeds.SEED + 4), *range(seeds.NONCE))
MOST = 40


def owe_nonces(venue, devices):
    """Leave on the laptop's disk the commitments of some boards, to which no nonce was given."""
    with Archive(venue.laptop._file) as archive:
        archive.audit_log.begin(audit_log.key_of(venue.master))
        for device in devices:
            journal = Journal(
                RamStore(), device, frames.board_key(venue.master, device, GENERATION)
            )
            journal.open_epoch(0)
            journal.append(events.EventJoined(0, 1, 0), events.RoundSet(0, 1, device, device))
            last = journal.append(*(seeds.seed_event(part, bytes(8)) for part in COMMITTED))
            told = [stored_records.read(journal, 1, last - place) for place in (2, 1, 0)]
            heads = [(device, GENERATION, *frames.head(one)[2:]) for one in told]
            archive.commit(
                [
                    ArchivedRecord(*head, 1, 0, frame)
                    for head, frame in zip(heads, told, strict=True)
                ]
            )


def on_laptops(folder, live):
    """Call ``live(make)``; ``make(kill)`` starts a laptop of its own on that disk, to be
    killed so.
    """

    async def main():
        venue = FaultyVenue(asyncio.get_running_loop(), folder, 2, 1)
        owe_nonces(venue, (1, 2))
        numbers = itertools.count()

        def make(kill):
            laptop = Laptop(venue, folder / f"try{next(numbers)}", lambda *told: None)
            shutil.copy(venue.laptop._file, laptop._file)
            kill(laptop)
            laptop.start()
            return laptop

        live(make)
        assert not venue.invariants.violations

    clock.run(main())


def given(laptop):
    """Return the nonces on a laptop's disk, each with the orders that tell it, and let the laptop
    go.
    """
    archive = laptop.station.archive
    orders = [one for one in archive.orders.pending if one.kind == intents.SET_NONCE]
    told = [payload.eight(one.asks(intents.SetNonce)).hex() for one in orders]
    found = [one.nonce.hex() for one in nonces.all_given(archive)]
    assert found == told and len({one.table for one in orders}) == len(orders)
    laptop.retire()
    return found


@pytest.mark.parametrize("before", [True, False])
def test_a_start_is_killed_at_each_of_its_writes(tmp_path, before):
    deaths = []

    def live(make):
        for left in range(MOST):
            laptop = make(lambda one, left=left: one.kill_after(left, before))
            if laptop.up:  # it writes less than that
                laptop.retire()
                return
            deaths.append(left)
            assert laptop.ended_in_start
            laptop.start()
            assert laptop.up and len(given(laptop)) == 2

    on_laptops(tmp_path, live)
    assert 8 < len(deaths) < MOST


def test_a_start_without_room_on_the_disk_waits_for_room(tmp_path):
    def live(make):
        laptop = make(lambda one: setattr(one, "full", True))
        assert laptop.ended_in_start and not laptop.up
        laptop.cancel_faults()
        laptop.start()
        assert laptop.up and len(given(laptop)) == 2

    on_laptops(tmp_path, live)


def test_runs_kill_hosts_while_they_start():
    assert any(run_seed(seed, 3, 1).faults.get("kill at start") for seed in (3, 11, 16, 18, 19, 23))
