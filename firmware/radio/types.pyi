"""The types of what the radio's modules pass around: for type checkers, laid on no board."""

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from _bleio import Characteristic, PacketBuffer

from firmware.radio.link import Link

Ends: TypeAlias = tuple[PacketBuffer, Characteristic, PacketBuffer]
"""What the host writes, what is notified, and the watch over it (``service``)."""
Declare: TypeAlias = Callable[[], Ends]
"""Declares the service (``service.ends``)."""
Kind = TypeVar("Kind", bound=Link)

class Works(Protocol):
    """What a soak needs of a board (``board/gauge``)."""

    def ticks(self) -> int: ...
    def rest(self) -> None: ...
    def free(self) -> int: ...
    def chip_free(self) -> int: ...
    def write(self) -> tuple[int, ...]:
        """Write a block of the journal twice; return what either took, in us."""
