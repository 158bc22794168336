"""One run: rounds played by people while the faults of a plan befall the hall, and what
came of it.
"""

from __future__ import annotations

import asyncio
import random
from asyncio import AbstractEventLoop
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from host.formats.round_format import parse_format
from host.sim.people import People
from host.sim.programme import Drawn, extended
from host.sim.story import Story
from host.sim.torture import origin
from host.sim.torture.acts import Acts
from host.sim.torture.crew import Crew
from host.sim.torture.hall import Hall
from host.sim.torture.reckoning import reckon, replayed, results

if TYPE_CHECKING:
    from host.sim.prices import Book
    from host.sim.torture.types import Expected, Fault


DRAIN_S = 60
REBOOT_S = 9
PATIENCE_S = 3 * 3600
CLOCKS_S = 60
EXTENDED_S = (60, 1000)
_SHORT = "p18 swiss bo3 constructed 20"
_LONG = "p18 swiss bo3 constructed 50"


@dataclass
class Outcome:
    """What a run was like."""

    results: int = 0
    lost: int = 0
    duplicated: int = 0
    violations: list[str] = field(default_factory=list)
    faults: dict[str, int] = field(default_factory=dict)
    virtual_s: float = 0


class Ordeal:
    """A run of ``seed`` with its ``faults`` (see ``plan``) in ``hours`` hours of play; ``prices``
    as for ``Venue``.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        folder: Path,
        tables: int,
        hours: float,
        seed: int,
        faults: Sequence[Fault],
        prices: Book | None = None,
    ):
        self._loop, self._seed, self._faults, self._span_s = loop, seed, faults, hours * 3600
        self.hall = Hall(loop, folder, tables, seed, prices)
        self._acts = Acts(self.hall, seed)
        self._programme = Drawn(tables, seed)
        self._luck = random.Random(f"ordeal {seed}")
        self.outcome = Outcome()
        self._event = 1
        self._expected: Expected = {}  # (event, round) -> people by table

    async def run(self) -> Outcome:
        """Live it; return the Outcome, in which an exception of the simulator is a
        violation, too.
        """
        try:
            await self._live()
        except Exception as error:  # whatever it was: the range has more seeds
            self.hall.watch.check(False, None, origin.broke("the program", error))
        outcome = self.outcome
        outcome.violations, outcome.faults = self.hall.watch.violations, self._acts.counts
        outcome.virtual_s = self._loop.time()
        self.hall.close()
        return outcome

    async def _live(self):
        self._loop.set_exception_handler(self._failed)
        hall = self.hall
        hall.laptop.start()
        for fault in self._faults:
            self._loop.call_at(fault.at_s, self._acts.begin, fault)
        calming = self._loop.create_task(self._calm())
        ticking = self._loop.create_task(self._tick())
        await self._rounds()
        calming.cancel()
        ticking.cancel()
        self._acts.calm()
        await self._drained()
        self._reckon()

    def _failed(self, loop, what):
        error = what.get("exception")
        said = f"{what.get('message')}"
        if isinstance(error, Exception):
            said = f"{origin.broke('a program', error)}; {said}"
        self.hall.watch.check(False, None, said)

    async def _tick(self):
        while True:
            await asyncio.sleep(CLOCKS_S)
            self.hall.watch.clocks()
            self.hall.watch.replayed()

    async def _calm(self):
        await asyncio.sleep(self._span_s)
        self._acts.calm()
        await self._drained()

    # rounds

    def _forms(self):
        """Yield (format, whether a new event opens) of one round after the other."""
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
        hall = self.hall
        stored = False
        while not stored:
            stored = hall.laptop.guard(self._store, number, form)
            await asyncio.sleep(1)
        event = max(hall.origins)
        seats = {
            table: People(place, Story.drawn(f"{self._seed} {event} {number} {table}"))
            for table, place in hall.places.items()
        }
        self._expected[event, number] = seats
        playing = [self._loop.create_task(one.play_round(number)) for one in seats.values()]
        crew = Crew(hall, seats, f"{self._seed} {event} {number}", self._desk_acts(number))
        for task in playing:
            task.add_done_callback(self._left)
        done = await crew.conduct(number, PATIENCE_S)
        hall.watch.check(done or hall.watch.stopped, None, f"round {number} did not end")
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        if hall.laptop.up:
            replayed(hall.watch, hall.laptop.station)
        return not hall.watch.stopped

    def _left(self, task):
        """Somebody has left a table: with a result, or because the simulator is wrong."""
        error = None if task.cancelled() else task.exception()
        if error is not None:
            who = "the harness broke, " if origin.is_harness(error) else ""
            self.hall.watch.check(False, None, f"{who}somebody at a table: {error!r}")

    def _desk_acts(self, number):
        """Return what the desk does in a round: luck is switched on, some tables get more time,
        twice.
        """
        acts = self._programme.acts(number) + [(1, lambda desk: desk.policy(None, 3))]
        for table in self._luck.sample(sorted(self.hall.tables), 1 + len(self.hall.tables) // 4):
            acts += [extended(table, self._luck.uniform(*EXTENDED_S), 1 + i) for i in range(2)]
        return acts

    def _store(self, number, form):
        station = self.hall.laptop.station
        roster = station.archive.roster
        opened = roster.event
        assert opened is not None  # the hall has opened one
        if opened.number < self._event:
            results(self.hall, self._expected, self.outcome)
            self.hall.open_event(station.archive)
            self.hall.laptop.fall()  # an event is opened by starting the program anew
            self.hall.laptop.start()
            return False
        if roster.format_of(number) is None:
            roster.store_round(number, parse_format(form), self._programme.pairings(number))
        station.refresh()
        return True

    # the end

    async def _drained(self):
        """Once all faults are over, everything arrives within a minute."""
        hall = self.hall
        await asyncio.sleep(REBOOT_S)
        for _ in range(DRAIN_S):
            if self._dry():
                break
            await asyncio.sleep(1)
        for table in hall.tables.values():
            waits = table.dark or table.app.sync.waiting
            hall.watch.check(not waits, table, f"not drained in {DRAIN_S} s")
        if hall.laptop.up:
            left = self._pending()
            hall.watch.check(not left, None, f"orders not answered in {DRAIN_S} s: {left[:2]}")
        hall.watch.check(hall.laptop.up, None, "the host is not up again")
        hall.watch.clocks()
        if not hall.watch.stopped:
            hall.watch.folded()

    def _pending(self):
        """Return the orders that tables have still to answer; a stolen board never does."""
        orders = self.hall.laptop.station.archive.orders.pending
        return [order for order in orders if order.table in self.hall.tables]

    def _owed(self):
        """Whether the host still lacks records, such as another host has acknowledged."""
        collector = self.hall.laptop.station.collector
        return any(
            collector._connection_scheduler.missing(collector.statuses[table.device])
            for table in self.hall.tables.values()
        )

    def _dry(self):
        hall = self.hall
        if not hall.laptop.up or any(table.dark for table in hall.tables.values()):
            return False
        if self._pending() or self._owed():
            return False
        return not any(table.app.sync.waiting for table in hall.tables.values())

    def _reckon(self):
        hall = self.hall
        if hall.laptop.up:
            reckon(hall, self._expected, self.outcome)
        for table in hall.boards.values():
            for place in table.link.reused:
                hall.watch.check(False, table, f"number used twice: {place}")
