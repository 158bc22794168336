"""One run: people play rounds while the planned faults happen, and the result is checked.

The desk's laptop can fail at any moment.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from host.formats.round_format import parse_format
from host.sim.people import People
from host.sim.programme import RandomProgramme, extension_act
from host.sim.staff import Staff
from host.sim.story import Story
from host.sim.torture import invariants
from host.sim.torture.fault_injector import FaultInjector
from host.sim.torture.final_checks import check_event, check_replay, check_run

if TYPE_CHECKING:
    from host.sim.torture.types import Expected, Fault, FaultyVenue
    from host.sim.types import PlayTable

DRAIN_S = 60
REBOOT_S = 9
SWAP_S = 300
CLOCKS_S = 60
EXTENDED_S = (60, 1000)
_SHORT = "p18 swiss bo3 constructed 20"
_LONG = "p18 swiss bo3 constructed 50"


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
        self._injector = FaultInjector(self.venue, seed)
        self._programme = RandomProgramme(len(venue.tables), seed)
        self._luck = random.Random(f"ordeal {seed}")
        self.outcome = Outcome()
        self._event = 1
        self._expected: Expected = {}  # (event, round) -> people by table

    async def run(self) -> Outcome:
        """Run, and return the Outcome; an exception of the simulator is a violation, too."""
        try:
            await self._play()
        except Exception as error:  # any exception: the remaining seeds still have to run
            self.venue.invariants.check(False, None, invariants.describe("the program", error))
        outcome = self.outcome
        outcome.violations, outcome.faults = self.venue.invariants.violations, self._injector.counts
        outcome.virtual_s = self._loop.time()
        self.venue.close()
        return outcome

    async def _play(self):
        self._loop.set_exception_handler(self._report_loop_error)
        venue = self.venue
        venue.laptop.start()
        for fault in self._faults:
            self._loop.call_at(fault.at_s, self._injector.begin, fault)
        ending = self._loop.create_task(self._end_faults())
        ticking = self._loop.create_task(self._tick())
        await self._rounds()
        ending.cancel()
        ticking.cancel()
        self._injector.end_faults()
        await self._check_drained()
        self._check_end()

    def _report_loop_error(self, loop, what):
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
        self._injector.end_faults()
        await self._check_drained()

    # rounds

    def _formats(self):
        """Yield (format, whether it opens a new event) of each round."""
        opened = False
        while self._loop.time() < self._span_s * 0.7:
            short = self._luck.random() < 0.5
            yield _SHORT if short else _LONG, opened and self._luck.random() < 0.6
            opened = True

    async def _rounds(self):
        number = 0
        for form, opens_event in self._formats():
            number += 1
            if opens_event:
                number = 1
                self._event += 1
            if not await self._round(number, form):
                return

    async def _round(self, number, form):
        """Play a round; return whether all invariants held."""
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
        staff = Staff(venue, seats, f"{self._seed} {event} {number}", self._desk_acts(number))
        for task in playing:
            task.add_done_callback(self._report_error)
        done = await staff.conduct(number, len(seats))
        venue.invariants.check(
            done or venue.invariants.stopped, None, f"round {number} did not end"
        )
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if venue.laptop.up:
            check_replay(venue.invariants, venue.laptop.station)
        return not venue.invariants.stopped

    def _report_error(self, task):
        """A table's players have finished, or the simulator has failed."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            who = "the harness broke, " if invariants.is_harness(error) else ""
            self.venue.invariants.check(False, None, f"{who}somebody at a table: {error!r}")

    def _desk_acts(self, number):
        """Return the desk's acts in a round: it allows rolls, and gives some tables extra time
        twice.
        """
        acts = self._programme.acts(number) + [(1, lambda desk: desk.set_policy(None, 3))]
        tables = sorted(self.venue.tables)
        for table in self._luck.sample(tables, 1 + len(tables) // 4):
            for minutes in (1, 2):
                acts.append(extension_act(table, self._luck.uniform(*EXTENDED_S), minutes))
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
        """Check that everything arrives within a minute of the last restart, once faults end."""
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
        if not venue.invariants.stopped:  # what is missing already would be reported again
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

    def _lacks_records(self):
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
        if self._pending() or self._lacks_records():
            return False
        return not any(table.app.sync.waiting for table in venue.tables.values())

    def _check_end(self):
        venue = self.venue
        if venue.laptop.up:
            check_run(venue, self._expected, self.outcome)
        for table in venue.boards.values():
            for place in table.link.reused:
                venue.invariants.check(False, table, f"number used twice: {place}")
