"""The counts and measurements of a run, as ``plusthree dev simulate`` prints them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from host.base.json_values import Json


def percentile(values: Iterable[int], percent: int) -> int:
    """Return the nearest-rank percentile of numbers; 0 when there are none."""
    ranked = sorted(values)
    if not ranked:
        return 0
    return ranked[max(0, -(-len(ranked) * percent // 100) - 1)]


@dataclass
class Facts:
    """Counts and measurements of one run; ``violations`` are sentences in the order found."""

    expected: int = 0
    archived: int = 0
    lost: int = 0
    duplicated: int = 0
    conflicts: int = 0
    violations: list = field(default_factory=list)
    clock_errors_ms: list = field(default_factory=list)
    starts_ms: dict = field(default_factory=dict)  # by round: when each table's clock began
    last_results_s: list = field(default_factory=list)  # by round
    frames: dict = field(default_factory=lambda: {"up": 0, "down": 0, "rejected": 0})

    def check(self, holds: bool, sentence: str) -> None:
        """Add ``sentence`` to the violations unless it ``holds``."""
        if not holds:
            self.violations.append(sentence)

    @property
    def sound(self) -> bool:
        """Whether every result arrived exactly once and nothing was violated."""
        whole = self.archived == self.expected and not self.lost
        return whole and not (self.duplicated or self.conflicts or self.violations)

    @property
    def start_spread_ms(self) -> int:
        """The largest difference between the starts of a round's clocks, in ms."""
        spreads = (max(starts) - min(starts) for starts in self.starts_ms.values() if starts)
        return max(spreads, default=0)

    def as_object(self, run: dict[str, Json], virtual_s: float, wall_s: float) -> dict[str, Json]:
        """Return the printed object; ``run`` holds tables, rounds, seed and air."""
        errors = self.clock_errors_ms
        return {
            **run,
            "results_expected": self.expected,
            "results_archived": self.archived,
            "lost": self.lost,
            "duplicated": self.duplicated,
            "conflicts": self.conflicts,
            "violations": self.violations,
            "frames": self.frames,
            "start_spread_ms": self.start_spread_ms,
            "clock_error_ms": {
                "p50": percentile(errors, 50),
                "p99": percentile(errors, 99),
                "max": max(errors, default=0),
            },
            "last_result_s": max(self.last_results_s, default=None),
            "virtual_s": round(virtual_s, 3),
            "wall_s": round(wall_s, 2),
        }
