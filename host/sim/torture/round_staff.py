"""The staff of one round when the desk's laptop can fail at any moment: they repeat each act until
it is done.
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
    from host.sim.torture.types import FaultyVenue, Seats
    from host.sim.types import TimedAct


LOOK_S = 5
WALK_S = (20, 90)
AGAIN_S = 300
MARGIN_S = 300


class RoundStaff:
    """One round's staff in ``venue``; ``people`` by table, ``acts`` [(seconds after the start,
    function)].
    """

    def __init__(self, venue: FaultyVenue, people: Seats, seed: str, acts: Sequence[TimedAct] = ()):
        self._venue, self._people = venue, people
        self._acts = sorted(acts, key=lambda one: one[0])
        self._luck = random.Random(f"crew {seed}")
        self._called_s: dict[int, float] = {}
        self._start_s: float | None = None
        self._started = False

    async def conduct(self, number: int, patience_s: float) -> bool:
        """Publish round ``number``, start it and wait for all results; return False after
        ``patience_s`` seconds or a violation.
        """
        began_s = self._venue.loop.time()
        while self._venue.loop.time() - began_s < patience_s:
            if self._venue.invariants.stopped:
                return False
            self._venue.laptop.guard(self._look, number)
            if self._venue.laptop.guard(self._finished, number):
                return True
            await asyncio.sleep(LOOK_S)
        return False

    def _look(self, number):
        station, now_s = self._venue.laptop.station, self._venue.loop.time()
        station.collector.now_ms = now_ms = self._venue.laptop.now_ms()
        station.desk.publish(number)
        waiting = any(order.table in self._people for order in station.archive.orders.pending)
        begun = (station.desk.start_ms or now_ms + 1) <= now_ms  # it was set: a record is awaited
        if not waiting and not begun and not self._all_started(number):
            station.desk.start(now_ms + MARGIN_S * 1000)
            self._start_s = self._start_s or now_s + MARGIN_S
        while (
            self._acts and self._start_s is not None and now_s >= self._start_s + self._acts[0][0]
        ):
            with contextlib.suppress(UserError):
                self._acts[0][1](station.desk)
            self._acts.pop(0)  # only now: the laptop may be killed during the act
        self._walk(now_s)

    def _all_started(self, number):
        """Return whether every table knows its start as far as the desk can tell; a spare put there
        later is told.
        """
        venue = self._venue.laptop.station.hall
        ok = (
            venue.match_at(table, number, lambda match: match.start_ms, None) is not None
            for table in self._people
        )
        self._started = self._started or self._start_s is not None and all(ok)
        return self._started

    def _finished(self, number):
        station = self._venue.laptop.station
        if len(station.hall.results(number)) < len(self._people):
            return False
        return all(self._venue.tables[table].settled for table in self._people)

    def _walk(self, now_s):
        for number in self._people:
            fold = self._venue.laptop.station.hall.fold_at(number)
            if fold is None or fold.match.phase != phases.RESOLVING:
                continue
            if now_s - self._called_s.get(number, -AGAIN_S) >= AGAIN_S:
                self._called_s[number] = now_s
                walk_s = self._luck.uniform(*WALK_S)
                self._venue.loop.call_later(
                    walk_s, lambda n=number: self._venue.laptop.guard(self._rule, n)
                )

    def _rule(self, number):
        fold = self._venue.laptop.station.hall.fold_at(number)
        if fold is None:
            return  # a spare has just replaced the board, and the host has no record of it yet
        pending = self._venue.laptop.station.archive.orders.pending_at(number)
        if fold.match.phase != phases.RESOLVING or any(
            one.kind == intents.RULE_RESULT for one in pending
        ):
            return  # it was settled meanwhile, or a ruling is on its way to the board
        outcome, a, b = self._people[number].truth.paired(fold.match.swapped)
        desk = self._venue.laptop.station.desk
        desk.rule(number, OUTCOME_NAMES[outcome], (a, b), author="judge")
