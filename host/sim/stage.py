"""A virtual venue for a real program, such as the web desk: time passes only when it says so.

Its host has one adapter for each 50 tables, which no real one has: a round then comes to a thousand
boards in as much time as to fifty, and whoever tries the pages need not wait for it. The
venue has its own virtual loop, which is run from inside the real one while that stands still.
Everything is in one thread, because the archive needs that.
"""

from __future__ import annotations

import asyncio
from asyncio import events as loops
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.core import phases
from host.collector.collector import MOST_CONNECTIONS
from host.sim.clock import VirtualLoop
from host.sim.guests import who_play
from host.sim.people import HOLD_MS
from host.sim.programme import RandomProgramme
from host.sim.pure import TABLES_AN_ADAPTER, PureAir
from host.sim.staff import AGAIN_S
from host.sim.story import OUTCOME_NAMES
from host.sim.venue import Venue

if TYPE_CHECKING:
    from host.desk.station import Station
    from host.sim.types import Holds, Programme, Told


ARCHIVE = "virtual.plusthree"
_SLICE_S = 1
_TOLD_S = 20
_SEATING_S = 270
_JUDGE_KEY = 2
_PATIENCE_S = 4 * 3600


class Stage:
    """``tables`` virtual tables whose people play by themselves.

    The archive is ``name`` in ``folder``.
    """

    def __init__(
        self,
        folder: Path,
        tables: int = 16,
        seed: int = 7,
        loss: float = 0.05,
        programme: Programme | None = None,
        spares: int = 0,
        name: str = ARCHIVE,
    ):
        self.loop, self._seed = VirtualLoop(), seed
        self._programme = programme or RandomProgramme(tables, seed)
        adapters = -(-tables // TABLES_AN_ADAPTER)
        self.venue = Venue(
            self.loop, PureAir(self.loop, seed, loss, adapters), folder / name, self._programme,
            seed, spares=spares, links=adapters * MOST_CONNECTIONS,
        )  # fmt: skip
        self.station, self.people, self._failures, self._ruled_s = self.venue.station, {}, [], {}
        self.loop.set_exception_handler(lambda loop, what: self._failures.append(what))
        self._tasks = [self.loop.create_task(self.venue.carrier.run())]
        if self._programme.event and not self.station.archive.roster.rounds:
            self.store(1)

    def store(self, number: int) -> None:
        """Store a round of the programme, as an organiser would import it."""
        self.station.archive.roster.store_round(
            number, self._programme.format, self._programme.pairings(number)
        )
        self.station.refresh()

    def now_ms(self) -> int:
        """Return the event time."""
        return self.venue.now_ms()

    def pass_time(self, seconds: float) -> None:
        """Let virtual time pass; raises what a program of the venue raised."""
        self.station.collector.now_ms = self.now_ms()
        outside = loops._get_running_loop()
        loops._set_running_loop(None)
        try:
            self.loop.run_until_complete(asyncio.sleep(seconds))
        finally:
            loops._set_running_loop(outside)
        for what in self._failures:
            raise what.get("exception") or RuntimeError(what["message"])

    async def advance(self, seconds: float, told: Told = lambda: None) -> None:
        """Let time pass second by second, the real loop running in between; ``told()`` is called
        every ``_TOLD_S`` seconds and at the end, as who skips minutes needs no page of each second.
        """
        left_s = seconds
        while left_s > 0:
            self.pass_time(min(_SLICE_S, left_s))
            left_s -= _SLICE_S
            if left_s <= 0 or left_s % _TOLD_S < _SLICE_S:
                told()
            await asyncio.sleep(0)

    async def until(self, holds: Holds, told: Told = lambda: None) -> bool:
        """Let time pass until ``holds(station)``; return False if it does not within four hours."""
        for second in range(_PATIENCE_S):
            if holds(self.station):
                told()
                return True
            await self.advance(_SLICE_S, told if second % _TOLD_S == 0 else lambda: None)
        told()
        return False

    async def open_round(self, number: int = 1, told: Told = lambda: None) -> None:
        """Publish a stored round, wait until every table has it, start it and let people sit
        down.
        """
        self.sit(number)
        self.station.desk.publish(number)
        await self.until(_answered, told)
        self.station.desk.start(self.now_ms() + _SEATING_S * 1000)
        await self.until(_answered, told)

    def sit(self, number: int = 1) -> None:
        """Let people play round ``number`` by themselves as soon as their boards show it."""
        for one in self.station.archive.roster.pairings_of(number):
            if one.table in self.venue.tables:  # no bye, and no table without a board
                story = self._programme.story(number, one.table)
                table, form = self.venue.tables[one.table], self._programme.format
                self.people[one.table] = both = who_play(table, story, form, self.venue.rules)
                self._tasks.append(self.loop.create_task(both.play_round(number)))

    def call_judge(self, table: int) -> None:
        """Hold the judge's key at a table; the board shows the call after a second or two."""
        board = self.station.archive.roster.board_at(table)
        there = self.venue.tables | self.venue.spares
        there[board.device if board else table].press(_JUDGE_KEY, max(HOLD_MS))

    def rule_waiting(self) -> list[int]:
        """Rule each table that waits for a ruling as its players know the result; return those
        tables.
        """
        found = []
        for table, people in self.people.items():
            fold = self.station.hall.fold_at(table)
            due = self.loop.time() - self._ruled_s.get(table, -AGAIN_S) >= AGAIN_S
            if fold is None or fold.match.missing:
                continue  # the players are counting still
            if due and fold.match.phase == phases.RESOLVING:
                self._ruled_s[table] = self.loop.time()
                outcome, a, b = people.truth.result
                self.station.desk.rule(table, OUTCOME_NAMES[outcome], (a, b), author="judge")
                found.append(table)
        return found

    def close(self) -> None:
        """Stop all players and close the archive."""
        for task in self._tasks:
            task.cancel()
        self._failures = []
        outside = loops._get_running_loop()
        loops._set_running_loop(None)
        try:
            self.loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
            self.loop.close()
        finally:
            loops._set_running_loop(outside)
        self.venue.close()


def _answered(station: Station) -> bool:
    return not station.archive.orders.waiting
