"""The web desk over a virtual venue in a thread of its own."""

import contextlib

from threaded import Threaded, running

from firmware.core import intents
from host.archive.roster import REVOKED
from host.sim.stage import WebStage


class VirtualDesk(Threaded):
    """Use as a context; ``url``, ``links`` by role, and acts that return when they are done."""

    def __init__(self, folder, **terms):
        self._folder, self._terms = folder, terms

    @contextlib.asynccontextmanager
    async def served(self):
        self._web = WebStage(self._folder, **self._terms)
        self.url, self.links = self._web.url, self._web.links
        async with running(self._web.serve()):
            yield
        self._web.close()

    def ask(self, function):
        """Return ``function(station)``, run in the desk's own thread."""
        return self.call(function, self._web.stage.station)

    def advance(self, seconds):
        """Let virtual time pass; pages see its end alone, as each update has all of them drawn."""
        self.do(self._then_told(self._web.stage.advance(seconds)))

    async def _then_told(self, passing):
        with self._untold():
            found = await passing
        self._web.notify()
        return found

    @contextlib.contextmanager
    def _untold(self):
        """Keep changes from the pages for a while: the desk looks for them twenty times a second."""
        feed = self._web.service.change_feed
        feed.step = lambda now_ms: None
        try:
            yield
        finally:
            del feed.step

    def advance_until(self, holds):
        """Let time pass until ``holds(station)``; False when it does not within four hours."""
        return self.do(self._then_told(self._web.stage.until(holds)))

    def publish(self, then_s):
        """Publish round 1, and let time pass."""
        self.ask(lambda station: station.desk.publish(1))
        self.advance(then_s)

    def open_round(self, number=1):
        """Publish and start a round at which people play by themselves."""
        self.do(self._then_told(self._web.stage.open_round(number)))

    def lose_board(self, table):
        def revoke(station):
            roster = station.archive.roster
            roster.move(roster.board_at(table).device, REVOKED, "Ada", "broken", 0)
            station.refresh()

        self.ask(revoke)
        self.advance(2)

    def press(self, table, kind, *numbers):
        """Ask a table's board for something, as its keys do."""

        def do(station):
            one, now_ms = self._web.stage.venue.tables[table], station.collector.now_ms
            asked = intents.of_numbers(kind, now_ms, *numbers, *(0,) * (3 - len(numbers)))
            assert one.app._ask(asked, now_ms)
            one.wake()

        self.ask(do)

    def revoke_link(self, name):
        def revoke(station):
            links = self._web.service.links
            number = next(one.id for one in links.every if one.name == name)
            self._web.service.revoke_link(number, "Olga")

        self.ask(revoke)

    def networks(self, *addresses):
        self._web.service.also[:] = addresses

    def call_judge(self, table):
        self.do(self._web.do({"do": "call", "table": table}))

    def rule_waiting(self):
        """Rule all tables that wait for a ruling as their players know it."""
        return self.do(self._web.do({"do": "rule"}))["tables"]
