"""Clocks of stations: each counts from its own zero, at its own rate, which may wander.

A crystal is within 20 ppm; the nRF52840's RC oscillator is calibrated to 250, and 500 is what its
data sheet allows. Warmth changes a rate slowly: ``wander_ppm`` is how far it goes, there and back
in ``PERIOD_US``.
"""

from __future__ import annotations

import math
from random import Random

PERIOD_US = 1_200_000_000
CRYSTAL_PPM, RC_PPM, WORST_RC_PPM = 20, 250, 500
_TURN = 2 * math.pi


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

    def when_us(self, uptime_us: int) -> int:
        """Return the true time at which it first shows ``uptime_us`` or more."""
        at_us = uptime_us - self._zero_us
        for _ in range(4):  # each brings the error down a thousand times
            at_us += uptime_us - self.uptime_us(at_us)
        while self.uptime_us(at_us) < uptime_us:
            at_us += 1
        return at_us


def clocks(
    count: int, luck: Random, *, rc_ppm: float = RC_PPM, wander_ppm: float = 0.0
) -> list[StationClock]:
    """Return ``count`` clocks: every other one at +-``rc_ppm`` exactly, which is the worst, and the
    rest anywhere within a crystal's bounds. Only the former wander.
    """
    made = []
    for number in range(count):
        zero_us, phase = luck.randrange(600_000_000), luck.random()
        if number % 2:
            ppm = luck.choice((-rc_ppm, rc_ppm))
            made.append(StationClock(ppm, zero_us, wander_ppm, phase))
        else:
            made.append(StationClock(luck.uniform(-CRYSTAL_PPM, CRYSTAL_PPM), zero_us))
    return made
