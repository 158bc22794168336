"""The web desk over a virtual venue in a thread of its own: a test asks, time passes,
pages see it.
"""

import asyncio
import threading

from host.archive.roster import REVOKED
from host.sim.stage import WebStage


class VirtualDesk:
    """Use as a context; ``url``, ``links`` by role, and acts that return when they are done."""

    def __init__(self, folder, **terms):
        self._folder, self._terms = folder, terms
        self._loop, self._ready, self._failure = None, threading.Event(), None
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        self._ready.wait()
        if self._failure:
            raise self._failure
        return self

    def __exit__(self, *failure):
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)
        assert not self._thread.is_alive(), "the desk did not close"

    def _run(self):
        try:
            asyncio.run(self._serve())
        except Exception as failure:
            self._failure = failure
        finally:
            self._ready.set()

    async def _serve(self):
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        self._web = WebStage(self._folder, **self._terms)
        self.url, self.links = self._web.url, self._web.links
        serving = asyncio.ensure_future(self._web.serve())
        self._ready.set()
        await self._over.wait()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)
        self._web.close()

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()

    def ask(self, function):
        """Return ``function(station)``, run in the desk's own thread."""

        async def run():
            return function(self._web.stage.station)

        return self._do(run())

    def advance(self, seconds):
        """Let virtual time pass."""
        self._do(self._web.stage.advance(seconds, self._web.notify))

    def advance_until(self, holds):
        """Let virtual time pass until ``holds(station)``; False when it does not within
        four hours.
        """
        return self._do(self._web.stage.until(holds, self._web.notify))

    def open_round(self, number=1):
        """Publish and start a round at which people play by themselves."""
        self._do(self._web.stage.open_round(number, self._web.notify))

    def lose_board(self, table):
        """Revoke the board of ``table``, which goes on without one."""

        def revoke(station):
            roster = station.archive.roster
            roster.move(roster.board_at(table).device, REVOKED, "Ada", "broken", 0)
            station.refresh()

        self.ask(revoke)
        self.advance(2)

    def revoke_link(self, name):
        """Revoke the link of this name; its pages are closed."""

        def revoke(station):
            links = self._web.service.links
            number = next(one.id for one in links.every if one.name == name)
            self._web.service.revoke_link(number, "Olga")

        self.ask(revoke)

    def networks(self, *addresses):
        """The host is in further networks, at these addresses."""
        self._web.service.also[:] = addresses

    def call_judge(self, table):
        """Somebody at a table calls the judge, and the host hears of it."""
        self._do(self._web.do({"do": "call", "table": table}))

    def rule_waiting(self):
        """Rule all tables that wait for a ruling as their players know it."""
        return self._do(self._web.do({"do": "rule"}))["tables"]
