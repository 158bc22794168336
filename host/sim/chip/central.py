"""The one central that may connect to a chip, and its connection as the chip's program sees it."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from host.sim.chip.types import Adapter


class Advert(NamedTuple):
    """An advert on the air: when (us since the Chip's creation), of whom, how strong, and what."""

    at_us: int
    address: bytes
    rssi: int
    data: bytes


class Central:
    """The central in range: it connects, subscribes, writes ``frames`` and keeps what is ``sent``.

    Between ``connect`` and ``leave`` it is subscribed to everything, and its MTU is known.
    """

    def __init__(self):
        self.adapter: Adapter | None = None
        self.connections: tuple[Connection, ...] = ()
        self.frames: collections.deque[bytes] = collections.deque()
        self.sent: list[bytes] = []

    def connect(self) -> bool:
        """Connect, which ends the advert; False where the board does not advertise."""
        if self.adapter is None or not self.adapter.advertising or self.connections:
            return False
        self.adapter.stop_advertising()
        self.connections = (Connection(self),)
        return True

    def leave(self) -> None:
        """End the link; what is under way is lost."""
        self.connections = ()
        self.frames.clear()
        self.sent.clear()


class Connection:
    """``_bleio.Connection`` of the central."""

    paired = False

    def __init__(self, central: Central):
        self._central = central

    @property
    def connected(self) -> bool:
        """Whether the link is open."""
        return self in self._central.connections

    def disconnect(self) -> None:
        """End the link; AssertionError where it has gone, which the chip does not bear."""
        assert self.connected, "a link that has gone is not disconnected (Connection.c:126)"
        self._central.leave()
