"""The flash below the journal: what a write costs the chip, and that it says nothing of its errors."""

import random
from collections import Counter

import pytest

from firmware.core.ring import Ring
from host.sim.board import RamStore
from host.sim.chip.flash import BLOCK, BLOCKS, Internal

SIZE = 64 * BLOCK
DATA = b"P" + bytes(BLOCK - 1)


@pytest.fixture
def spent():
    return Counter()


@pytest.fixture
def flash(spent):
    return Internal(SIZE, lambda name, times: spent.update({name: times}))


def test_a_block_costs_its_sectors_erase_and_all_its_pages(flash, spent):
    flash.write(4, DATA)
    assert (sum(flash.erases.values()), flash.programs) == (1, 16)
    assert spent == {"flash_read_us": 8, "flash_erase_us": 1, "flash_program_us": 16}


def test_what_is_written_is_what_is_read_whatever_the_order(flash):
    luck, held = random.Random(7), {}
    for _ in range(600):
        place, data = luck.randrange(60), luck.randbytes(BLOCK - 20) + b"\xff" * 20
        flash.write(place, data)
        held[place] = data
    assert all(flash.read(place) == data for place, data in held.items())
    assert flash.read(61) == b"\xff" * BLOCK


def test_an_event_erases_a_sector_of_each_copy(spent):
    """A hall's store, which keeps the blocks alone, charges the same."""
    store = RamStore()
    store.pay = lambda name, times=1: spent.update({name: times})
    ring = Ring(store)
    for number in range(50):
        spent.clear()
        ring.put(bytes([number + 1] * 24))
        ring.flush()
        assert spent["flash_erase_us"] == 2 and spent["flash_program_us"] == 32
    again = Ring(store)
    again.recover()
    assert again.head == 50


def test_a_sector_that_holds_no_more_is_not_told(flash):
    flash.worn.add(4 // BLOCKS)
    flash.write(4, DATA)
    assert flash.read(4) == b"\xff" * BLOCK
