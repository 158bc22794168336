"""Runs by seed: each in a fresh hall, in virtual time, with its files in memory."""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
import os
import pathlib
import signal
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from host.sim import clock
from host.sim.torture import origin, plan, shrink
from host.sim.torture.ordeal import Ordeal, Outcome

if TYPE_CHECKING:
    from host.sim.prices import Book
    from host.sim.torture.types import Fault


_SHRINKS = 60


def once(
    seed: int,
    tables: int,
    hours: float,
    faults: Sequence[Fault] | None = None,
    prices: Book | None = None,
) -> Outcome:
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
            return Outcome(violations=[f"0.0 s: {origin.broke('the program', error)}"])


def every(
    seeds: Iterable[int], tables: int, hours: float, jobs: int, prices: Book | None = None
) -> Iterator[Outcome]:
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


def steps(
    seed: int,
    tables: int,
    hours: float,
    violation: str,
    most: int = _SHRINKS,
    prices: Book | None = None,
) -> Sequence[Fault]:
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
