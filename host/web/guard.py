"""The checks before a route sees a request, and the headers of every answer.

Host must be on the allow-list, or be the IP address of this machine at which the connection
arrived: a foreign name that resolves to here is refused (no DNS rebinding). An Origin header must
be our own, and a request that changes anything must have one. Roles and CSRF tokens are checked by
the routes (``routes``).
"""

import ipaddress
import json
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from host.base.sentences import Sentence
from host.base.translation import language_of, render

METHODS = ("GET", "HEAD", "POST")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src"
    " 'self'; media-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types"
    " 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)
# requests from other sites' pages; following a link from there is allowed
_OTHER_SITES = ("cross-site", "same-site")
_USUAL_PORTS = 80, 443  # which a browser leaves out
_FOREIGN_HOST = 421, Sentence("this desk has another name: use the address that plusthree printed")
_FOREIGN_PAGE = 403, Sentence("this came from another site's page and was refused")
_METHOD = 405, Sentence("a desk is read with GET and acted on with POST")


class Guard:
    """An ASGI middleware.

    ``hosts`` are the allowed names (with ports).
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], secure: bool):
        self.app, self._hosts = app, frozenset(host.casefold() for host in hosts)
        self._scheme = "https" if secure else "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it with a sentence."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        if scope["type"] != "http":
            return None
        refusal = self._refusal(scope)
        if refusal is not None:
            return await refuse(scope, send, *refusal)

        async def guarded(message: Message):
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ())]
                names = {name for name, _ in headers}
                for name, value in (*HEADERS, (b"cache-control", b"no-store")):
                    if name not in names:
                        headers.append((name, value))
                message = {**message, "headers": headers}
            await send(message)

        return await self.app(scope, receive, guarded)

    def _refusal(self, scope: Scope) -> tuple[int, Sentence] | None:
        """Return ``(status, sentence)`` for a refused request, else None."""
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, []).append(value.decode("latin-1"))
        host = headers.get(b"host", [])
        if len(host) != 1:
            return _FOREIGN_HOST
        if host[0].casefold() not in self._hosts and (
            host[0].casefold() not in _reached_hosts(scope)
        ):
            return _FOREIGN_HOST
        if scope["method"] not in METHODS:
            return _METHOD
        origins = headers.get(b"origin", [])
        own = f"{self._scheme}://{host[0].casefold()}"
        changing = scope["method"] == "POST"
        if any(origin.casefold() != own for origin in origins):
            return _FOREIGN_PAGE
        if changing and len(origins) != 1:
            return _FOREIGN_PAGE
        site = headers.get(b"sec-fetch-site", ["same-origin"])[0]
        if site in _OTHER_SITES and (changing or scope["path"].startswith("/api/")):
            return _FOREIGN_PAGE
        return None


def _reached_hosts(scope: Scope) -> list[str]:
    """Return the Host values for the address at which a connection arrived."""
    address, port = scope.get("server") or ("", None)
    try:
        plain = f"[{address}]" if ipaddress.ip_address(address).version == 6 else address
    except ValueError:
        return []
    hosts = [f"{plain}:{port}"]
    if port in _USUAL_PORTS:
        hosts.append(plain)
    return hosts


async def refuse(
    scope: Scope, send: Send, status: int, sentence: Sentence, *headers: tuple[bytes, bytes]
) -> None:
    """Answer a request with a refusal in its language, as JSON, and with further ``headers``."""
    accepted = next((value for name, value in scope["headers"] if name == b"accept-language"), b"")
    body = json.dumps({"error": render(sentence, language_of(accepted.decode("latin-1")))}).encode()
    headers += (*HEADERS, (b"content-type", b"application/json"), (b"cache-control", b"no-store"))
    headers += ((b"content-length", str(len(body)).encode()),)
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
