"""Virtual time jumps, keeps the order of ties, and never waits for nothing; its calendar."""

import asyncio
import collections
import math
import struct
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.sim import clock
from host.sim.clock import AT_ONCE_S, Timers, VirtualLoop


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


TIMES = st.floats(0, 5, allow_nan=False) | st.sampled_from([1 / 16, 1 / 8, 1.0, 2.0 - 1e-12])


def _timer(loop, when_s):
    return asyncio.TimerHandle(when_s, print, (), loop)


def _all(timers):
    """Return the timers in the order in which they become due."""
    taken, now_s = [], 0.0
    while True:
        ready = collections.deque()
        due_s = timers.take_first(now_s, ready)
        if due_s is None:
            return taken
        assert all(one.when() < due_s + AT_ONCE_S for one in ready)
        now_s = max(now_s, due_s)
        taken += ready


@given(st.lists(st.tuples(TIMES, st.booleans())))
def test_timers_come_by_time_and_then_as_they_were_set(wanted):
    loop, timers = VirtualLoop(), Timers()
    made = [(_timer(loop, when_s), gone) for when_s, gone in wanted]
    for timer, _ in made:
        timers.add(timer.when(), timer)
    for timer, gone in made:
        if gone:
            timer._cancelled = True
            timers.cancelled += 1
    left = [timer for timer, gone in made if not gone]
    assert _all(timers) == sorted(left, key=lambda one: one.when())
    assert len(timers) == timers.cancelled == 0
    loop.close()


@given(st.lists(TIMES, min_size=1), TIMES)
def test_what_is_set_while_time_passes_takes_its_place(times, late_s):
    loop, timers = VirtualLoop(), Timers()
    for when_s in times:
        timers.add(when_s, _timer(loop, when_s))
    ready = collections.deque()
    now_s = timers.take_first(0.0, ready)
    late = _timer(loop, late_s)
    timers.add(late_s, late)  # may be due already
    after = [one.when() for one in _all(timers)]
    assert len(ready) + len(after) == len(times) + 1 and after == sorted(after)
    assert late_s in after and now_s == min(times)
    loop.close()


def test_cancelled_timers_far_ahead_are_cleared_away():
    loop = VirtualLoop()

    async def main():
        for _ in range(1000):
            loop.call_later(3600, print).cancel()
            await asyncio.sleep(0.1)
        return len(loop.timers)

    assert loop.run_until_complete(main()) < 300
    loop.close()


def test_a_timer_that_is_never_due_holds_up_no_other():
    loop, timers, ready = VirtualLoop(), Timers(), collections.deque()
    soon = _timer(loop, 1.0)
    timers.add(math.inf, _timer(loop, math.inf))
    timers.add(1.0, soon)
    assert timers.take_first(0.0, ready) == 1.0 and list(ready) == [soon]
    loop.close()
