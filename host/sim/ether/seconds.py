"""A beacon over the modelled air: how far apart the second edges of a hall's boards are.

One gateway repeats each stamp as copies; boards scan 29 ms in 97, get to their radio once in
20 ms, and have crystals (within 20 ppm) or RC oscillators as bad as an nRF52840's is calibrated to
(250). Others take a quarter of each channel. Warmth changes a rate slowly: ``wander_ppm`` is how
far it goes, there and back in ``PERIOD_US``.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from firmware.core.clock_filter import ClockFilter
from firmware.core.timebase import Timebase
from host.sim import clock
from host.sim.ether.ether import Ether, Heard, Spot, Station, gateway_spots, hall_of

PERIOD_US = 1_200_000_000
CRYSTAL_PPM, RC_PPM = 20, 250
_TURN = 2 * math.pi
TICK_S, COPY_S = 0.1, 0.025
POLL_MS = 20  # firmware.app's
WANDER_PPM = 20
DECLARED_PPM = {True: RC_PPM, False: CRYSTAL_PPM}  # by whether it has no crystal
ORIGIN_MS = 7_200_000
SCAN_S, SHARE = 0.097, 0.3
EVERY_S = 10  # between two looks at all boards


class StationClock:
    """A clock that shows ``zero_us`` at true time 0; both times in whole us."""

    def __init__(self, ppm: float, zero_us: int = 0, wander_ppm: float = 0.0, phase: float = 0.0):
        self.ppm, self.wander_ppm = ppm, wander_ppm
        self._zero_us, self._phase = zero_us, phase * _TURN

    def uptime_us(self, at_us: int) -> int:
        """Return what it shows at the true time ``at_us``."""
        turned = self._phase + _TURN * at_us / PERIOD_US
        swing_us = PERIOD_US / _TURN * (math.cos(self._phase) - math.cos(turned))
        return self._zero_us + at_us + round((self.ppm * at_us + self.wander_ppm * swing_us) / 1e6)


def clocks(count: int, luck: Random, wander_ppm: float = 0.0) -> list[StationClock]:
    """Return ``count`` clocks: every other one at +-``RC_PPM`` exactly, which is the worst, and
    wandering; the rest anywhere within a crystal's bounds, and steady.
    """
    made = []
    for number in range(count):
        zero_us, phase = luck.randrange(600_000_000), luck.random()
        if number % 2:
            ppm = luck.choice((-RC_PPM, RC_PPM))
            made.append(StationClock(ppm, zero_us, wander_ppm, phase))
        else:
            made.append(StationClock(luck.uniform(-CRYSTAL_PPM, CRYSTAL_PPM), zero_us))
    return made


class Look(NamedTuple):
    """How far boards are from the median at one moment, the 99th percentile in us: by the filter,
    and as if each believed its last stamp.
    """

    at_s: int
    filtered_us: int
    believing_us: int


class Board:
    """A station that scans, its clock and its estimate of event time."""

    def __init__(self, ether: Ether, spot: Spot, own: StationClock, rc: bool, scan_s: float):
        self.ether, self.clock, self._scan_s = ether, own, scan_s
        self._base = Timebase(DECLARED_PPM[rc] + WANDER_PPM)
        self._filter = ClockFilter(self._base)
        self._last_ms = 0  # host time less uptime, by the last stamp alone
        self.station = Station(ether, spot, ppm=own.ppm)
        self.station.hear = self._hear

    def begin(self) -> None:
        """Get one answer over a link, 100 ms under way, and scan from now on."""
        trip_ms = 100
        host_ms = ORIGIN_MS + self.ether.now_us // 1000 - self.ether.luck.randrange(trip_ms)
        self._last_ms = host_ms - self.uptime_ms
        self._base.ask_host(1, self.uptime_ms - trip_ms)
        taken = self._base.host_answered(host_ms, 1, self.uptime_ms)
        assert taken
        self.station.scan(SHARE * self._scan_s, self._scan_s)

    @property
    def uptime_ms(self) -> int:
        """What its clock shows, in ms."""
        return self.clock.uptime_us(self.ether.now_us) // 1000

    def _hear(self, heard: Heard):
        host_ms = int.from_bytes(heard.data[:4], "little")
        late_s = self.ether.luck.randrange(POLL_MS + 1) / 1000
        self.ether.loop.call_later(late_s, self._stamp, host_ms)

    def _stamp(self, host_ms):
        taken = self._filter.stamp(host_ms, self.uptime_ms)
        assert taken
        self._last_ms = host_ms - self.uptime_ms

    @property
    def error_us(self) -> int:
        """How far the event time that it shows is from the true one, now."""
        self._filter.steer(self.uptime_ms)
        error_us = self._off_us(self._base.offset_ms)
        assert abs(error_us) <= 1000 * (2 + self._base.uncertainty_ms(self.uptime_ms))
        return error_us

    @property
    def believing_error_us(self) -> int:
        """The same if it believed the last stamp alone."""
        return self._off_us(self._last_ms)

    def _off_us(self, offset_ms: int) -> int:
        shown_us = self.clock.uptime_us(self.ether.now_us) + offset_ms * 1000
        return shown_us - ORIGIN_MS * 1000 - self.ether.now_us


async def _ticking(ether: Ether, gateway: Station):
    """Advertise each stamp from its time on, until the next."""
    while True:
        stamp_ms = ORIGIN_MS + ether.now_us // 1000
        gateway.advertise(stamp_ms.to_bytes(4, "little") + bytes(27), COPY_S)
        await asyncio.sleep(TICK_S)


def looks(count: int, seconds: int, seed: int, scan_s: float = SCAN_S) -> list[Look]:
    """Return a Look at ``count`` boards every 10 s."""

    async def main():
        loop = asyncio.get_running_loop()
        ether, spots = hall_of(loop, seed, count)
        own = clocks(count, random.Random(seed), wander_ppm=WANDER_PPM)
        boards = [
            Board(ether, spot, own[place], place % 2 == 1, scan_s)
            for place, spot in enumerate(spots)
        ]
        for board in boards:
            loop.call_later(3 * ether.luck.random(), board.begin)
        [spot] = gateway_spots(1, count)
        beacon = loop.create_task(_ticking(ether, Station(ether, spot, exclusive=False)))
        spreads = []
        await asyncio.sleep(5)
        for number in range(1, seconds // EVERY_S + 1):
            await asyncio.sleep(EVERY_S)
            filtered = _spread_us([board.error_us for board in boards])
            believing = _spread_us([board.believing_error_us for board in boards])
            spreads.append(Look(5 + number * EVERY_S, filtered, believing))
        beacon.cancel()
        return spreads

    return clock.run(main())


def _spread_us(errors_us: Sequence[int]) -> int:
    """Return the 99th percentile of how far they are from their median."""
    ranked = sorted(errors_us)
    median = ranked[len(ranked) // 2]
    return sorted(abs(error - median) for error in ranked)[len(ranked) * 99 // 100]
