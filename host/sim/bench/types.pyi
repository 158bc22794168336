"""The types of what the virtual bench passes around. For type checkers alone: nothing imports this
file at run time.

Import it under ``TYPE_CHECKING``; it may name any module without a cycle of imports.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from host.sim.bench.chip import Chip as Chip
from host.sim.bench.works import Works as Works

Answer: TypeAlias = (
    "None | bool | int | float | str | bytes | Sequence[Answer] | Mapping[Answer, Answer]"
)
"""What an expression comes to on the board, as it would come back in text."""
