"""Finds the few faults that a failure needs: first drops whole kinds, then halves the list.

A shorter list counts if the run still fails for the same reason, apart from numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.torture.types import Fails, Fault


def pattern(violation: str) -> str:
    """Return a violation's sentence without its time, table and numbers."""
    return re.sub(r"\d+(\.\d+)?", "", violation).replace("table :", "")


def minimal(faults: Sequence[Fault], failing: Fails, runs: int) -> Sequence[Fault]:
    """Return the shortest list of ``faults`` found in ``runs`` runs for which ``failing`` is still
    true.

    ``failing(faults)`` runs them and returns whether the same thing fails.
    """
    left = [runs]

    def fails(some):
        left[0] -= 1
        return left[0] >= 0 and failing(some)

    for kind in sorted({one.kind for one in faults}):
        without = [one for one in faults if one.kind != kind]
        if fails(without):
            faults = without
    return _halved(faults, fails)


def _halved(faults, fails):
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
