"""The calendar of timers gives them in the order of a sorted list, and keeps no cancelled ones."""

import asyncio
import collections
import math

from hypothesis import given
from hypothesis import strategies as st

from host.sim.clock import AT_ONCE_S, Timers, VirtualLoop

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
