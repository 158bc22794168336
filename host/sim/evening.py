"""One evening in the virtual venue: rounds played one after the other, ruled on and checked."""

from __future__ import annotations

import asyncio
from asyncio import AbstractEventLoop
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from host.sim.facts import Facts
from host.sim.guests import who_play
from host.sim.staff import Staff
from host.sim.truth_check import CLOCKS_S, TruthCheck
from host.sim.venue import Venue

if TYPE_CHECKING:
    from host.sim.types import Air, People, Programme, VenueOptions


class Evening:
    """A ``programme`` (see ``host.sim.programme``) over ``air``, with its archive at ``path``.

    ``begun(number)`` is called before a round is published, ``minute(number)`` every minute.
    ``options`` are those of ``Venue``: faces, prices, connect, links.
    """

    def __init__(
        self,
        loop: AbstractEventLoop,
        air: Air,
        path: Path,
        programme: Programme,
        seed: int,
        **options: Unpack[VenueOptions],
    ):
        self.facts = Facts()
        self.people: dict[int, People] = {}
        self.venue = Venue(loop, air, path, programme, seed, **options)
        self.begun: Callable[[int], None] = lambda number: None
        self.minute: Callable[[int], None] = lambda number: None
        self._programme, self._seed = programme, seed
        self._loop, self._failure, self._number = loop, None, 0
        self._truth_check = TruthCheck(self.venue, self.facts)

    async def play(self, rounds: Iterable[int]) -> Facts:
        """Play the rounds with these numbers; return the Facts. Raises what a board's program
        raised.
        """
        playing = self._loop.create_task(self._rounds(rounds))
        carrying = self._loop.create_task(self.venue.carrier.run())
        ticking = self._loop.create_task(self._tick())
        self._loop.set_exception_handler(lambda loop, what: self._failed(playing, what))
        await asyncio.wait((playing, carrying), return_when=asyncio.FIRST_COMPLETED)
        if carrying.done():
            carrying.result()
        for task in (playing, ticking, carrying):
            task.cancel()
        await asyncio.gather(playing, ticking, carrying, return_exceptions=True)
        if self._failure is not None:
            raise self._failure
        playing.result()
        self._truth_check.close()
        return self.facts

    def _failed(self, playing, what):
        """A program raised in a callback: end the evening with that exception."""
        if self._failure is None and "handle" in what:
            self._failure = what.get("exception")
            playing.cancel()

    async def _tick(self):
        while True:
            await asyncio.sleep(CLOCKS_S)
            self._truth_check.clocks()
            self.minute(self._number)

    async def _rounds(self, rounds):
        for number in rounds:
            await self._round(number)

    async def _round(self, number):
        self._number, form = number, self._programme.format
        pairings = self._programme.pairings(number)
        self.venue.station.archive.roster.store_round(number, self._programme.format, pairings)
        self.venue.station.refresh()
        tables = {one.table: one.pairing for one in pairings if one.table is not None}
        self.people = {
            table: who_play(one, self._programme.story(number, table), form, self.venue.rules)
            for table, one in self.venue.tables.items()
            if table in tables
        }
        self._truth_check.begin(number)
        self.begun(number)
        playing = [self._loop.create_task(one.play_round(number)) for one in self.people.values()]
        staff = Staff(
            self.venue, self.people, f"{self._seed} {number}", self._programme.acts(number)
        )
        done = await staff.conduct(number, len(pairings))
        self.facts.check(done, f"round {number} did not end")
        for task in playing:
            task.cancel()
        for left in await asyncio.gather(*playing, return_exceptions=True):
            if isinstance(left, Exception):
                raise left
        self._truth_check.end(number, tables, self.people)
