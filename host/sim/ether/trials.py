"""Small halls on the modelled air whose figures the published curves predict (``curves``)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import NamedTuple, TypeVar

from host.sim import clock
from host.sim.ether import airtime, channel, curves, scans
from host.sim.ether.ether import Ether
from host.sim.ether.station import Heard, Station

LENGTH_US = airtime.advert_us(airtime.ADVERT_MOST)
MEAN_DELAY_US = airtime.DELAY_US / 2
ResultT = TypeVar("ResultT")


class Trial(NamedTuple):
    """A figure by simulation, from so many ``samples``, and by formula, at ``x`` of a plot."""

    x: float
    simulated: float
    told: float
    samples: int


def in_ether(
    script: Callable[[Ether], Awaitable[ResultT]],
    seed: int = 1,
    *,
    load: float = 0.25,
    collide: bool = False,
) -> ResultT:
    """Run ``await script(ether)`` in virtual time and return its result.

    ``collide``: whatever overlaps destroys both, as in the formulae; else the stronger may survive.
    """

    async def main() -> ResultT:
        loop = asyncio.get_running_loop()
        capture_db = None if collide else channel.CAPTURE_DB
        return await script(Ether(loop, seed, load=load, capture_db=capture_db))

    return clock.run(main())


def advertisers(ether: Ether, count: int, interval_s: float, size: int = 31) -> None:
    """Switch ``count`` stations on, each at a random time of the first interval."""
    for number in range(count):
        data = number.to_bytes(2, "big") + bytes(size - 2)
        ether.loop.call_later(
            ether.luck.random() * interval_s, ether.station().advertise, data, interval_s
        )


def clear(count: int, interval_s: float, seconds: float, seed: int = 1, load: float = 0) -> Trial:
    """Return the share of adverts that one scanner, never busy, receives of ``count`` stations."""

    async def script(ether: Ether):
        advertisers(ether, count, interval_s)
        ether.station(exclusive=False, decoding_us=0).scan(1.0, 1.0)
        await asyncio.sleep(interval_s)
        ether.counts.clear()
        await asyncio.sleep(seconds)
        return ether.counts["heard"], ether.counts["sent"]

    heard, sent = in_ether(script, seed, load=load, collide=True)
    told = curves.periodic(count, LENGTH_US, interval_s * 1e6 + MEAN_DELAY_US)
    return Trial(count, heard / sent, told * (1 - load) ** 2, sent)


def latencies_us(
    interval_us: int, window_us: int, scan_us: int, seconds: float, seed: int = 1
) -> list[int]:
    """Return how long each scan took to the end of its first advert; scans begin at random."""

    async def script(ether: Ether):
        took: list[int] = []

        def begin(station: Station):
            since_us = ether.now_us
            station.hear = lambda heard: found(station, heard, since_us)
            station.scan(window_us / 1e6, scan_us / 1e6)

        def found(station: Station, heard: Heard, since_us: int):
            took.append(heard.at_us - since_us)
            station.stop_scan()
            ether.loop.call_later(0.01 + 2 * ether.luck.random(), begin, station)

        ether.station().advertise(bytes(31), interval_us / 1e6)
        for _ in range(60):
            ether.loop.call_later(2 * ether.luck.random(), begin, ether.station())
        await asyncio.sleep(seconds)
        return took

    return in_ether(script, seed, load=0)


def discovery(interval_us: int, window_us: int, scan_us: int, times: float = 400) -> Trial:
    """Return the mean latency (s) by ``interval_us``, in a run of so many ``times`` the mean."""

    def hears(channel: int, at_us: int) -> bool:
        into_us = at_us - channel * scan_us
        return scans.GAP_US <= into_us <= window_us - LENGTH_US

    told_s = curves.latency_us(interval_us, hears, scan_us) / 1e6
    took = latencies_us(interval_us, window_us, scan_us, 100 + times * told_s)
    return Trial(interval_us / 1e6, sum(took) / len(took) / 1e6, told_s, len(took))


def collisions() -> Iterator[Trial]:
    """Yield trials by the number of stations at 0.75 s."""
    for count in (1, 50, 100, 200, 400, 700, 1000, 1400, 2000):
        yield clear(count, 0.75, 9_000 * 0.755 / count)


def crowded() -> Iterator[Trial]:
    """Yield the same trials where others take a quarter of each channel."""
    for count in (1, 50, 100, 200, 400, 700, 1000, 1400, 2000):
        yield clear(count, 0.75, 9_000 * 0.755 / count, load=0.25)


def discoveries() -> Iterator[Trial]:
    """Yield trials by the advertising interval, for a scan of 30 ms in 100."""
    for interval_ms in range(50, 560, 15):
        yield discovery(interval_ms * 1000, 30_000, 100_000)
