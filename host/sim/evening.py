"""One evening in the virtual venue: rounds one after the other, played, ruled and audited."""

import asyncio
import random

from host.formats.roundformat import parse_format
from host.roster import Pairing, Player
from host.sim.audit import CLOCKS_S, Audit
from host.sim.facts import Facts
from host.sim.people import People
from host.sim.staff import Staff
from host.sim.story import Story
from host.sim.venue import Venue

FORMAT = "p18 swiss bo3 constructed 50"
GIVEN = ("Ada", "Björn", "Chiara", "Dùng", "Eloïse", "Fatima", "Giulia", "Hana", "Igor", "João")
FAMILY = ("Álvarez", "Bianchi", "Çelik", "Dupont", "Eriksson", "Ferrari", "García", "Hughes")


def drawn_pairings(number, tables, seed):
    """Return a round's Pairings of two players a table, drawn anew each round."""
    players = [
        Player(str(1000 + i), f"{GIVEN[i % 10]} {FAMILY[i // 10 % 8]} {i // 80 + 1}")
        for i in range(2 * tables)
    ]
    random.Random(f"pairings {seed} {number}").shuffle(players)
    return [
        Pairing(number, table, table, players[2 * table - 2], players[2 * table - 1])
        for table in range(1, tables + 1)
    ]


class Evening:
    """``rounds`` rounds at ``tables`` tables over ``air``; the archive lies at ``path``."""

    def __init__(self, loop, air, path, tables, seed):
        self.facts = Facts()
        self.venue = Venue(loop, air, path, tables, seed)
        self._seed, self._loop = seed, loop
        self._audit = Audit(self.venue, self.facts)

    async def play(self, rounds):
        """Play all rounds; return the Facts."""
        carrying = self._loop.create_task(self.venue.carrier.run())
        ticking = self._loop.create_task(self._tick())
        try:
            for number in range(1, rounds + 1):
                await self._round(number)
        finally:
            for task in (ticking, carrying):
                task.cancel()
            await asyncio.gather(ticking, carrying, return_exceptions=True)
        self._audit.close()
        return self.facts

    async def _tick(self):
        while True:
            await asyncio.sleep(CLOCKS_S)
            self._audit.clocks()

    async def _round(self, number):
        tables = self.venue.tables
        pairings = drawn_pairings(number, len(tables), self._seed)
        roster = self.venue.station.archive.roster
        roster.store_round(number, parse_format(FORMAT), pairings)
        self.venue.station.refresh()
        people = {
            table.number: People(table, Story.drawn(f"{self._seed} {number} {table.number}"))
            for table in tables.values()
        }
        self._audit.begin(number)
        playing = [self._loop.create_task(one.play_round(number)) for one in people.values()]
        done = await Staff(self.venue, people, f"{self._seed} {number}").conduct(number, len(pairings))
        self.facts.check(done, f"round {number} did not end")
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        self._audit.end(number, {one.table: one.pairing for one in pairings}, people)
