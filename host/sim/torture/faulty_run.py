"""One run: people play rounds while the planned faults happen, and the result is checked.

The desk's laptop can fail at any moment: the staff repeat each act until it is done.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from firmware.core import intents, phases
from host.base.errors import UserError
from host.formats.round_format import parse_format
from host.sim.people import People
from host.sim.programme import RandomProgramme, extended
from host.sim.story import OUTCOME_NAMES, Story
from host.sim.torture import invariants
from host.sim.torture.fault_injector import FaultInjector
from host.sim.torture.final_checks import check_event, check_replay, check_run

if TYPE_CHECKING:
    from host.sim.torture.types import Expected, Fault, FaultyVenue, Seats
    from host.sim.types import PlayTable, TimedAct

LOOK_S = 5
WALK_S = (20, 90)
AGAIN_S = 300
MARGIN_S = 300
DRAIN_S = 60
REBOOT_S = 9
SWAP_S = 300
PATIENCE_S = 3 * 3600
CLOCKS_S = 60
EXTENDED_S = (60, 1000)
_SHORT = "p18 swiss bo3 constructed 20"
_LONG = "p18 swiss bo3 constructed 50"


class RoundStaff:
    """One round's staff in ``venue``; ``people`` by table, ``acts`` [(seconds after the start,
    function)].
    """

    def __init__(self, venue: FaultyVenue, people: Seats, seed: str, acts: Sequence[TimedAct] = ()):
        self._venue, self._people = venue, people
        self._acts = sorted(acts, key=lambda act: act[0])
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
            self._venue.laptop.guard(self._act, number)
            if self._venue.laptop.guard(self._finished, number):
                return True
            await asyncio.sleep(LOOK_S)
        return False

    def _act(self, number):
        """Do what is due: publish and start the round, carry out acts, go to tables in doubt."""
        station, now_s = self._venue.laptop.station, self._venue.loop.time()
        station.collector.now_ms = now_ms = self._venue.laptop.now_ms()
        station.desk.publish(number)
        waiting = any(order.table in self._people for order in station.archive.orders.pending)
        begun = (station.desk.start_ms or now_ms + 1) <= now_ms  # its records may be under way
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
            order.kind == intents.RULE_RESULT for order in pending
        ):
            return  # it was settled meanwhile, or a ruling is on its way to the board
        outcome, a, b = self._people[number].truth.paired(fold.match.swapped)
        desk = self._venue.laptop.station.desk
        desk.rule(number, OUTCOME_NAMES[outcome], (a, b), author="judge")


@dataclass
class Outcome:
    """The counts and violations of a run."""

    results: int = 0
    lost: int = 0
    duplicated: int = 0
    violations: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    virtual_s: float = 0


class FaultyRun:
    """A run in ``venue`` with ``seed`` and ``faults`` (see ``fault_plan``) over ``hours`` hours of
    play; it closes the venue.
    """

    def __init__(self, venue: FaultyVenue, hours: float, seed: int, faults: Sequence[Fault]):
        self.venue, self._loop = venue, venue.loop
        self._seed, self._faults, self._span_s = seed, faults, hours * 3600
        self._acts = FaultInjector(self.venue, seed)
        self._programme = RandomProgramme(len(venue.tables), seed)
        self._luck = random.Random(f"ordeal {seed}")
        self.outcome = Outcome()
        self._event = 1
        self._expected: Expected = {}  # (event, round) -> people by table

    async def run(self) -> Outcome:
        """Run, and return the Outcome; an exception of the simulator is a violation, too."""
        try:
            await self._live()
        except Exception as error:  # any exception: the remaining seeds still have to run
            self.venue.invariants.check(False, None, invariants.describe("the program", error))
        outcome = self.outcome
        outcome.violations, outcome.faults = self.venue.invariants.violations, self._acts.counts
        outcome.virtual_s = self._loop.time()
        self.venue.close()
        return outcome

    async def _live(self):
        self._loop.set_exception_handler(self._failed)
        venue = self.venue
        venue.laptop.start()
        for fault in self._faults:
            self._loop.call_at(fault.at_s, self._acts.begin, fault)
        ending = self._loop.create_task(self._end_faults())
        ticking = self._loop.create_task(self._tick())
        await self._rounds()
        ending.cancel()
        ticking.cancel()
        self._acts.end_faults()
        await self._check_drained()
        self._reckon()

    def _failed(self, loop, what):
        error = what.get("exception")
        text = f"{what.get('message')}"
        if isinstance(error, Exception):
            text = f"{invariants.describe('a program', error)}; {text}"
        self.venue.invariants.check(False, None, text)

    async def _tick(self):
        while True:
            await asyncio.sleep(CLOCKS_S)
            self.venue.invariants.check_clocks()
            self.venue.invariants.check_replays()

    async def _end_faults(self):
        await asyncio.sleep(self._span_s)
        self._acts.end_faults()
        await self._check_drained()

    # rounds

    def _forms(self):
        """Yield (format, whether it opens a new event) of each round."""
        opened = False
        while self._loop.time() < self._span_s * 0.7:
            short = self._luck.random() < 0.5
            yield _SHORT if short else _LONG, opened and self._luck.random() < 0.6
            opened = True

    async def _rounds(self):
        number = 0
        for form, fresh in self._forms():
            number = 1 if fresh else number + 1
            self._event += fresh
            if not await self._round(number, form):
                return

    async def _round(self, number, form):
        venue = self.venue
        stored = False
        while not stored:
            stored = venue.laptop.guard(self._store, number, form)
            await asyncio.sleep(1)
        event = max(venue.origins)
        seats = {
            table: People(
                cast("PlayTable", place), Story.drawn(f"{self._seed} {event} {number} {table}")
            )
            for table, place in venue.places.items()
        }
        self._expected[event, number] = seats
        playing = [self._loop.create_task(people.play_round(number)) for people in seats.values()]
        staff = RoundStaff(venue, seats, f"{self._seed} {event} {number}", self._desk_acts(number))
        for task in playing:
            task.add_done_callback(self._left)
        done = await staff.conduct(number, PATIENCE_S)
        venue.invariants.check(
            done or venue.invariants.stopped, None, f"round {number} did not end"
        )
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if venue.laptop.up:
            check_replay(venue.invariants, venue.laptop.station)
        return not venue.invariants.stopped

    def _left(self, task):
        """A table's players have finished, or the simulator has failed."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            who = "the harness broke, " if invariants.is_harness(error) else ""
            self.venue.invariants.check(False, None, f"{who}somebody at a table: {error!r}")

    def _desk_acts(self, number):
        """Return the desk's acts in a round: it allows rolls, and gives some tables extra time
        twice.
        """
        acts = self._programme.acts(number) + [(1, lambda desk: desk.policy(None, 3))]
        for table in self._luck.sample(sorted(self.venue.tables), 1 + len(self.venue.tables) // 4):
            acts += [extended(table, self._luck.uniform(*EXTENDED_S), 1 + i) for i in range(2)]
        return acts

    def _store(self, number, form):
        station = self.venue.laptop.station
        roster = station.archive.roster
        opened = roster.event
        assert opened is not None  # the venue opens one at the start
        if opened.number < self._event:
            check_event(self.venue, self._expected, self.outcome)
            self.venue.open_event(station.archive)
            self.venue.laptop.end_program()  # opening an event restarts the program
            self.venue.laptop.start()
            return False
        if roster.format_of(number) is None:
            roster.store_round(number, parse_format(form), self._programme.pairings(number))
        station.refresh()
        return True

    # the end of the run

    async def _check_drained(self):
        """Check that everything arrives within a minute of the last restart, without faults."""
        venue = self.venue
        await asyncio.sleep(REBOOT_S)
        await self._switched_on()
        for _ in range(DRAIN_S):
            if self._is_drained():
                break
            await asyncio.sleep(1)
        for table in venue.tables.values():
            waits = table.down or table.app.sync.waiting
            venue.invariants.check(not waits, table, f"not drained in {DRAIN_S} s")
        if venue.laptop.up:
            left = self._pending()
            venue.invariants.check(
                not left, None, f"orders not answered in {DRAIN_S} s: {left[:2]}"
            )
        venue.invariants.check(venue.laptop.up, None, "the host is not up again")
        venue.invariants.check_clocks()
        if not venue.invariants.stopped:
            venue.invariants.check_folds()

    async def _switched_on(self):
        """Wait for boards that somebody has still to switch on, such as in a swap that goes on."""
        for _ in range(SWAP_S):
            if not any(table.down for table in self.venue.tables.values()):
                return
            await asyncio.sleep(1)

    def _pending(self):
        """Return the orders that tables have still to answer; a stolen board never answers."""
        orders = self.venue.laptop.station.archive.orders.pending
        return [order for order in orders if order.table in self.venue.tables]

    def _owed(self):
        """Return whether the host lacks records, such as another host has acknowledged."""
        collector = self.venue.laptop.station.collector
        return any(
            collector._scheduler.missing(collector.statuses[table.device])
            for table in self.venue.tables.values()
        )

    def _is_drained(self):
        """Return whether no board is off and no record or order is still under way."""
        venue = self.venue
        if not venue.laptop.up or any(table.down for table in venue.tables.values()):
            return False
        if self._pending() or self._owed():
            return False
        return not any(table.app.sync.waiting for table in venue.tables.values())

    def _reckon(self):
        venue = self.venue
        if venue.laptop.up:
            check_run(venue, self._expected, self.outcome)
        for table in venue.boards.values():
            for place in table.link.reused:
                venue.invariants.check(False, table, f"number used twice: {place}")
