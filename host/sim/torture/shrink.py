"""The few faults that a failure needs: kinds are switched off first, then the list is halved.

A smaller list counts when the run still breaks for the same reason, numbers aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.sim.torture.types import Fails, Fault


def reason(violation: str) -> str:
    """Return what a violation says, without its time, its table and its numbers."""
    return re.sub(r"\d+(\.\d+)?", "", violation).replace("table :", "")


def shrunk(faults: Sequence[Fault], failing: Fails, runs: int) -> Sequence[Fault]:
    """Return the fewest of ``faults`` found in so many ``runs`` with which ``failing`` still holds.

    ``failing(faults)`` runs and says whether the same thing breaks.
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
