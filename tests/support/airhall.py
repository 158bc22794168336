"""Small halls on the modelled air: what a listener gets of so many stations, as figures."""

import asyncio

from host.sim import clock
from host.sim.ether import airtime, curves, scans
from host.sim.ether.ether import Ether

LENGTH_US = airtime.advert_us(airtime.ADVERT_MOST)


def in_ether(script, seed=1, **options):
    """Run ``await script(ether)`` in virtual time and return its result."""

    async def main():
        return await script(Ether(asyncio.get_running_loop(), seed, **options))

    return clock.run(main())


def advertisers(ether, count, interval_s, size=31):
    """Switch ``count`` stations on, each at a random time of the first interval."""
    for number in range(count):
        data = number.to_bytes(2, "big") + bytes(size - 2)
        ether.loop.call_later(
            ether.luck.random() * interval_s, ether.station().advertise, data, interval_s
        )


def clear_share(count, interval_s, seconds, seed=1, **options):
    """Return ``(received, listened to)`` at one scanner that is never busy."""

    async def script(ether):
        advertisers(ether, count, interval_s)
        ether.station(exclusive=False, decoding_us=0).scan(1.0, 1.0)
        await asyncio.sleep(interval_s)
        ether.counts.clear()
        await asyncio.sleep(seconds)
        return ether.counts["heard"], ether.counts["sent"]

    return in_ether(script, seed, **{"load": 0, "capture_db": None, **options})


def latencies_us(interval_us, window_us, scan_us, seconds, seed=1, scanners=60):
    """Return how long each scan took to the end of its first advert; scans begin at random."""

    async def script(ether):
        took = []

        def begin(station):
            station.hear = lambda heard, since_us=ether.now_us: found(station, heard, since_us)
            station.scan(window_us / 1e6, scan_us / 1e6)

        def found(station, heard, since_us):
            took.append(heard.at_us - since_us)
            station.stop_scan()
            ether.loop.call_later(0.01 + 2 * ether.luck.random(), begin, station)

        ether.station().advertise(bytes(31), interval_us / 1e6)
        for _ in range(scanners):
            ether.loop.call_later(2 * ether.luck.random(), begin, ether.station())
        await asyncio.sleep(seconds)
        return took

    return in_ether(script, seed, load=0)


def expected_us(interval_us, window_us, scan_us):
    """Return the mean that the curves give for ``latencies_us``."""

    def hears(channel, at_us):
        into_us = at_us - channel * scan_us
        return scans.GAP_US <= into_us <= window_us - LENGTH_US

    return curves.latency_us(interval_us, hears, scan_us)
