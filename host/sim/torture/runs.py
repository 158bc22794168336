"""Runs by seed: each in a fresh hall, in virtual time, with its files in memory."""

import asyncio
import functools
import multiprocessing
import os
import pathlib
import signal
import tempfile
from concurrent.futures import ProcessPoolExecutor

from host.sim import clock
from host.sim.torture import plan, shrink
from host.sim.torture.ordeal import Ordeal, Outcome, fallen

_SHRINKS = 60


def once(seed, tables, hours, faults=None, prices=None):
    """Live one run; return its Outcome.

    ``faults`` are those of the seed's plan when left out, ``prices`` ours.
    """
    if faults is None:
        faults = plan.drawn(seed, tables, hours * 3600)

    async def main(folder):
        loop = asyncio.get_running_loop()
        return await Ordeal(loop, folder, tables, hours, seed, faults, prices).run()

    with tempfile.TemporaryDirectory(prefix="plusthree-", dir=_memory()) as folder:
        try:
            return clock.run(main(pathlib.Path(folder)))
        except clock.Standstill as error:
            return Outcome(violations=[str(error)])
        except (
            Exception
        ) as error:  # before the run could begin, or where it could only wait for ever
            return Outcome(violations=[f"0.0 s: {fallen(error)}"])


def every(seeds, tables, hours, jobs, prices=None):
    """Yield the Outcome of each of ``seeds`` in their order, ``jobs`` of them at a time in
    processes of their own.
    """
    lived = functools.partial(once, tables=tables, hours=hours, prices=prices)
    if jobs == 1:
        yield from map(lived, seeds)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _uninterrupted)
    try:
        yield from pool.map(lived, seeds)
    finally:
        pool.shutdown(cancel_futures=True)


def _uninterrupted():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that has them


def steps(seed, tables, hours, violation, most=_SHRINKS, prices=None):
    """Return the few Faults that a run needs to break as it did, in at most so many runs."""
    wanted = shrink.reason(violation)

    def failing(faults):
        found = once(seed, tables, hours, faults, prices).violations
        return any(shrink.reason(one) == wanted for one in found)

    at_s = float(violation.partition(" ")[0])
    faults = [one for one in plan.drawn(seed, tables, hours * 3600) if one.at_s <= at_s]
    return shrink.shrunk(faults, failing, most)


def _memory():
    """Return a folder in memory where the system has one: nobody pulls this PC's plug."""
    shared = pathlib.Path("/dev/shm")
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else None
