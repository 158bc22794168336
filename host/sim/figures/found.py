"""What one part of the bench finds: rows of the table, and drawings by file name."""

from __future__ import annotations

from dataclasses import dataclass, field

from host.sim.figures.rows import Row


@dataclass(frozen=True)
class Found:
    """Rows of the table, and SVG texts by file name."""

    rows: list[Row]
    drawings: dict[str, str] = field(default_factory=dict)
