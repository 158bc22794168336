"""The flash below the journal: what a write costs the chip, and that it says nothing of its errors."""

import random

from firmware.core.ring import Ring
from host.sim import prices
from host.sim.board import BLOCK_SIZE, STARTS, FlashStore
from host.sim.chip.flash import BLOCKS

PRICES = prices.load().on("feathers3")
BLOCK = b"P" + bytes(BLOCK_SIZE - 1)


def test_a_block_costs_its_sectors_erase_and_all_its_pages():
    spent = []
    store = FlashStore(PRICES, spent.append)
    store.write(0, 4, BLOCK)
    assert (sum(store.chip.erases.values()), store.chip.programs) == (1, 16)
    paid = {"fat_seek_us": 1, "flash_read_us": 8, "flash_erase_us": 1, "flash_program_us": 16}
    assert sum(spent) == sum(PRICES[name] * times for name, times in paid.items())


def test_what_is_written_is_what_is_read_whatever_the_order():
    luck, store, held = random.Random(7), FlashStore(PRICES), {}
    for _ in range(600):
        place = luck.randrange(2), luck.randrange(30)
        data = luck.randbytes(BLOCK_SIZE - 20) + b"\xff" * 20
        store.write(*place, data)
        held[place] = data
    assert all(store.read(*place) == data for place, data in held.items())
    assert store.read(1, 200) == b"\xff" * BLOCK_SIZE


def test_an_event_erases_a_sector_of_each_copy():
    store = FlashStore(PRICES)
    ring = Ring(store)
    for number in range(50):
        before = sum(store.chip.erases.values())
        ring.put(bytes([number + 1] * 24))
        ring.flush()
        assert sum(store.chip.erases.values()) - before == 2
    again = Ring(store)
    again.recover()
    assert again.head == 50


def test_a_sector_that_holds_no_more_is_not_told():
    store = FlashStore(PRICES)
    store.chip.worn.add((STARTS[0] + 4) // BLOCKS)
    store.write(0, 4, BLOCK)
    data = bytearray(BLOCK_SIZE)
    store.readinto(0, 4, data)
    assert data == b"\xff" * BLOCK_SIZE
