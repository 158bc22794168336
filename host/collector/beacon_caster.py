"""Broadcasts what a BeaconSender plans, over gateways, each frame at its time."""

import asyncio
import struct
from collections.abc import Callable
from typing import Protocol

from firmware.core import beacon, usb
from host.collector.beacon_sender import SLOT_MS, BeaconSender

ALL = 2  # no turn: every gateway sends
_MANUFACTURER = 0xFF
_POLL_S = 0.05
_WHOLE, _HALF = 16, 8  # of so many cycles two are for every other gateway: the rest hear them


class Sender(Protocol):
    """Whoever sends adverts at a time of its own clock (``carriers.gateways.Gateways``)."""

    @property
    def now_us(self) -> Callable[[], int]:
        """The clock of ``send``."""
        ...

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int, /) -> int:
        """Send ``advert`` from ``at_us`` on; return how many do. In ``turn`` 0 or 1 every other
        gateway sends, and the others hear it.
        """
        ...


def advert(frame: bytes) -> bytes:
    """Return the 31 bytes that carry a beacon's ``frame`` of 27: manufacturer data alone."""
    return struct.pack("<BBH", 3 + len(frame), _MANUFACTURER, usb.COMPANY_ID) + frame


def turn(at_ms: int) -> int:
    """Return the gateways' turn at an event time: mostly ``ALL``."""
    place = at_ms // beacon.CYCLE_MS % _WHOLE
    return ALL if place % _HALF else place // _HALF


class BeaconCaster:
    """Gives what ``sender`` plans to ``gateways``; ``now_ms()`` is the host's event time."""

    def __init__(self, sender: BeaconSender, gateways: Sender, now_ms: Callable[[], int]):
        self._sender, self._gateways, self._now_ms = sender, gateways, now_ms

    def step(self) -> None:
        """Give on what is to be sent soon."""
        now_ms, now_us = self._now_ms(), self._gateways.now_us()
        for sending in self._sender.poll(now_ms):
            at_us = now_us + (sending.at_ms - now_ms) * 1000
            self._gateways.send(advert(sending.frame), at_us, SLOT_MS, turn(sending.at_ms))

    async def run(self) -> None:
        """Broadcast until cancelled."""
        while True:
            self.step()
            await asyncio.sleep(_POLL_S)
