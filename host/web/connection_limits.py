"""Limits on connections and requests per address, so that one phone cannot block the judges.

A browser opens six connections at most. Beyond ``EACH``, connections of an address are closed
before TLS. Beyond ``AT_ONCE`` requests at a time (open pages count) it gets an error sentence.
"""

import collections
import json
import socket
import weakref

from starlette.types import ASGIApp, Receive, Scope, Send

from host.base.sentences import Sentence
from host.base.translation import language_of, rendered

EACH = 24
AT_ONCE = 16
# asyncio sends at once, without Nagle's delay, only where the protocol is named
TCP = socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
_MANY = Sentence("too many pages are open on this device: close some")


class ConnectionLimits(socket.socket):
    """A listening TCP socket with at most ``each`` connections per address (selector loop; not on
    Windows).
    """

    def __init__(self, each: int):
        super().__init__(*TCP)
        self._each = each
        self._inside: dict[str, list[weakref.ref[socket.socket]]] = {}

    def accept(self) -> tuple[socket.socket, tuple[str, int]]:
        """Return the next connection; raises ConnectionAbortedError, as the loop expects, for one
        too many.
        """
        found, address = super().accept()
        known = self._inside.get(address[0], ())
        inside = [one for one in known if (held := one()) is not None and held.fileno() != -1]
        if len(inside) >= self._each:
            found.close()
            raise ConnectionAbortedError
        self._inside[address[0]] = [*inside, weakref.ref(found)]
        return found, address


class AtOnce:
    """An ASGI middleware: at most ``most`` requests per address at a time."""

    def __init__(self, app: ASGIApp, most: int = AT_ONCE):
        self.app, self._most = app, most
        self._inside: collections.Counter[str] = collections.Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it with a sentence."""
        address = (scope.get("client") or ("",))[0]
        if scope["type"] == "http" and self._inside[address] >= self._most:
            return await _refuse(scope, send)
        self._inside[address] += 1
        try:
            return await self.app(scope, receive, send)
        finally:
            self._inside[address] -= 1
            if not self._inside[address]:
                del self._inside[address]


async def _refuse(scope: Scope, send: Send):
    accepted = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    body = json.dumps({"error": rendered(_MANY, language_of(accepted.decode("latin-1")))}).encode()
    headers = [
        (b"content-type", b"application/json"),
        (b"connection", b"close"),
        (b"content-length", str(len(body)).encode()),
    ]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    await send({"type": "http.response.body", "body": body})
