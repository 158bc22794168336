"""The web desk of a new archive on a real socket, in a thread of its own: there is no event yet."""

import asyncio
import threading

from tabletop import MASTER

from host.archive.access_links import ROLES
from host.desk.station import Station
from host.tournament.rule_packs import shipped
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions


class NewDesk:
    """Use as a context; ``url``, and ``links`` by role. Its clock stands still."""

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
        assert not self._thread.is_alive(), "the desk did not close"

    async def _serve(self):
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        sock = http_loop.bound(http_loop.LOOPBACK, 0)
        host = f"{http_loop.LOOPBACK}:{sock.getsockname()[1]}"
        self.url = f"http://{host}"
        with Station(self._folder / "new.db", MASTER) as station:
            sessions = Sessions(MASTER, False)
            self._service = DeskService(station, sessions, lambda: 1000, shipped(), self.url)
            made = {role: self._service.links.make(role, role, "test", 0)[1] for role in ROLES}
            self.links = {role: f"{self.url}/l/{token}" for role, token in made.items()}
            serving = asyncio.ensure_future(http_loop.serve(self._service, sock, (host,)))
            self._ready.set()
            await self._over.wait()
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        sock.close()

    def ask(self, function):
        """Return ``function(service)``, run in the desk's own thread."""

        async def run():
            return function(self._service)

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result()
