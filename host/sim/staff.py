"""The people at the desk: they publish a round, start it and rule where players cannot agree.

They use the Desk only. Of a table they know what the host's fold says, and what players tell a
judge at the table. In a torture run the desk's program may end at any moment: all that they do goes
by the venue's ``at_desk``, and they look again until it is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from firmware.core import intents, phases
from host.base.errors import UserError
from host.sim.story import OUTCOME_NAMES

if TYPE_CHECKING:
    from host.desk.station import Station
    from host.sim.types import People, Staffed, TimedAct


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
        self,
        venue: Staffed,
        people: Mapping[int, People],
        seed: str | int,
        acts: Sequence[TimedAct] = (),
    ):
        self._venue, self._people = venue, people
        self._acts = sorted(acts, key=lambda act: act[0])
        self._luck = random.Random(f"staff {seed}")
        self._began_s = venue.loop.time()
        self._published = self._started = False
        self._start_s: float | None = None  # when the round was to start, as first set
        self._called_s: dict[int, float] = {}  # when a judge was last sent to a table
        self._station: Station | None = None  # the program that tells them of records
        # tables that may need a judge: something was heard of them since they last needed none
        self._to_check: set[int] = set()

    async def conduct(self, number: int, pairings: int) -> bool:
        """Publish round ``number``, start it and wait for every result; return False after three
        hours or where the venue has stopped.
        """
        try:
            while self._venue.loop.time() - self._began_s < PATIENCE_S and not self._venue.stopped:
                self._venue.at_desk(self._act, number)
                if self._venue.at_desk(self._finished, number, pairings):
                    return True
                await asyncio.sleep(LOOK_S)
            return False
        finally:
            if self._station is not None:
                self._station.listeners.remove(self._hear)

    def _act(self, number):
        """Do what is due: publish and start the round, carry out acts, send judges to tables."""
        station, now_s = self._venue.station, self._venue.loop.time()
        if station is not self._station:
            station.listeners.append(self._hear)
            self._station, self._to_check = station, {*self._people}
        station.collector.now_ms = self._venue.desk_ms()
        if not self._published:
            station.desk.publish(number)
            self._published = True
        if not self._started:
            self._start(station, number, now_s)
        if self._start_s is not None:
            self._carry_out_acts(station.desk, now_s - self._start_s)
        self._send_judges(station, now_s)

    def _carry_out_acts(self, desk, since_start_s):
        while self._acts:
            after_s, act = self._acts[0]
            if since_start_s < after_s:
                return
            with contextlib.suppress(UserError):  # a table may have ended meanwhile
                act(desk)
            self._acts.pop(0)  # only now: the program may be killed during the act

    def _start(self, station, number, now_s):
        """Set the start once the tables know the round, and again where one does not know it.

        Until then players take their seats and the tables learn of it, for which there is half as
        long again as they needed to learn of the round.
        """
        now_ms, telling_s = self._venue.desk_ms(), now_s - self._began_s
        orders = station.archive.orders
        if station.desk.start_ms and station.desk.start_ms <= now_ms:
            return  # the tables' records of it may be under way
        may_wait = self._start_s is not None or telling_s < TELL_S
        if may_wait and orders.waiting and any(orders.pending_at(table) for table in self._people):
            return
        if self._start_s is not None and self._all_know(station, number):
            self._started = True
            return
        margin_s = SEATING_S + round(1.5 * telling_s)
        station.desk.start(now_ms + margin_s * 1000)
        self._start_s = self._start_s or now_s + margin_s

    def _all_know(self, station, number):
        """Return whether every table knows its start as far as the desk can tell; a spare put there
        later is told.
        """
        starts = (
            station.hall.match_at(table, number, lambda match: match.start_ms, None)
            for table in self._people
        )
        return all(start_ms is not None for start_ms in starts)

    def _finished(self, number, pairings):
        if not all(self._venue.tables[table].settled for table in self._people):
            return False  # found at one of the first tables, for most of a round
        return len(self._venue.station.hall.results(number)) >= pairings

    def _send_judges(self, station, now_s):
        """Send a judge to each table that waits for one."""
        for number in [number for number in self._people if number in self._to_check]:
            fold = station.hall.fold_at(number)
            if fold is None or fold.match.phase != phases.RESOLVING or fold.match.missing:
                self._to_check.discard(number)  # it does not need a judge
                continue
            if now_s - self._called_s.get(number, -AGAIN_S) >= AGAIN_S:
                self._called_s[number] = now_s
                walk_s = self._luck.uniform(*WALK_S)
                self._venue.loop.call_later(walk_s, self._venue.at_desk, self._rule, number)

    def _hear(self, entries):
        assert self._station is not None  # it is the one that tells
        statuses = self._station.collector.statuses
        for device in {entry.device for entry in entries} & statuses.keys():
            self._to_check.add(statuses[device].table)

    def _rule(self, number):
        station = self._venue.station
        fold = station.hall.fold_at(number)
        if fold is None or fold.match.phase != phases.RESOLVING:
            return  # a spare has told nothing yet, or it was settled meanwhile
        pending = station.archive.orders.pending_at(number)
        if any(order.kind == intents.RULE_RESULT for order in pending):
            return  # a ruling is on its way to the board
        outcome, a, b = self._people[number].truth.paired(fold.match.swapped)
        station.desk.rule(number, OUTCOME_NAMES[outcome], (a, b), author="judge")
