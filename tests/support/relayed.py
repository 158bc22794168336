"""Venues of the pure air in which somebody without a key relays and replays for all of the time."""

import asyncio
import pathlib
import tempfile
from typing import NamedTuple

from host.sim import clock
from host.sim.torture import fault_plan, seed_runs
from host.sim.torture.faulty_run import FaultyRun
from host.sim.torture.faulty_venue import FaultyVenue

TABLES, HOURS = 2, 0.25
# as ``fault_plan.KINDS``: what the attacker does, and what happens to anybody meanwhile
ATTACKS = {
    "relay": (12, True, 200, 600),
    "replay": (12, False, 60, 300),
    "phone": (4, True, 20, 90),
}
MISHAPS = {
    "kill": (4, False, 0, 0), "reset": (1, True, 0, 0), "cut": (1, True, 0, 0),
    "loss": (2, False, 30, 90),
}  # fmt: skip


class Spent(NamedTuple):
    """The violations, and the down counters that a host used, by board, with their hours."""

    violations: list[str]
    counters: dict[int, int]
    hours: float
    faults: dict[str, int]


def run(seed, attacked=True):
    """Run a seed, ``attacked`` or with its mishaps alone; return what was Spent."""
    kinds = {**MISHAPS, **(ATTACKS if attacked else {})}
    faults = fault_plan.draw_faults(seed, TABLES, HOURS * 3600, kinds)

    async def main(folder):
        venue = FaultyVenue(asyncio.get_running_loop(), folder, TABLES, seed)
        outcome = await FaultyRun(venue, HOURS, seed, faults).run()
        spent = dict.fromkeys(venue.tables, 0)
        for device, _, _ in venue.invariants.sent_frames:
            if device in spent:
                spent[device] += 1
        return Spent(outcome.violations, spent, outcome.virtual_s / 3600, outcome.faults)

    with tempfile.TemporaryDirectory(dir=seed_runs.memory_folder()) as folder:
        return clock.run(main(pathlib.Path(folder)))
