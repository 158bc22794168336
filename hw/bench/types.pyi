"""The types of what is sent to a board on the bench: for type checkers alone."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from firmware.core.types import AdvertFrame as AdvertFrame
from hw.bench.selftest import Bench as Bench

Act: TypeAlias = Callable[[], object]
"""What is timed (``gauge``); what it returns is of no use."""
Names: TypeAlias = Sequence[str]

class Works(Protocol):
    """What a soak needs of a board (``gauge``)."""

    def ticks(self) -> int: ...
    def rest(self) -> None: ...
    def free(self) -> int: ...
    def chip_free(self) -> int: ...
    def write(self) -> tuple[int, ...]:
        """Write a block of the journal twice; return what either took, in us."""
