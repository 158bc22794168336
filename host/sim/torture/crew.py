"""The staff of a round when the desk's laptop may be gone at any moment: they ask again until it is
done.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from firmware.core import intents, phases
from host.base.errors import UserError
from host.sim.story import OUTCOME_NAMES

if TYPE_CHECKING:
    from host.sim.torture.types import Hall, Seats
    from host.sim.types import TimedAct


LOOK_S = 5
WALK_S = (20, 90)
AGAIN_S = 300
MARGIN_S = 300


class Crew:
    """One round's staff in ``hall``; ``people`` by table, ``acts`` [(seconds after start,
    function)].
    """

    def __init__(self, hall: Hall, people: Seats, seed: str, acts: Sequence[TimedAct] = ()):
        self._hall, self._people = hall, people
        self._acts = sorted(acts, key=lambda one: one[0])
        self._luck = random.Random(f"crew {seed}")
        self._called_s: dict[int, float] = {}
        self._start_s: float | None = None
        self._started = False

    async def conduct(self, number: int, patience_s: float) -> bool:
        """Publish round ``number``, start it and stay until every result is in; False if not."""
        began_s = self._hall.loop.time()
        while self._hall.loop.time() - began_s < patience_s:
            if self._hall.watch.stopped:
                return False
            self._hall.laptop.guard(self._look, number)
            if self._hall.laptop.guard(self._finished, number):
                return True
            await asyncio.sleep(LOOK_S)
        return False

    def _look(self, number):
        station, now_s = self._hall.laptop.station, self._hall.loop.time()
        station.collector.now_ms = self._hall.laptop.now_ms()
        station.desk.publish(number)
        waiting = any(order.table in self._people for order in station.archive.orders.pending)
        if not waiting and not self._all_started(number):
            station.desk.start(station.collector.now_ms + MARGIN_S * 1000)
            self._start_s = self._start_s or now_s + MARGIN_S
        while (
            self._acts and self._start_s is not None and now_s >= self._start_s + self._acts[0][0]
        ):
            with contextlib.suppress(UserError):
                self._acts[0][1](station.desk)
            self._acts.pop(0)  # not before: the laptop may go while they type
        self._walk(now_s)

    def _all_started(self, number):
        """Whether every table knows its start, as far as the desk can tell; a spare laid there
        later is told it.
        """
        hall = self._hall.laptop.station.hall
        ok = (
            hall.match_at(table, number, lambda match: match.start_ms, None) is not None
            for table in self._people
        )
        self._started = self._started or self._start_s is not None and all(ok)
        return self._started

    def _finished(self, number):
        station = self._hall.laptop.station
        if len(station.hall.results(number)) < len(self._people):
            return False
        return all(self._hall.tables[table].settled for table in self._people)

    def _walk(self, now_s):
        for number in self._people:
            fold = self._hall.laptop.station.hall.fold_at(number)
            if fold is None or fold.match.phase != phases.RESOLVING:
                continue
            if now_s - self._called_s.get(number, -AGAIN_S) >= AGAIN_S:
                self._called_s[number] = now_s
                walk_s = self._luck.uniform(*WALK_S)
                self._hall.loop.call_later(
                    walk_s, lambda n=number: self._hall.laptop.guard(self._rule, n)
                )

    def _rule(self, number):
        fold = self._hall.laptop.station.hall.fold_at(number)
        if fold is None:
            return  # a spare has taken the table over, and has told the host nothing yet
        pending = self._hall.laptop.station.archive.orders.pending_at(number)
        if fold.match.phase != phases.RESOLVING or any(
            one.kind == intents.RULE_RESULT for one in pending
        ):
            return  # it has settled itself meanwhile, or the board is still to hear what was ruled
        outcome, a, b = self._people[number].truth.paired(fold.match.swapped)
        desk = self._hall.laptop.station.desk
        desk.rule(number, OUTCOME_NAMES[outcome], (a, b), author="judge")
