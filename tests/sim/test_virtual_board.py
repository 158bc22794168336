"""The virtual board's parts: its own clock, keys with time stamps, and the flash below the journal."""

import asyncio
import random
from collections import Counter

import pytest
from stories import run_by

from firmware.core.ring import Ring
from host.sim import clock
from host.sim.board import BoardReset, RamStore, VirtualBoard
from host.sim.chip.flash import BLOCK, BLOCKS, Internal
from host.sim.table import Table


def in_time(body):
    async def main():
        return await body(asyncio.get_running_loop())

    return clock.run(main())


@run_by(in_time)
async def test_the_clock_runs_with_its_own_skew_and_finds_its_way_back(loop):
    await asyncio.sleep(100)
    board = VirtualBoard(loop, {}, 1, skew_ppm=500, offset_ms=70)
    await asyncio.sleep(1000)
    assert board.clock.now_ms() == 70 + 1_000_500
    for ahead_ms in (0, 1, 7, 20, 1000, 123_457):
        due_ms = board.clock.now_ms() + ahead_ms
        await asyncio.sleep(board.clock.when(due_ms) - loop.time())
        assert board.clock.now_ms() == due_ms


@run_by(in_time)
async def test_a_finger_makes_two_edges_and_wakes_the_board_twice(loop):
    woken = []
    board = VirtualBoard(loop, {}, 1, wake=lambda: woken.append(loop.time()))
    board.keys.press(1, for_ms=200)
    board.keys.press(1, for_ms=900)  # it is down already: one finger a key
    await asyncio.sleep(1)
    assert board.keys.poll() == [(1, True, 20), (1, False, 220)]
    assert board.keys.poll() == []
    assert woken == [0.02, 0.22]


@run_by(in_time)
async def test_an_edge_that_does_not_last_is_none(loop):
    board = VirtualBoard(loop, {}, 1)
    board.keys.press(1, for_ms=15)
    await asyncio.sleep(1)
    assert board.keys.poll() == []


@run_by(in_time)
async def test_of_more_edges_than_are_kept_none_counts_and_what_is_down_is_pressed_anew(loop):
    board = VirtualBoard(loop, {}, 1)
    for _ in range(12):
        board.keys.press(0, for_ms=40)
        await asyncio.sleep(0.1)
    board.keys.turn(1, True)
    await asyncio.sleep(0.1)
    assert board.keys.poll() == [(0, False, 0), (1, False, 0), (2, False, 0)]
    await asyncio.sleep(0.1)
    assert [edge[:2] for edge in board.keys.poll()] == [(1, True)]


@run_by(in_time)
async def test_what_the_parts_of_a_board_refuse(loop):
    board = VirtualBoard(loop, {}, 1)
    refused = (
        (board.leds.show, bytes(4)), (board.leds.show, bytes(3 * 9)), (board.sound.tone, 0),
        (board.heartbeat.write, bytes(61)), (board.heartbeat.write, b""),
    )  # fmt: skip
    for act, argument in refused:
        with pytest.raises(ValueError):
            act(argument)


@run_by(in_time)
async def test_a_watchdog_that_was_armed_bites(loop):
    board = VirtualBoard(loop, {}, 1)
    await asyncio.sleep(60)
    board.alive()
    await asyncio.sleep(20)
    board.alive()
    await asyncio.sleep(20.1)
    with pytest.raises(BoardReset):
        board.alive()


@run_by(in_time)
async def test_a_board_is_busy_for_as_long_as_its_work_takes(loop):
    board, steps = VirtualBoard(loop, {}, 1), []

    class Program:
        face = None

        def step(self):
            steps.append(round(loop.time(), 3))
            board.store.write(0, 1, bytes(512))
            return board.clock.now_ms() + 1000

    table = Table(loop, 1, board)
    table._look = lambda: None
    table.start(Program())
    for pause_s in (0, 1, 0, 0.5):
        await asyncio.sleep(pause_s)
        table.wake()
    await asyncio.sleep(0.01)
    first, again, second, third, *_ = steps
    assert (first, second) == (0, 1)
    assert 0.05 < again < 0.1 and 1.05 < third < 1.1, "a sector is erased and programmed"


@run_by(in_time)
async def test_a_block_costs_an_erase(loop):
    board = VirtualBoard(loop, {}, 1)
    board.store.write(0, 1, bytes(512))
    assert board.busy_us > 50_000


@run_by(in_time)
async def test_the_store_reads_erased_until_written_and_refuses_half_blocks(loop):
    store = VirtualBoard(loop, {}, 1).store
    assert store.read(1, 9) == b"\xff" * 512
    store.write(1, 9, bytes(512))
    assert store.read(1, 9) == bytes(512) and store.read(0, 9) == b"\xff" * 512
    for block, data in ((9, b"short"), (store.blocks, bytes(512))):
        with pytest.raises(ValueError):
            store.write(0, block, data)


@run_by(in_time)
async def test_a_block_that_looks_erased_is_programmed_as_it_is(loop):
    store = VirtualBoard(loop, {}, 1).store
    store.write(0, 1, b"\xff" * 8 + b"\x0f" * 504)
    store.write(0, 1, b"P" * 512)
    assert store.read(0, 1) == b"P" * 8 + b"\x00" * 504
    store.write(0, 1, b"Q" * 512)
    assert store.read(0, 1) == b"Q" * 512


@run_by(in_time)
async def test_entropy_comes_from_the_seed_and_a_reset_ends_the_program(loop):
    one, same, other = (VirtualBoard(loop, {}, seed) for seed in (5, 5, 6))
    drawn = one.entropy(50)
    assert len(drawn) == 50 and drawn == same.entropy(50) != other.entropy(50)
    with pytest.raises(BoardReset):
        one.reset()


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
