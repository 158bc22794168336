"""A gateway on the modelled air, as the host's carrier sees it: it hears boards and sends beacons.

It stands for an ESP32-S3's, which scans while it advertises; its one radio hears nothing while it
sends. Its way to the PC takes no time, and its clock is the PC's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware.core import frames, usb
from host.collector.beacon_caster import sends
from host.sim.chip.radio import structures

if TYPE_CHECKING:
    from host.sim.ether.hall import Spot
    from host.sim.ether.station import Heard
    from host.sim.ether.types import Ether

_COPY_S = 0.02  # between copies of an advert (firmware/gateway/relay.py)
_CHANNEL_S = 0.02
_OURS = bytes((0xFF, usb.COMPANY_ID & 255, usb.COMPANY_ID >> 8))


class EtherGateways:
    """Gateways at ``spots``, with the part of ``Gateways`` that a beacon's caster uses.

    ``listeners`` get each frame of a board, by whatever gateway.
    """

    def __init__(self, ether: Ether, spots: list[Spot]):
        self._ether = ether
        self.listeners: list[Callable[[bytes], None]] = []
        self._stations = [ether.station(spot, exclusive=False) for spot in spots]
        for place, station in enumerate(self._stations):
            station.hear = self._hear
            # each is on another channel, as those are that were not plugged in at one instant
            ether.loop.call_later(place * _CHANNEL_S, station.scan, _CHANNEL_S, _CHANNEL_S)

    @property
    def apart(self) -> int:
        """How many can be told to send alone."""
        return len(self._stations)

    def now_us(self) -> int:
        """Return the time of ``send``."""
        return self._ether.now_us

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int = 2) -> int:
        """Have gateways send ``advert`` from ``at_us`` on; return how many will."""
        found = self._stations
        chosen = [one for place, one in enumerate(found) if sends(place, turn, len(found))]
        for station in chosen:
            self._ether.loop.call_at(at_us / 1e6, self._begin, station, advert, span_ms)
        return len(chosen)

    def _begin(self, station, advert, span_ms):
        station.advertise(advert, _COPY_S)
        data = station.data
        self._ether.loop.call_later(span_ms / 1000, self._end, station, data)

    def _end(self, station, data):
        if station.data is data:
            station.stop()

    def _hear(self, heard: Heard):
        for one in structures(heard.data):
            if one.startswith(_OURS) and len(one) == len(_OURS) + frames.SIZE:
                for listen in self.listeners:
                    listen(one[len(_OURS) :])
