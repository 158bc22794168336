"""One advertising channel: the packets on the air, and which of them a receiver can make out."""

from __future__ import annotations

import collections
from random import Random
from typing import TYPE_CHECKING

from host.sim.ether.foreign import Blast, Foreign
from host.sim.ether.hall import SENSITIVITY_DBM, Spot, level_dbm

if TYPE_CHECKING:
    from host.sim.ether.types import Station

CAPTURE_DB = 14  # carrier to co-channel interferer: data sheets say 12 to 14, the Core at most 21
_LONGEST_US = 2000  # nothing on these channels lasts so long


class Packet:
    """A packet on the air from ``start_us`` to ``end_us``; ``data`` is an advert's."""

    __slots__ = "channel", "connectable", "data", "end_us", "sender", "start_us"

    def __init__(
        self, sender: Station, channel: int, start_us: int, end_us: int, data: bytes,
        connectable: bool,
    ):  # fmt: skip
        self.sender, self.channel, self.data, self.connectable = sender, channel, data, connectable
        self.start_us, self.end_us = start_us, end_us


class Channel:
    """The air of one channel. ``capture_db`` None: whatever overlaps destroys both."""

    def __init__(self, load: float, far: Spot, luck: Random, capture_db: float | None):
        self._luck, self._capture_db = luck, capture_db
        self.foreign = Foreign(load, far, luck)
        self._packets: collections.deque[Packet] = collections.deque()

    def add(self, packet: Packet) -> None:
        """Send ``packet``."""
        packets, old_us = self._packets, packet.start_us - 2 * _LONGEST_US
        while packets and packets[0].end_us < old_us:
            packets.popleft()
        packets.append(packet)

    def others(self, packet: Packet) -> list[Packet | Blast]:
        """Return all that is on the air during a part of ``packet``, which has ended."""
        start_us, end_us = packet.start_us, packet.end_us
        ours: list[Packet | Blast] = [
            other
            for other in self._packets
            if other.start_us < end_us and other.end_us > start_us and other is not packet
        ]
        return ours + self.foreign.during(start_us, end_us)

    def level(self, packet: Packet, others: list[Packet | Blast], receiver: Spot) -> float | None:
        """Return how strong (dBm) ``receiver`` gets ``packet``, or None if it does not.

        What came first holds the receiver, however strong the next one is; what comes later
        destroys it unless it is weaker by ``capture_db``.
        """
        level = level_dbm(packet.sender.spot, receiver, self._luck)
        if level < SENSITIVITY_DBM:
            return None
        for other in others:
            if self._capture_db is None:
                return None
            heard = level_dbm(_spot(other), receiver, self._luck)
            first = other.start_us <= packet.start_us
            if first and heard >= SENSITIVITY_DBM or heard > level - self._capture_db:
                return None
        return level

    def clear(self, length_us: int) -> bool:
        """Draw whether nothing foreign hits ``length_us`` on a channel of connections."""
        return self.foreign.clear(length_us)


def _spot(sent: Packet | Blast) -> Spot:
    return sent.sender.spot if isinstance(sent, Packet) else sent.spot
