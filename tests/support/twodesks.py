"""The web desks of two events on one real socket, in a thread of its own; no time passes."""

import asyncio
import threading

from tabletop import MASTER
from twoevents import TwoEvents

from host.archive.access_links import ROLES
from host.tournament.rule_packs import shipped
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.event_desks import EventDesks
from host.web.sessions import Sessions


class TwoDesks:
    """Use as a context; ``url``, and ``links`` by word and role. The cup has played its round."""

    def __init__(self, folder):
        self._folder, self._ready = folder, threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self):
        self._thread.start()
        assert self._ready.wait(30)
        return self

    def __exit__(self, *failure):
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)
        assert not self._thread.is_alive(), "the desks did not close"

    async def _serve(self):
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        sock = http_loop.bound(http_loop.LOOPBACK, 0)
        host = f"{http_loop.LOOPBACK}:{sock.getsockname()[1]}"
        self.url, self.links = f"http://{host}", {}
        self.two = TwoEvents(self._folder)
        self.two.play("cup", 7)
        self.desks, tasks = EventDesks((host,), False), []
        for word, station in self.two.stations.items():
            service = DeskService(
                station, Sessions(MASTER, False, word), self.two.shares[word].now_ms, shipped(),
                self.url, base=f"/{word}",
            )  # fmt: skip
            self.desks.add(word, service)
            tasks.append(http_loop.tick(service))
            for role in ROLES:
                token = service.links.make(role, role, "test", 0)[1]
                self.links[word, role] = f"{service.address}/l/{token}"
        tasks.append(
            http_loop.run(self.desks, sock, None, http_loop.sweep(sock), self.desks.end_all)
        )
        running = [asyncio.ensure_future(one) for one in tasks]
        self._ready.set()
        await self._over.wait()
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        self.two.close()
        sock.close()

    def ask(self, function):
        """Return ``function(two)``, run in the desks' own thread."""

        async def run():
            return function(self.two)

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result()
