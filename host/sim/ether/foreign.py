"""What others send on a channel: packets that come at random and do not listen first.

A Poisson process has no memory. So it is drawn only around the packets that somebody listens to,
and still is the same process as if all of it had been drawn.
"""

from __future__ import annotations

import math
from random import Random
from typing import NamedTuple

from host.sim.ether import airtime
from host.sim.ether.hall import Spot

LENGTH_US = airtime.advert_us(airtime.ADVERT_MOST)
_KEPT_US = 4000  # a later question goes back by less


class Blast(NamedTuple):
    """A foreign packet and its sender's place."""

    start_us: int
    spot: Spot


class Foreign:
    """One channel's foreign packets of ``LENGTH_US``, from anywhere between (0, 0) and ``far``.

    ``load`` (0 to below 1) is the share of time in which at least one is on the air:
    load = 1 - exp(-rate * length).
    """

    def __init__(self, load: float, far: Spot, luck: Random):
        if not 0 <= load < 1:
            raise ValueError("load")
        self.rate = -math.log1p(-load) / LENGTH_US  # a microsecond
        self._far, self._luck = far, luck
        self._from_us = self._until_us = 0  # what is drawn
        self._blasts: list[Blast] = []

    def during(self, start_us: int, end_us: int) -> list[Blast]:
        """Return the packets that are on the air at any time from ``start_us`` to ``end_us``."""
        if not self.rate:
            return []
        first_us = start_us - LENGTH_US
        if first_us > self._until_us or end_us < self._from_us:
            self._blasts, self._from_us, self._until_us = [], first_us, first_us
        if first_us < self._from_us:
            self._draw(first_us, self._from_us)
            self._from_us = first_us
        if end_us > self._until_us:
            self._draw(self._until_us, end_us)
            self._until_us = end_us
        if self._from_us < first_us - _KEPT_US:
            self._from_us = first_us - _KEPT_US
            self._blasts = [blast for blast in self._blasts if blast.start_us >= self._from_us]
        return [blast for blast in self._blasts if first_us < blast.start_us < end_us]

    def _draw(self, from_us: int, until_us: int):
        luck, at_us = self._luck, float(from_us)
        while True:
            at_us += luck.expovariate(self.rate)
            if at_us >= until_us:
                return
            spot = Spot(luck.random() * self._far.x_m, luck.random() * self._far.y_m)
            self._blasts.append(Blast(int(at_us), spot))

    def clear(self, length_us: int) -> bool:
        """Draw whether ``length_us`` on some other channel with the same load are free of them."""
        return self._luck.random() < math.exp(-self.rate * (LENGTH_US + length_us))
