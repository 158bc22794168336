"""The web desk of a new archive on a real socket, in a thread of its own: there is no event yet."""

import contextlib

from tabletop import MASTER
from threaded import Threaded, running

from host.archive.access_links import ROLES
from host.desk.station import Station
from host.tournament.rule_packs import shipped_packs
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions


class NewDesk(Threaded):
    """Use as a context; ``url``, and ``links`` by role. Its clock stands still."""

    def __init__(self, folder):
        self._folder = folder

    @contextlib.asynccontextmanager
    async def served(self):
        sock = http_loop.bind(http_loop.LOOPBACK, 0)
        host = f"{http_loop.LOOPBACK}:{sock.getsockname()[1]}"
        self.url = f"http://{host}"
        with Station(self._folder / "new.db", MASTER) as station:
            sessions = Sessions(MASTER, False)
            self._service = DeskService(station, sessions, lambda: 1000, shipped_packs(), self.url)
            made = {role: self._service.links.make(role, role, "test", 0)[1] for role in ROLES}
            self.links = {role: f"{self.url}/l/{token}" for role, token in made.items()}
            async with running(http_loop.serve(self._service, sock, (host,))):
                yield
        sock.close()

    def ask(self, function):
        """Return ``function(service)``, run in the desk's own thread."""
        return self.call(function, self._service)
