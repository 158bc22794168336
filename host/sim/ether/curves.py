"""Published formulae of advertising collisions and of discovery latency, to hold the model against.

Collisions: N. Abramson, "The ALOHA system" (AFIPS 1970), for adverts whose phases are uniform;
Perez-Diaz de Cerio et al., Sensors 2017, 17(3), 499, apply it to BLE. Discovery: a slotless sender
and a slotless listener after Kindt et al., arXiv 1509.04366, with BLE's three channels and random
delay as in Liu, Chen and Ma, IEEE Communications Letters 16(9), 2012. Times are in us.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from host.sim.ether import airtime

_BIN_US = 100


def aloha(others: float, length_us: float, period_us: float) -> float:
    """Return the share of packets that no other hits: exp(-2 G), G the load of the others."""
    return math.exp(-2 * others * length_us / period_us)


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
    step_us, turn = airtime.step_us(size, False), airtime.CHANNELS * scan_us // _BIN_US
    met = [
        next(
            (number * step_us
             for number in range(airtime.CHANNELS)
             if hears(number, (place * _BIN_US + number * step_us) % (airtime.CHANNELS * scan_us))),
            None,
        )
        for place in range(turn)
    ]  # fmt: skip
    mean_us = interval_us + airtime.DELAY_US / 2
    spread_us = airtime.DELAY_US**2 / 12
    found_us = (mean_us**2 + spread_us) / (2 * mean_us)  # to the first event: inspection paradox
    density = _first(interval_us, turn)
    while (missed := _missed(density, met)) > 1e-4:
        found_us += sum(share * late for share, late in zip(density, met, strict=True) if late)
        density = [share if late is None else 0.0 for share, late in zip(density, met, strict=True)]
        found_us += missed * mean_us
        density = _next(density, interval_us)
    return found_us + airtime.advert_us(size)


def _missed(density: list[float], met: list[int | None]) -> float:
    return sum(share for share, late in zip(density, met, strict=True) if late is None)


def _first(interval_us: int, turn: int) -> list[float]:
    """Return the density of the first event after the scan's start: (1 - F(x)) / mean."""
    density, delay_us = [0.0] * turn, airtime.DELAY_US
    mean_us = interval_us + delay_us / 2
    for place in range((interval_us + delay_us) // _BIN_US):
        at_us = (place + 0.5) * _BIN_US
        left = min(1.0, (interval_us + delay_us - at_us) / delay_us)
        density[place % turn] += left * _BIN_US / mean_us
    return density


def _next(density: list[float], interval_us: int) -> list[float]:
    """Return the density one event later: moved by the interval, spread over the delay."""
    turn, wide = len(density), airtime.DELAY_US // _BIN_US
    sums = [0.0, *itertools.accumulate(density)]
    shift = interval_us // _BIN_US

    def share(place):
        last, first = (place - shift) % turn + 1, (place - shift) % turn + 1 - wide
        if first >= 0:
            return sums[last] - sums[first]
        return sums[last] + sums[turn] - sums[turn + first]

    return [share(place) / wide for place in range(turn)]
