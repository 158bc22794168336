"""Broadcasts the frames that a BeaconSender plans, over gateways, each at its time."""

import asyncio
import struct
from collections.abc import Callable
from typing import Protocol

from firmware.core import beacon, usb
from host.collector.beacon_sender import SLOT_MS, BeaconSender

ALL = 2  # no turn: every gateway sends
ALONE = 16  # and from here on the place of the one that sends
_MANUFACTURER = 0xFF
_POLL_S = 0.02
_WHOLE, _HALF = 16, 8  # of so many cycles two are for every other gateway: the rest hear them


class Source(Protocol):
    """Gateways, any number of them: they hear boards and send adverts at a given time."""

    @property
    def count(self) -> int:
        """How many gateways hear boards."""
        ...

    @property
    def names(self) -> list[str]:
        """The names of the gateways that hear boards, for the desk."""
        ...

    @property
    def apart(self) -> int:
        """How many of them can be asked to send alone."""
        ...

    @property
    def now_us(self) -> Callable[[], int]:
        """The steady clock of ``send``."""
        ...

    async def run(self) -> None:
        """Hear until cancelled."""
        ...

    def send(self, advert: bytes, at_us: int, span_ms: int, turn: int = ALL, /) -> int:
        """Have gateways send ``advert`` from ``at_us`` on; return how many will.

        In ``turn`` 0 or 1 every other gateway sends, and the others hear it; from ``ALONE`` on one
        does.
        """
        ...


def advert(frame: bytes) -> bytes:
    """Return the 31 bytes that carry a beacon's ``frame`` of 27: manufacturer data alone."""
    return struct.pack("<BBH", 3 + len(frame), _MANUFACTURER, usb.COMPANY_ID) + frame


def sends(place: int, turn: int, gateways: int) -> bool:
    """Return whether the gateway of this ``place`` sends in a turn; one alone always does."""
    if turn >= ALONE:
        return place == turn - ALONE
    return turn == ALL or place % 2 == turn or gateways == 1


def turn(at_ms: int) -> int:
    """Return the gateways' turn at an event time: mostly ``ALL``."""
    cycle = at_ms // beacon.CYCLE_MS % _WHOLE
    return cycle // _HALF if cycle % _HALF == 0 else ALL


class BeaconCaster:
    """Hands the frames that ``sender`` plans to ``gateways``; ``now_ms()`` is event time."""

    def __init__(self, sender: BeaconSender, gateways: Source, now_ms: Callable[[], int]):
        self._sender, self._gateways, self._now_ms = sender, gateways, now_ms

    def step(self) -> None:
        """Hand over the frames that are to be sent soon."""
        now_ms, now_us = self._now_ms(), self._gateways.now_us()
        for at_ms, frame, gateway in self._sender.poll(now_ms, self._gateways.apart):
            at_us, its_turn = now_us + (at_ms - now_ms) * 1000, turn(at_ms)
            if gateway is not None and its_turn == ALL:  # else the gateways measure each other
                its_turn = ALONE + gateway
            self._gateways.send(advert(frame), at_us, SLOT_MS, its_turn)

    async def run(self) -> None:
        """Broadcast until cancelled."""
        while True:
            self.step()
            await asyncio.sleep(_POLL_S)
