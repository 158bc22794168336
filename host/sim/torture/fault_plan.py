"""The faults of a run and their times, drawn from the seed before the run begins.

Each fault has random numbers of its own, so removing one changes no other; ``shrink`` depends on
that. Times are seconds of the loop.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

WHOLE_VENUE = 0  # in place of a table's number

# kind: (how many an hour, whether at each table, shortest and longest in seconds)
Kind: TypeAlias = tuple[float, bool, float, float]
KINDS: dict[str, Kind] = {
    "loss": (3, False, 60, 600),
    "burst": (6, False, 5, 40),
    "twice": (2, False, 60, 400),
    "late": (3, False, 60, 300),
    "flip": (3, False, 30, 200),
    "replay": (3, False, 20, 120),
    "forge": (3, False, 20, 120),
    "garbage": (2, False, 10, 60),
    "relay": (0.5, True, 120, 600),
    "phone": (0.4, True, 20, 90),
    "cut": (0.8, True, 0, 0),
    "crash": (0.4, True, 0, 0),
    "yank": (0.2, True, 0, 0),
    "reset": (0.3, True, 0, 0),
    "back": (0.2, True, 0, 0),
    "drift": (0.1, True, 30, 120),
    "roll": (0.6, True, 0, 0),
    "kill": (5, False, 0, 0),
    "full": (1, False, 10, 60),
    "sleep": (1, False, 20, 240),
    "step": (0.4, False, 0, 0),
    "second": (0.3, False, 30, 120),
    "swap": (1.5, False, 0, 0),
    "impostor": (0.5, True, 120, 400),
}


@dataclass(frozen=True)
class Fault:
    """One fault; ``number`` is unique among those of its kind in a run."""

    number: int
    kind: str
    at_s: float
    length_s: float
    table: int = WHOLE_VENUE

    def luck(self, seed: int) -> Random:
        """Return the fault's own random numbers."""
        return random.Random(f"fault {seed} {self.kind} {self.number}")

    def __str__(self):
        place = f" table {self.table}" if self.table else ""
        length = f" for {self.length_s:.0f} s" if self.length_s else ""
        return f"{self.at_s:.1f} s: {self.kind}{place}{length} (#{self.number})"


def draw_faults(
    seed: int, tables: int, span_s: float, kinds: Mapping[str, Kind] = KINDS
) -> list[Fault]:
    """Return the Faults of a run of ``span_s`` seconds at ``tables`` tables, ordered by time.

    ``kinds`` is a table as KINDS.
    """
    faults: list[Fault] = []
    for kind, (rate, at_tables, shortest_s, longest_s) in kinds.items():
        luck, mean, number = random.Random(f"plan {seed} {kind}"), rate * span_s / 3600, 0
        for table in range(1, tables + 1) if at_tables else (WHOLE_VENUE,):
            count = int(mean)
            if luck.random() < mean % 1:
                count += 1
            for _ in range(count):
                at_s, length_s = luck.uniform(0, span_s), luck.uniform(shortest_s, longest_s)
                faults.append(Fault(number, kind, at_s, length_s, table))
                number += 1
    return sorted(faults, key=lambda fault: fault.at_s)
