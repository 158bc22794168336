"""A host that begins again, in the virtual time of ``host.sim``, at boards that hear a beacon."""

import asyncio
from dataclasses import dataclass, field

LOOK_S = 0.1
LONGEST_S = 60


@dataclass
class Recall:
    """How many boards had records, and how many seconds later the host had heard each board."""

    waiting: int = 0
    heard_s: list[float] = field(default_factory=list)

    async def play(self, hall, away_s):
        """Start a round; soon after, the host ends, and another begins ``away_s`` later."""
        await hall.wired()
        await asyncio.sleep(30)
        start_ms = hall.venue.now_ms() + 12_000
        hall.station.desk.start(start_ms)
        told_s = await hall.until(
            lambda: all(app.match.start_ms == start_ms for app in hall.apps), 11
        )
        assert told_s is not None
        await asyncio.sleep(15)
        begun_s = await hall.restart(away_s)
        self.waiting = sum(app.sync.waiting > 0 for app in hall.apps)
        while len(self.heard_s) < len(hall.tables) and hall.loop.time() - begun_s < LONGEST_S:
            await asyncio.sleep(LOOK_S)
            statuses = hall.station.collector.statuses.values()
            heard = sum(one.heard_ms is not None for one in statuses)
            passed_s = round(hall.loop.time() - begun_s, 1)
            self.heard_s += [passed_s] * (heard - len(self.heard_s))
        return self
