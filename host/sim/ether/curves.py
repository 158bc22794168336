"""Small halls on the modelled air, held against published formulae, and drawn beside them.

Collisions: N. Abramson, "The ALOHA system" (AFIPS 1970), for adverts whose phases are uniform;
Perez-Diaz de Cerio et al., Sensors 2017, 17(3), 499, apply it to BLE. Discovery: a slotless sender
and a slotless listener after Kindt et al., arXiv 1509.04366, with BLE's three channels and random
delay as in Liu, Chen and Ma, IEEE Communications Letters 16(9), 2012, and Cho et al., Sensors 2015,
15(1), 59. Times are in us.
"""

from __future__ import annotations

import asyncio
import itertools
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from html import escape
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
_WIDE_PX, _HIGH_PX, _LEFT_PX, _TOP_PX, _TEXT_PX = 620, 300, 60, 34, 46
_COLOURS = ("#0072b2", "#d55e00", "#009e73")
_TICKS = 5


def periodic(stations: int, length_us: float, period_us: float) -> float:
    """Return it for ``stations`` that send once in ``period_us``: (1 - 2 l / T)^(N - 1)."""
    return max(0.0, 1 - 2 * length_us / period_us) ** (stations - 1)


def latency_us(
    interval_us: int, hears: Callable[[int, int], bool], scan_us: int, size: int = 31
) -> float:
    """Return the mean time from the start of a scan to the end of the first advert it hears.

    ``hears(channel, at_us)``: whether a whole advert of that channel that starts ``at_us`` after
    the scan's start (modulo three ``scan_us``) falls into a window. The density of the event's
    phase is followed from event to event: each adds the interval and 0-10 ms, and what meets a
    window is taken out.
    """
    step_us, turn = channel_step_us(size, False), CHANNELS * scan_us // _BIN_US
    met = [
        next(
            (number * step_us
             for number in range(CHANNELS)
             if hears(number, (place * _BIN_US + number * step_us) % (CHANNELS * scan_us))),
            None,
        )
        for place in range(turn)
    ]  # fmt: skip
    mean_us = interval_us + DELAY_US / 2
    spread_us = DELAY_US**2 / 12
    found_us = (mean_us**2 + spread_us) / (2 * mean_us)  # to the first event: inspection paradox
    density = _first(interval_us, turn)
    while (missed := _missed(density, met)) > 1e-4:
        found_us += sum(share * late for share, late in zip(density, met, strict=True) if late)
        density = [share if late is None else 0.0 for share, late in zip(density, met, strict=True)]
        found_us += missed * mean_us
        density = _next(density, interval_us)
    return found_us + advert_us(size)


def _missed(density: list[float], met: list[int | None]) -> float:
    return sum(share for share, late in zip(density, met, strict=True) if late is None)


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
        last, first = (place - shift) % turn + 1, (place - shift) % turn + 1 - wide
        if first >= 0:
            return sums[last] - sums[first]
        return sums[last] + sums[turn] - sums[turn + first]

    return [share(place) / wide for place in range(turn)]


class Trial(NamedTuple):
    """A figure at ``x`` of a plot: simulated from so many ``samples``, and by formula."""

    x: float
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
    undisturbed = periodic(count, LENGTH_US, interval_s * 1e6 + MEAN_DELAY_US)
    return Trial(count, heard / sent, undisturbed * (1 - load) ** 2, sent)


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
        return GAP_US <= into_us <= window_us - LENGTH_US

    told_s = latency_us(interval_us, hears, scan_us) / 1e6
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


class Axis:
    """From 0 in equal steps, or from ``least`` by powers of ten."""

    def __init__(self, values: Iterable[float], least: float | None = None):
        self._least, most = least, max(values)
        if least is None:
            self._most = round_up(most)
            self.ticks = [self._most * tick / _TICKS for tick in range(_TICKS + 1)]
        else:
            self._most = most
            powers = range(math.ceil(math.log10(least)), math.floor(math.log10(most)) + 1)
            self.ticks = [10.0**power for power in powers]

    def share(self, value: float) -> float:
        """Return where ``value`` is on the axis, 0 to 1."""
        if self._least is None:
            return value / self._most
        return math.log(max(value, self._least) / self._least) / math.log(self._most / self._least)


def round_up(value: float) -> float:
    """Return the next of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(power * step for step in (1, 2, 5, 10) if power * step >= value)


class Curve(NamedTuple):
    """A named line through points, and dots beside it."""

    name: str
    points: Sequence[tuple[float, float]]
    dots: Sequence[tuple[float, float]] = ()


def held(name: str, trials: Sequence[Trial]) -> Curve:
    """Return the Curve of a formula, with simulated figures as dots."""
    return Curve(
        name,
        [(trial.x, trial.by_formula) for trial in trials],
        [(trial.x, trial.simulated) for trial in trials],
    )


def drawn(
    title: str, across: str, up: str, curves: Sequence[Curve], least: float | None = None
) -> str:
    """Return the SVG of curves; ``across`` and ``up`` name the axes with their units.

    ``least``: the upward axis goes by powers of ten, from there.
    """
    every = [point for curve in curves for point in (*curve.points, *curve.dots)]
    x, y = Axis(point[0] for point in every), Axis((point[1] for point in every), least)
    parts = [_axes(f"{title}: {up}", across, x, y)]
    for place, curve in enumerate(curves):
        colour = _COLOURS[place % len(_COLOURS)]
        parts.append(_curve(x, y, colour, curve.points))
        for point in curve.dots:
            left, top = _at(x.share(point[0]), y.share(point[1]))
            dot = f'cx="{left:.1f}" cy="{top:.1f}" r="4" fill="none" stroke="{colour}"'
            parts.append(f"<circle {dot}/>")
        parts.append(_name(place, curve.name, colour))
    return _whole(parts)


def _curve(x: Axis, y: Axis, colour: str, points: Iterable[tuple[float, float]]) -> str:
    places = (_at(x.share(across), y.share(up)) for across, up in points)
    points_text = " ".join(f"{left:.1f},{top:.1f}" for left, top in places)
    return f'<polyline points="{points_text}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _name(place: int, name: str, colour: str) -> str:
    return _text(_WIDE_PX - 10, _TOP_PX + 18 * (place + 1), "end", name, f' fill="{colour}"')


def _whole(parts: Sequence[str]) -> str:
    size = f'width="{_WIDE_PX + 20}" height="{_HIGH_PX + _TOP_PX + _TEXT_PX}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif"'
    white = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([f'{head} font-size="13">', white, *parts, "</svg>"]) + "\n"


def _at(x: float, y: float) -> tuple[float, float]:
    """Return the place (px) of a point whose coordinates are shares of the axes."""
    return _LEFT_PX + x * (_WIDE_PX - _LEFT_PX), _TOP_PX + (1 - y) * _HIGH_PX


def _text(left: float, top: float, anchor: str, text: str, more: str = "") -> str:
    place = f'x="{left:.0f}" y="{top:.0f}" text-anchor="{anchor}"'
    return f"<text {place}{more}>{escape(text)}</text>"


def _axes(title: str, across: str, x: Axis, y: Axis) -> str:
    bottom = _TOP_PX + _HIGH_PX
    parts = [_text(_LEFT_PX, 16, "start", title), _text(_WIDE_PX, bottom + 38, "end", across)]
    for tick in y.ticks:
        _, top = _at(0, y.share(tick))
        parts.append(f'<path d="M{_LEFT_PX} {top:.1f}H{_WIDE_PX}" stroke="#ddd"/>')
        parts.append(_text(_LEFT_PX - 6, top + 4, "end", f"{tick:g}"))
    for tick in x.ticks:
        left, _ = _at(x.share(tick), 0)
        parts.append(f'<path d="M{left:.1f} {_TOP_PX}V{bottom}" stroke="#ddd"/>')
        parts.append(_text(left, bottom + 18, "middle", f"{tick:g}"))
    return "\n".join(parts)
