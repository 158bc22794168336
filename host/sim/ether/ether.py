"""The ether: stations send on three channels, and those who listen get what does not collide."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

from host.sim.ether import airtime, channel, hall, station
from host.sim.ether.channel import Channel, Packet
from host.sim.ether.hall import Spot
from host.sim.ether.scans import Scan, Scans
from host.sim.ether.station import Station

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

LOAD = 0.25


class Ether:
    """The air of one hall on a loop with virtual time (``host.sim.clock``).

    ``load``: the share of each channel's time that others take, from anywhere in the hall up to
    ``far``. ``capture_db`` as in ``Channel``. ``counts``: packets ``sent`` that somebody listened
    to, and how their receptions ended: ``heard``, ``busy``, ``lost``.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        seed: int,
        *,
        load: float = LOAD,
        far: Spot = hall.FAR,
        capture_db: float | None = channel.CAPTURE_DB,
    ):
        self.loop, self.scans = loop, Scans()
        self.luck = random.Random(f"ether {seed}")
        self.counts: Counter[str] = Counter()
        self.channels = [
            Channel(load, far, random.Random(f"channel {number} {seed}"), capture_db)
            for number in range(airtime.CHANNELS)
        ]

    @property
    def now_us(self) -> int:
        """True time."""
        return round(self.loop.time() * 1_000_000)

    def station(
        self,
        spot: Spot = hall.CORNER,
        *,
        ppm: float = 0.0,
        exclusive: bool = True,
        decoding_us: int = station.DECODING_US,
    ) -> Station:
        """Return a new Station at ``spot``, as its class describes it."""
        return Station(self, spot, ppm=ppm, exclusive=exclusive, decoding_us=decoding_us)

    def send(self, sender: Station, data: bytes, connectable: bool, step_us: int) -> None:
        """Send one advertising event: the advert on each channel, ``step_us`` apart."""
        start_us, length_us = self.now_us, airtime.advert_us(len(data))
        for number in range(airtime.CHANNELS):
            end_us = start_us + length_us
            packet = Packet(sender, number, start_us, end_us, data, connectable)
            self.channels[number].add(packet)
            listening = self.scans.listening(number, start_us, end_us)
            if listening:
                self.loop.call_at(end_us / 1_000_000, self._arrive, packet, listening)
            start_us += step_us

    def _arrive(self, packet: Packet, listening: list[Scan]):
        air, counts = self.channels[packet.channel], self.counts
        others = air.others(packet)
        counts["sent"] += 1
        for scan in listening:
            receiver = scan.station
            if not receiver.free(scan, packet.start_us, packet.end_us):
                counts["busy"] += receiver is not packet.sender
                continue
            level_dbm = air.level(packet, others, receiver.spot)
            counts["lost" if level_dbm is None else "heard"] += 1
            if level_dbm is not None:
                receiver.take(packet, level_dbm)


def hall_of(
    loop: AbstractEventLoop, seed: int, tables: int, *, load: float = LOAD
) -> tuple[Ether, list[Spot]]:
    """Return an ether as large as a hall of ``tables`` tables, and the tables' places."""
    return Ether(loop, seed, load=load, far=hall.size_m(tables)), hall.tables(tables)
