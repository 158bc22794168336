"""A round whose results all come within two seconds (virtual), at boards that hear a beacon."""

import asyncio
from dataclasses import dataclass, field

from firmware.core import beacon, phases
from host.sim.evening import percentile

SPAN_S = 2
LOOK_S = 0.1
LONGEST_S = 60


@dataclass
class Burst:
    """What was seen: seconds from the start's command until the last table knew it, how far second
    edges are from their median (ms, of 99 %), seconds from the burst's begin until each result was
    on the disk and until its table knew that.
    """

    start_s: float | None = None
    edges_ms: list[int] = field(default_factory=list)
    stored_s: list[float] = field(default_factory=list)
    acked_s: list[float] = field(default_factory=list)
    results: int = 0

    async def play(self, hall, looks, whole_s=0):
        """Play a round with ``looks`` at the clocks, 20 s apart, and a burst at its end; wait then
        for the records, too, ``whole_s`` at the most.
        """
        await hall.wired()
        await asyncio.sleep(30)
        start_ms = hall.venue.now_ms() + 12_000
        hall.station.desk.start(start_ms)
        self.start_s = await hall.until(
            lambda: all(app.match.start_ms == start_ms for app in hall.apps), 11
        )
        for _ in range(looks):
            await asyncio.sleep(20)
            self.edges_ms.append(spread_ms(hall.errors_ms()))
        await self._burst(hall)
        if whole_s:
            await hall.until(lambda: not any(app.sync.waiting for app in hall.apps), whole_s)
        self.results = len(hall.station.hall.results(1))
        return self

    async def _burst(self, hall):
        begun, luck = hall.loop.time(), hall.air.ether.luck
        for number in hall.tables:
            hall.loop.call_later(luck.random() * SPAN_S, hall.settle, number)
        waiting, unstored = set(hall.tables), set(hall.tables)
        while waiting and hall.loop.time() - begun < LONGEST_S:
            await asyncio.sleep(LOOK_S)
            passed_s = round(hall.loop.time() - begun, 1)
            if unstored:
                done = unstored & hall.station.hall.results(1).keys()
                self.stored_s += [passed_s] * len(done)
                unstored -= done
            known = {number for number in waiting if _known(hall, number)}
            self.acked_s += [passed_s] * len(known)
            waiting -= known


def _known(hall, number):
    ended = hall.tables[number].app.match.phase == phases.AGREED
    return ended and hall.listener(number).least >= beacon.WHOLE


def spread_ms(errors_ms):
    """Return how far 99 % of them are from their median."""
    ranked = sorted(errors_ms)
    median = ranked[len(ranked) // 2]
    return percentile([abs(one - median) for one in ranked], 99)


def at(seconds, share, tables):
    """Return when a share of all ``tables`` had it, None if that never came."""
    place = max(0, int(tables * share) - 1)
    return seconds[place] if len(seconds) > place else None
