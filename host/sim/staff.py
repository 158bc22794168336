"""The people at the desk: they publish a round, start it and rule where players cannot agree.

They use the Desk only. Of a table they know what the host's fold says, and what players tell a
judge at the table.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from firmware.core import phases
from host.sim.story import OUTCOME_NAMES

if TYPE_CHECKING:
    from host.sim.types import People, TimedAct, Venue


LOOK_S = 5
WALK_S = (20, 90)
AGAIN_S = 300
SEATING_S = 270
TELL_S = 600
PATIENCE_S = 3 * 3600


class Staff:
    """One round's staff at ``venue``; ``people`` by table, ``acts`` [(seconds after the start,
    function)].
    """

    def __init__(
        self, venue: Venue, people: Mapping[int, People], seed: str, acts: Sequence[TimedAct] = ()
    ):
        self._venue, self._people, self._acts = venue, people, acts
        self._luck = random.Random(f"staff {seed}")
        self._station = venue.station
        self._called_s: dict[int, float] = {}  # when a judge was last sent to a table
        self._astir = {*people}  # tables of which anything was heard since they needed no judge

    async def conduct(self, number: int, pairings: int) -> bool:
        """Publish round ``number``, start it and wait for every result; return False after three
        hours.

        The start is set for when players sit, and half as long again as telling the boards of the
        round has taken: telling them of the start takes no longer.
        """
        self._station.listeners.append(self._hear)
        try:
            return await self._conduct(number, pairings)
        finally:
            self._station.listeners.remove(self._hear)

    async def _conduct(self, number, pairings):
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        self._station.desk.publish(number)
        await self._until(lambda: not self._station.archive.orders.waiting, TELL_S)
        margin_s = SEATING_S + round(1.5 * (loop.time() - began_s))
        self._station.desk.start(self._venue.now_ms() + margin_s * 1000)
        for after_s, act in self._acts:
            loop.call_later(margin_s + after_s, act, self._station.desk)
        return await self._until(lambda: self._finished(number, pairings), PATIENCE_S)

    async def _until(self, holds, patience_s):
        waited_s = 0
        while not holds():
            if waited_s >= patience_s:
                return False
            self._walk()
            await asyncio.sleep(LOOK_S)
            waited_s += LOOK_S
        return True

    def _finished(self, number, pairings):
        if not all(table.settled for table in self._venue.tables.values()):
            return False  # found at one of the first tables, for most of a round
        return len(self._station.hall.results(number)) >= pairings

    def _walk(self):
        """Send a judge to each table that waits for one."""
        loop = asyncio.get_running_loop()
        for number in [number for number in self._people if number in self._astir]:
            fold = self._station.hall.fold_at(number)
            if fold is None or fold.match.phase != phases.RESOLVING or fold.match.missing:
                self._astir.discard(number)  # it does not need a judge
                continue
            if loop.time() - self._called_s.get(number, -AGAIN_S) >= AGAIN_S:
                self._called_s[number] = loop.time()
                loop.call_later(self._luck.uniform(*WALK_S), self._rule, number)

    def _hear(self, entries):
        statuses = self._station.collector.statuses
        for device in {entry.device for entry in entries} & statuses.keys():
            self._astir.add(statuses[device].table)

    def _rule(self, number):
        fold = self._station.hall.fold_at(number)
        assert fold is not None  # it has called a judge
        swapped = fold.match.swapped
        outcome, a, b = self._people[number].truth.paired(swapped)
        self._station.desk.rule(number, OUTCOME_NAMES[outcome], (a, b), author="judge")
