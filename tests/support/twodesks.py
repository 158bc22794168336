"""The web desks of two events on one real socket, in a thread of its own; no time passes."""

import contextlib

from tabletop import MASTER
from threaded import Threaded, running
from twoevents import TwoEvents

from host.archive.access_links import ROLES
from host.tournament.rule_packs import shipped_packs
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.event_desks import EventDesks
from host.web.sessions import Sessions


class TwoDesks(Threaded):
    """Use as a context; ``url``, and ``links`` by word and role. The cup has played its round."""

    def __init__(self, folder):
        self._folder = folder

    @contextlib.asynccontextmanager
    async def served(self):
        sock = http_loop.bind(http_loop.LOOPBACK, 0)
        host = f"{http_loop.LOOPBACK}:{sock.getsockname()[1]}"
        self.url, self.links = f"http://{host}", {}
        self.two = TwoEvents(self._folder)
        self.two.play("cup", 7)
        self.desks, tasks = EventDesks((host,), False), []
        for word, station in self.two.stations.items():
            service = DeskService(
                station, Sessions(MASTER, False, word), self.two.shares[word].now_ms, shipped_packs(),
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
        async with running(*tasks):
            yield
        self.two.close()
        sock.close()

    def ask(self, function):
        return self.call(function, self.two)
