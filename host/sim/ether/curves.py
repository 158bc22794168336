"""Small halls on the modelled air, and the published formulae that they are held against.

Collisions: N. Abramson, "The ALOHA system" (AFIPS 1970), for adverts whose phases are uniform;
Perez-Diaz de Cerio et al., Sensors 2017, 17(3), 499, apply it to BLE. Discovery: a slotless sender
and a slotless listener after Kindt et al., arXiv 1509.04366, with BLE's three channels and random
delay as in Liu, Chen and Ma, IEEE Communications Letters 16(9), 2012, and Cho et al., Sensors 2015,
15(1), 59. Times are in us.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeVar

from host.sim import clock
from host.sim.ether.ether import (
    ADVERT_MOST,
    CAPTURE_DB,
    CHANNELS,
    DELAY_US,
    GAP_US,
    Ether,
    Heard,
    Station,
    advert_us,
    channel_step_us,
)

_BIN_US = 100
LENGTH_US = advert_us(ADVERT_MOST)
MEAN_DELAY_US = DELAY_US / 2
ResultT = TypeVar("ResultT")


def latency_us(interval_us: int, hears: Callable[[int, int], bool], scan_us: int) -> float:
    """Return the mean time from the start of a scan to the end of the first advert it hears.

    ``hears(channel, at_us)``: whether a whole advert of that channel that starts ``at_us`` after
    the scan's start (modulo three ``scan_us``) falls into a window. The density of the event's
    phase is followed from event to event: each adds the interval and 0-10 ms, and what meets a
    window is taken out.
    """
    turn_us = CHANNELS * scan_us
    step_us, turn = channel_step_us(ADVERT_MOST, connectable=False), turn_us // _BIN_US

    def met_us(event_us: int) -> int | None:
        """Return how long after its start an event is heard, None if it meets no window."""
        for channel in range(CHANNELS):
            if hears(channel, (event_us + channel * step_us) % turn_us):
                return channel * step_us
        return None

    met = [met_us(place * _BIN_US) for place in range(turn)]
    mean_us = interval_us + DELAY_US / 2
    spread_us = DELAY_US**2 / 12
    found_us = (mean_us**2 + spread_us) / (2 * mean_us)  # to the first event: inspection paradox
    density = _first(interval_us, turn)
    while True:
        by_phase = list(zip(density, met, strict=True))
        missed = sum(share for share, late_us in by_phase if late_us is None)
        if missed <= 1e-4:
            return found_us + LENGTH_US
        found_us += sum(share * late_us for share, late_us in by_phase if late_us)
        found_us += missed * mean_us
        density = [share if late_us is None else 0.0 for share, late_us in by_phase]
        density = _next(density, interval_us)


def _first(interval_us: int, turn: int) -> list[float]:
    """Return the density of the first event after the scan's start: (1 - F(x)) / mean."""
    density, delay_us = [0.0] * turn, DELAY_US
    mean_us = interval_us + delay_us / 2
    for place in range((interval_us + delay_us) // _BIN_US):
        at_us = (place + 0.5) * _BIN_US
        left = min(1.0, (interval_us + delay_us - at_us) / delay_us)
        density[place % turn] += left * _BIN_US / mean_us
    return density


def _next(density: list[float], interval_us: int) -> list[float]:
    """Return the density one event later: moved by the interval, spread over the delay."""
    turn, wide = len(density), DELAY_US // _BIN_US
    sums = [0.0, *itertools.accumulate(density)]
    shift = interval_us // _BIN_US

    def share(place):
        """Return how much of the density lies within a delay before a place, ``shift`` earlier."""
        last = (place - shift) % turn + 1
        first = last - wide
        if first >= 0:
            return sums[last] - sums[first]
        return sums[last] + sums[turn] - sums[turn + first]

    return [share(place) / wide for place in range(turn)]


class Trial(NamedTuple):
    """A figure simulated from so many ``samples``, and by formula."""

    simulated: float
    by_formula: float
    samples: int


def in_ether(
    script: Callable[[Ether], Awaitable[ResultT]],
    seed: int = 1,
    *,
    load: float = 0.25,
    collide: bool = False,
) -> ResultT:
    """Run ``await script(ether)`` in virtual time and return its result.

    ``collide``: packets that overlap are both lost, as in the formulae; else one may survive.
    """

    async def main() -> ResultT:
        loop = asyncio.get_running_loop()
        capture_db = None if collide else CAPTURE_DB
        return await script(Ether(loop, seed, load=load, capture_db=capture_db))

    return clock.run(main())


def advertisers(ether: Ether, count: int, interval_s: float) -> None:
    """Switch ``count`` stations on, each at a random time of the first interval."""
    for number in range(count):
        data = number.to_bytes(2, "big") + bytes(ADVERT_MOST - 2)
        ether.loop.call_later(
            ether.luck.random() * interval_s, Station(ether).advertise, data, interval_s
        )


def clear(count: int, interval_s: float, seconds: float, seed: int = 1, load: float = 0) -> Trial:
    """Return the share of adverts that one scanner, never busy, receives of ``count`` stations."""

    async def script(ether: Ether):
        advertisers(ether, count, interval_s)
        Station(ether, exclusive=False, decoding_us=0).scan(1.0, 1.0)
        await asyncio.sleep(interval_s)
        ether.counts.clear()
        await asyncio.sleep(seconds)
        return ether.counts["heard"], ether.counts["sent"]

    heard, sent = in_ether(script, seed, load=load, collide=True)
    period_us = interval_s * 1e6 + MEAN_DELAY_US
    undisturbed = max(0.0, 1 - 2 * LENGTH_US / period_us) ** (count - 1)  # (1 - 2 l / T)^(N - 1)
    return Trial(heard / sent, undisturbed * (1 - load) ** 2, sent)


def latencies_us(interval_us: int, window_us: int, scan_us: int, seconds: float) -> list[int]:
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

        Station(ether).advertise(bytes(31), interval_us / 1e6)
        for _ in range(60):
            ether.loop.call_later(2 * ether.luck.random(), begin, Station(ether))
        await asyncio.sleep(seconds)
        return took

    return in_ether(script, load=0)


def discovery(interval_us: int, window_us: int, scan_us: int, times: float = 400) -> Trial:
    """Return the mean latency (s) of a scan, in a run of so many ``times`` the mean."""

    def hears(channel: int, at_us: int) -> bool:
        into_us = at_us - channel * scan_us
        return GAP_US <= into_us <= window_us - LENGTH_US

    told_s = latency_us(interval_us, hears, scan_us) / 1e6
    took = latencies_us(interval_us, window_us, scan_us, 100 + times * told_s)
    return Trial(sum(took) / len(took) / 1e6, told_s, len(took))
