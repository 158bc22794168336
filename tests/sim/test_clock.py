"""Virtual time jumps, keeps the order of ties, and never waits for nothing."""

import asyncio
import struct
import time

import pytest

from host.sim import clock


def test_an_hour_takes_no_time():
    async def main():
        loop = asyncio.get_running_loop()
        await asyncio.sleep(3600)
        return loop.time()

    began_s = time.perf_counter()
    assert clock.run(main()) == 3600
    assert time.perf_counter() - began_s < 1


def test_equal_deadlines_run_in_the_order_they_were_set():
    order = []

    async def main():
        loop = asyncio.get_running_loop()
        for number in range(50):
            loop.call_at(7.0, order.append, number)
        loop.call_at(3.0, order.append, "first")
        await asyncio.sleep(8)

    clock.run(main())
    assert order == ["first", *range(50)]


def test_a_cancelled_timer_takes_no_part():
    async def main():
        loop = asyncio.get_running_loop()
        loop.call_later(5, pytest.fail).cancel()
        await asyncio.sleep(10)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 2)
        return loop.time()

    assert clock.run(main()) == 12


def test_waiting_for_nothing_is_told():
    with pytest.raises(clock.Deadlock):
        loop = clock.VirtualLoop()
        loop.run_until_complete(loop.create_future())


def test_acting_for_ever_without_time_is_told():
    async def restless():
        while True:
            await asyncio.sleep(0)

    with pytest.raises(clock.Standstill, match="^0.0 s: time stands still"):
        clock.run(restless())


def test_live_sleeps_as_long_as_it_jumps():
    slept = []
    clock.run(asyncio.sleep(2.5), sleep=slept.append)
    assert sum(slept) == 2.5


def test_what_a_boards_program_raises_ends_the_run():
    from firmware.core import frames

    async def crashing():
        asyncio.get_running_loop().call_later(1, frames.pack_time, None, None)
        await asyncio.sleep(5)

    with pytest.raises((TypeError, struct.error)):
        clock.run(crashing())
