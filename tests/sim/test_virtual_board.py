"""The virtual board's parts: its own clock, keys with time stamps, a store that reads as flash."""

import asyncio

import pytest

from host.sim import clock
from host.sim.board import BoardReset, VirtualBoard


def in_time(body):
    async def main():
        return await body(asyncio.get_running_loop())

    return clock.run(main())


def test_the_clock_runs_with_its_own_skew_and_finds_its_way_back():
    async def body(loop):
        await asyncio.sleep(100)
        board = VirtualBoard(loop, {}, 1, skew_ppm=500, offset_ms=70)
        await asyncio.sleep(1000)
        assert board.clock.now_ms() == 70 + 1_000_500
        for ahead_ms in (0, 1, 7, 20, 1000, 123_457):
            due_ms = board.clock.now_ms() + ahead_ms
            await asyncio.sleep(board.clock.when(due_ms) - loop.time())
            assert board.clock.now_ms() == due_ms

    in_time(body)


def test_a_finger_makes_two_edges_and_wakes_the_board_twice():
    woken = []

    async def body(loop):
        board = VirtualBoard(loop, {}, 1, wake=lambda: woken.append(loop.time()))
        board.keys.press(1, for_ms=200)
        board.keys.press(1, for_ms=900)  # it is down already: one finger a key
        await asyncio.sleep(1)
        assert board.keys.poll() == [(1, True, 0), (1, False, 200)]
        assert board.keys.poll() == []

    in_time(body)
    assert woken == [0, 0.2]


def test_the_store_reads_erased_until_written_and_refuses_half_blocks():
    async def body(loop):
        store = VirtualBoard(loop, {}, 1).store
        assert store.read(1, 9) == b"\xff" * 512
        store.write(1, 9, bytes(512))
        assert store.read(1, 9) == bytes(512) and store.read(0, 9) == b"\xff" * 512
        for block, data in ((9, b"short"), (store.blocks, bytes(512))):
            with pytest.raises(ValueError):
                store.write(0, block, data)

    in_time(body)


def test_entropy_comes_from_the_seed_and_a_reset_ends_the_program():
    async def body(loop):
        one, same, other = (VirtualBoard(loop, {}, seed) for seed in (5, 5, 6))
        drawn = one.entropy(50)
        assert len(drawn) == 50 and drawn == same.entropy(50) != other.entropy(50)
        with pytest.raises(BoardReset):
            one.reset()

    in_time(body)
