"""A large hall without an air: boards whose records and statuses go straight to the collector."""

import asyncio
import contextlib
import json
import time

from tabletop import EVENT, Venue
from threaded import Threaded, running
from webclient import KEY

from firmware.core import events
from host.web import http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions


class Crowd:
    """``tables`` boards in a running round; what they say is carried at once and without loss."""

    def __init__(self, path, tables):
        self.venue = Venue(path, tables)
        self.station, self.boards = self.venue.station, self.venue.boards
        self.now_ms, self._told = 7_200_000, {}
        self.station.desk.publish(1)
        for order in self.station.archive.orders.pending:
            self.station.archive.orders.drop(order.id)
        self.station.refresh()
        for number, board in enumerate(self.boards, 1):
            self._begin(number, board)

    def _begin(self, number, board):
        start_ms = self.now_ms - 600_000
        board.happen(events.EventJoined(start_ms, EVENT, 0))
        self.say(
            board, events.RoundSet(start_ms, 1, number, number),
            events.FormatSet(start_ms, 0, 3 << 1, 50), events.StartSet(start_ms + 1),
            events.RoundBegun(start_ms + 1),
        )  # fmt: skip

    def say(self, board, *happened):
        """Let events happen at a board and its records arrive at the host."""
        if happened:
            board.happen(*happened)
        first = self._told.get(board.device, 0)
        records = board.history()[first:]
        self._told[board.device] = first + len(records)
        for record in records:
            self.station.collector.on_advert(f"radio {board.device}", record, self.now_ms)
        self.station.collector.poll(self.now_ms)

    def status(self, board):
        self.station.collector.on_advert(
            f"radio {board.device}", board.status(self.now_ms), self.now_ms
        )

    def extend(self, board, seconds):
        """Let a board's extension be so much, as if a judge had given it at the table."""
        self.say(board, events.Extended(self.now_ms, 0, seconds))


class Page:
    """A page's event stream over a real socket; ``seen(section, id, value)`` is told
    every change.
    """

    def __init__(self, port, cookie, seen):
        self._port, self._cookie, self._seen = port, cookie, seen
        self.ready, self.bytes = asyncio.Event(), 0

    async def listen(self):
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 24)
        head = (
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nCookie:"
            f" {self._cookie}\r\n\r\n"
        )
        writer.write(head.encode())
        try:
            while True:
                line = await reader.readline()
                self.bytes += len(line)
                if line.startswith(b"data: "):
                    self.ready.set()
                    for section, key, value in json.loads(line[6:]).get("set", ()):
                        self._seen(section, key, value)
        finally:
            writer.close()


class ServedCrowd(Threaded):
    """A crowd with its web desk in a thread of its own; ``link`` lets a judge in, ``organiser``
    one; ``cookies`` are of ten other judges.
    """

    def __init__(self, path, tables):
        self._path, self._tables = path, tables

    @contextlib.asynccontextmanager
    async def served(self):
        self._crowd, sock = Crowd(self._path, self._tables), http_loop.bind(http_loop.LOOPBACK, 0)
        self.port = sock.getsockname()[1]
        service = DeskService(self._crowd.station, Sessions(KEY, False), lambda: self._crowd.now_ms)
        self.link, self.organiser = (
            f"http://127.0.0.1:{self.port}/l/{service.links.make(role, 'Ada', 'test', 0)[1]}"
            for role in ("judge", "organiser")
        )
        self.cookies = [
            f"plusthree={service.sessions.make(service.links.make('judge', 'Bo', 'test', 0)[0])}"
            for _ in range(10)
        ]
        async with running(http_loop.serve(service, sock, (f"127.0.0.1:{self.port}",))):
            yield
        self._crowd.station.close()

    def extend(self, table, seconds=180):
        """Let a table's extension arrive; return the unix ms at which it did."""
        return self.call(self._arrive, table, seconds)

    def _arrive(self, table, seconds):
        self._crowd.now_ms += 100
        at_ms = time.time_ns() / 1e6
        self._crowd.extend(self._crowd.boards[table - 1], seconds)
        return at_ms
