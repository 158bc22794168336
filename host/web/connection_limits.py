"""Limits on connections and requests, so that nobody can lock the staff out by holding many.

A connection is waiting until the head of a request is complete, and busy until it is answered; open
pages are busy. A waiting connection is closed after a time limit, or for a new one when all places
are taken: then one of the address with the most waiting ones, because an honest address has few,
for a moment. A busy connection is never closed.
"""

import collections
import contextlib
import socket
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass

from starlette.types import ASGIApp, Receive, Scope, Send

from host.base.sentences import Sentence
from host.web import guard

MOST = 320  # connections in all; systems give a program 1,024 files
EACH = 160  # of an address: 64 phones may share a store's
AT_ONCE = 96  # requests of an address: their open pages, and some that come and go
HEAD_S = 10  # for a request's head, with TLS before it
# asyncio sends at once, without Nagle's delay, only where the protocol is named
TCP = socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
_MANY = Sentence("too many pages are open on this device: close some")


@dataclass
class _Place:
    socket_ref: "weakref.ref[socket.socket]"
    since_s: float  # when it came, or had its last answer
    pending: int = 0  # requests without an answer: the next may come before the last is closed

    @property
    def is_open(self) -> bool:
        found = self.socket_ref()
        return found is not None and found.fileno() != -1


class ConnectionLimits(socket.socket):
    """A listening TCP socket with at most ``most`` connections, ``each`` per address (selector
    loop; not on Windows). ``now_s`` is the clock.
    """

    def __init__(
        self, each: int = EACH, most: int = MOST, now_s: Callable[[], float] = time.monotonic
    ):
        super().__init__(*TCP)
        self._each, self._most, self._now_s = each, most, now_s
        self._places: dict[tuple[str, int], _Place] = {}

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """Return the next connection; raises ConnectionAbortedError, as the loop expects, for one
        too many.
        """
        accepted, address = super().accept()
        if not self._make_room(address[0]):
            accepted.close()
            raise ConnectionAbortedError
        self._places[address] = _Place(weakref.ref(accepted), self._now_s())
        return accepted, address

    def request_begun(self, client: tuple[str, int]) -> None:
        """Record that a connection has sent the head of a request."""
        if client in self._places:
            self._places[client].pending += 1

    def request_answered(self, client: tuple[str, int]) -> None:
        """Record that a connection has its answer, and waits again."""
        if client in self._places:
            self._places[client].pending = max(0, self._places[client].pending - 1)
            self._places[client].since_s = self._now_s()

    def sweep(self) -> None:
        """End the connections that have waited for longer than ``HEAD_S``."""
        until_s = self._now_s() - HEAD_S
        for client, since_s in self._waiting():
            if since_s < until_s:
                self._end(client)

    def _make_room(self, host: str) -> bool:
        """Close another connection if that is needed for one more of an address; return whether
        there is room then.
        """
        self._places = {client: place for client, place in self._places.items() if place.is_open}
        if sum(client[0] == host for client in self._places) >= self._each:
            return self._end_oldest(host)
        if len(self._places) < self._most:
            return True
        waiting = collections.Counter(client[0] for client, _ in self._waiting())
        if not waiting:
            return False
        [(most_waiting, _)] = waiting.most_common(1)
        return self._end_oldest(most_waiting)

    def _end_oldest(self, host: str) -> bool:
        """Close an address's connection that has waited longest; return whether there was one."""
        waiting = [(since_s, client) for client, since_s in self._waiting() if client[0] == host]
        if waiting:
            self._end(min(waiting)[1])
        return bool(waiting)

    def _waiting(self) -> list[tuple[tuple[str, int], float]]:
        return [
            (client, place.since_s) for client, place in self._places.items() if not place.pending
        ]

    def _end(self, client: tuple[str, int]) -> None:
        connection = self._places.pop(client).socket_ref()
        if connection is not None:
            with contextlib.suppress(OSError):  # it has ended by itself
                connection.shutdown(socket.SHUT_RDWR)  # the loop reads its end and closes it


class AtOnce:
    """An ASGI middleware: at most ``most`` requests per address at a time; tells ``limits`` which
    connections are busy.
    """

    def __init__(self, app: ASGIApp, limits: ConnectionLimits, most: int = AT_ONCE):
        self.app, self._limits, self._most = app, limits, most
        self._inside: collections.Counter[str] = collections.Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it with a sentence."""
        client: tuple[str, int] = scope.get("client") or ("", 0)
        address = client[0]
        self._limits.request_begun(client)
        self._inside[address] += 1
        try:
            if scope["type"] == "http" and self._inside[address] > self._most:
                return await guard.refuse(scope, send, 503, _MANY, (b"connection", b"close"))
            return await self.app(scope, receive, send)
        finally:
            self._limits.request_answered(client)
            self._inside[address] -= 1
            if not self._inside[address]:
                del self._inside[address]
