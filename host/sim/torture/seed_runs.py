"""Runs by seed: each in a fresh venue, in virtual time, with its files in memory.

Of a run that fails the few faults are found that it needs: first whole kinds are dropped, then the
list is halved. A shorter list counts if the run still fails for the same reason, apart from
numbers.
"""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
import os
import pathlib
import re
import signal
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

from host.sim import clock
from host.sim.torture import fault_plan, invariants
from host.sim.torture.faulty_run import FaultyRun, Outcome
from host.sim.torture.faulty_venue import FaultyVenue

if TYPE_CHECKING:
    from host.sim.prices import Book
    from host.sim.torture.types import Fails, Fault


_SHRINKS = 60


def pattern(violation: str) -> str:
    """Return a violation's sentence without its time, table and numbers."""
    return re.sub(r"\d+(\.\d+)?", "", violation).replace("table :", "")


def minimal(faults: Sequence[Fault], failing: Fails, runs: int) -> Sequence[Fault]:
    """Return the shortest list of ``faults`` found in ``runs`` runs for which ``failing`` is still
    true.

    ``failing(faults)`` runs them and returns whether the same thing fails.
    """

    def fails(shorter):
        nonlocal runs
        runs -= 1
        return runs >= 0 and failing(shorter)

    for kind in sorted({fault.kind for fault in faults}):
        without = [fault for fault in faults if fault.kind != kind]
        if fails(without):
            faults = without
    return _halved(faults, fails)


def _halved(faults, fails):
    """Return the shortest failing list found by leaving out parts, first halves, then ever smaller
    ones (delta debugging).
    """
    parts = 2
    while faults:
        size = max(1, len(faults) // parts)
        for first in range(0, len(faults), size):
            without = faults[:first] + faults[first + size :]
            if fails(without):
                faults, parts = without, max(2, parts - 1)
                break
        else:
            if size == 1:
                break
            parts = min(len(faults), 2 * parts)
    return faults


def run_seed(
    seed: int,
    tables: int,
    hours: float,
    faults: Sequence[Fault] | None = None,
    prices: Book | None = None,
) -> Outcome:
    """Run one seed and return its Outcome.

    ``faults`` are those of the seed's plan by default, ``prices`` those of ``prices.toml``.
    """
    if faults is None:
        faults = fault_plan.draw_faults(seed, tables, hours * 3600)

    async def main(folder):
        venue = FaultyVenue(asyncio.get_running_loop(), folder, tables, seed, prices)
        return await FaultyRun(venue, hours, seed, faults).run()

    with tempfile.TemporaryDirectory(prefix="plusthree-", dir=memory_folder()) as folder:
        try:
            return clock.run(main(pathlib.Path(folder)))
        except clock.Standstill as error:
            return Outcome(violations=[str(error)])
        except Exception as error:  # before the run began, or as all of it could only wait
            return Outcome(violations=[f"0.0 s: {invariants.describe('the program', error)}"])


def run_seeds(
    seeds: Iterable[int], tables: int, hours: float, jobs: int, prices: Book | None = None
) -> Iterator[Outcome]:
    """Yield the Outcome of each of ``seeds`` in order, ``jobs`` at a time in processes of their
    own.
    """
    run = functools.partial(run_seed, tables=tables, hours=hours, prices=prices)
    if jobs == 1:
        yield from map(run, seeds)
        return
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _ignore_interrupts)
    try:
        yield from pool.map(run, seeds)
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the parent process


def minimal_faults(
    seed: int, tables: int, hours: float, violation: str, prices: Book | None = None
) -> Sequence[Fault]:
    """Return a minimal list of faults that still gives the same violation, found in a number
    of runs.
    """
    wanted = pattern(violation)

    def failing(faults):
        violations = run_seed(seed, tables, hours, faults, prices).violations
        return any(pattern(violation) == wanted for violation in violations)

    violated_s = float(violation.partition(" ")[0])
    faults = fault_plan.draw_faults(seed, tables, hours * 3600)
    return minimal([fault for fault in faults if fault.at_s <= violated_s], failing, _SHRINKS)


def memory_folder() -> pathlib.Path | None:
    """Return a folder in memory where the system has one; this PC's own disk is not under test."""
    shared = pathlib.Path("/dev/shm")
    return shared if shared.is_dir() and os.access(shared, os.W_OK) else None
