"""The flash below the journal: what a write costs the chip, with the RAM cache and without it."""

import random

import pytest

from firmware.core.ring import Ring
from host.sim import prices
from host.sim.board import BLOCK_SIZE
from host.sim.chip.flash import BLOCKS
from host.sim.flash import STARTS, FlashStore

PRICES = prices.load().on("feathers3")
BLOCK = b"P" + bytes(BLOCK_SIZE - 1)


def made(cached):
    spent = []
    return FlashStore(PRICES, cached, spent.append), spent


@pytest.mark.parametrize("cached", [True, False])
def test_a_block_in_an_erased_place_is_programmed_without_an_erase(cached):
    store, spent = made(cached)
    store.write(0, 4, BLOCK)
    assert (store.chip.erases, store.chip.programs) == ({}, 2)
    assert (
        sum(spent)
        == PRICES["fat_seek_us"] + PRICES["flash_read_us"] + 2 * PRICES["flash_program_us"]
    )


@pytest.mark.parametrize(("cached", "erases"), [(True, 1), (False, 2)])
def test_a_block_written_again_erases_its_sector_and_without_ram_the_scratch_sector_too(
    cached, erases
):
    store, _ = made(cached)
    store.write(0, 4, BLOCK)
    store.write(0, 4, BLOCK)
    assert sum(store.chip.erases.values()) == erases


def test_without_ram_one_sector_takes_an_erase_of_every_event():
    store, _ = made(False)
    for block in range(40):
        for copy in (0, 1):
            for _ in range(3):
                store.write(copy, block, BLOCK)
    most, next_most = sorted(store.chip.erases.values())[:-3:-1]
    assert most == 2 * 40 * 2 > 5 * next_most


@pytest.mark.parametrize("cached", [True, False])
def test_what_is_written_is_what_is_read_whatever_the_order(cached):
    luck, (store, _), held = random.Random(7), made(cached), {}
    for _ in range(600):
        place = luck.randrange(2), luck.randrange(30)
        data = luck.randbytes(BLOCK_SIZE - 20) + b"\xff" * 20
        store.write(*place, data)
        held[place] = data
    assert all(store.read(*place) == data for place, data in held.items())
    assert store.read(1, 200) == b"\xff" * BLOCK_SIZE


def test_an_esp32_s3_erases_a_sector_for_each_block_and_twice_an_event():
    store = FlashStore(PRICES, internal=True)
    ring = Ring(store)
    for number in range(50):
        before = sum(store.chip.erases.values())
        ring.put(bytes([number + 1] * 24))
        ring.flush()
        assert sum(store.chip.erases.values()) - before == 2
    again = Ring(store)
    again.recover()
    assert again.head == 50


def test_an_esp32_s3_says_nothing_of_a_sector_that_holds_no_more():
    store = FlashStore(PRICES, internal=True)
    store.chip.worn.add((STARTS[0] + 4) // BLOCKS)
    store.write(0, 4, BLOCK)
    data = bytearray(BLOCK_SIZE)
    store.readinto(0, 4, data)
    assert data == b"\xff" * BLOCK_SIZE
