"""The web desk as an ASGI application: routes from ``routes``, acts from the DeskService, all
behind the Guard.
"""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TypeAlias, cast
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route

from host.archive import access_links
from host.archive.access_links import AccessLink
from host.base.errors import UserError
from host.base.json_values import Json
from host.base.sentences import Sentence
from host.base.translation import language_of, render
from host.desk.acts.fields import LARGEST, Malformed
from host.web import (
    entrance,
    guard,
    overlay,
    registration_page,
    routes,
    static_files,
    stream,
    texts,
)
from host.web.desk_service import DeskService
from host.web.page import page_of
from host.web.reads import Download, ReadRequest, Sheet
from host.web.registration_page import RegistrationPage

Handler: TypeAlias = Callable[[Request], Awaitable[Response]]

_BODY_S = 10  # for an act's body
_MOST_LARGE = 2  # files that come in at a time: each may have megabytes
# a sheet has its style inside, and no script, link or picture
_ON_PAPER = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
_NO_REGISTRATION = Sentence("Players do not enter themselves here now. Ask the organiser.")
_TOO_LONG = Sentence("the request is far too long")
_STATUS = {
    404: Sentence("there is nothing at this address"),
    405: Sentence("this address does not take this request"),
}


def make(service: DeskService, hosts: Iterable[str]) -> guard.Guard:
    """Return the application of a DeskService; ``hosts`` are its allowed names with ports."""
    desk = WebDesk(service)
    overlay, overlay_least = routes.OVERLAY
    stream_path, _, _ = routes.STREAM
    table = [
        static_files.of_pages().mount,  # first: a page requests fifty of them
        Route("/", desk.redirect_home, methods=["GET"]),
        Route("/l/{token}", desk.enter, methods=["GET"]),
        Route("/l/{token}/overlay/{table}", desk.enter, methods=["GET"]),
        Route("/in", desk.arrive, methods=["GET"]),
        Route("/in/overlay/{table}", desk.arrive, methods=["GET"]),
        Route("/texts", _texts, methods=["GET"]),
        Route("/enter/{token}", desk.registration, methods=["GET"]),
        Route("/api/door/{token}", desk.registration_facts, methods=["GET"]),
        Route("/api/enter/{token}", desk.register, methods=["POST"]),
        *(
            Route(path, desk.page(path[1:], least), methods=["GET"])
            for path, least in routes.PAGES.items()
        ),
        Route(overlay, desk.overlay(overlay_least), methods=["GET"]),
        *(Route(read.path, desk.read(read), methods=["GET"]) for read in routes.READS),
        Route(stream_path, desk.open_stream, methods=["GET"]),
        Route("/api/acts/{name}", desk.act, methods=["POST"]),
    ]
    failures = {HTTPException: _on_error, sqlite3.Error: _no_disk}
    app = Starlette(routes=table, exception_handlers=failures)
    return guard.Guard(app, hosts, service.sessions.secure)


class WebDesk:
    """The routes' handlers; each first checks who sent the request."""

    def __init__(self, service: DeskService):
        self._service, self._base = service, service.base
        self._registration = RegistrationPage(service)
        self._registration_page = page_of("enter", self._base)
        self._large = 0  # requests with a file whose bytes are coming in

    def _who(self, request: Request) -> tuple[str | None, AccessLink | None]:
        cookie = request.cookies.get(self._service.sessions.cookie)
        return cookie, self._service.who(cookie)

    async def redirect_home(self, request: Request) -> Response:
        """Redirect to the page of the person's role."""
        _, who = self._who(request)
        if who is None:
            return entrance.closed_page(self._base)
        return RedirectResponse(self._base + access_links.HOMES[who.role], 303)

    async def enter(self, request: Request) -> Response:
        """Accept a link; the redirect removes its token from the address."""
        _, who = self._who(request)
        return entrance.enter(self._service, request, who)

    async def arrive(self, request: Request) -> Response:
        """Redirect from a page of our own, so that the strict cookie is sent."""
        return entrance.arrive(self._service, request)

    def page(self, name: str, least: str) -> Handler:
        """Return the handler of a page."""
        whole = page_of(name, self._base)

        async def show(request: Request) -> Response:
            _, who = self._who(request)
            if who is None:
                return entrance.closed_page(self._base)
            if not access_links.may(who.role, least):
                return RedirectResponse(f"{self._base}/", 303)
            return HTMLResponse(whole)

        return show

    def overlay(self, least: str) -> Handler:
        """Return the handler of the overlays' page; an invalid table or layout is refused."""
        show = self.page("overlay", least)

        async def checked(request: Request) -> Response:
            _, who = self._who(request)
            table, layout = request.path_params["table"], request.query_params.get("layout")
            if who is not None:
                refusal = overlay.refusal(self._service.archive, table, layout)
                if refusal:
                    return entrance.refusal_page(self._base, refusal)
            return await show(request)

        return checked

    async def registration(self, request: Request) -> Response:
        """Show the page on which players register."""
        if not self._service.is_registration_token(request.path_params["token"]):
            return entrance.closed_page(self._base, _NO_REGISTRATION)
        return HTMLResponse(self._registration_page)

    async def registration_facts(self, request: Request) -> Response:
        """Send the event's name to that page."""
        if not self._service.is_registration_token(request.path_params["token"]):
            return _error(request, 401, _NO_REGISTRATION)
        return JSONResponse({"event": self._service.archive.roster.current_event.name})

    async def register(self, request: Request) -> Response:
        """Take a player's registration."""
        if not self._service.is_registration_token(request.path_params["token"]):
            return _error(request, 401, _NO_REGISTRATION)
        raw = await _body(request, registration_page.LARGEST)
        if raw is None:
            return _error(request, 413, _TOO_LONG)
        address = request.client.host if request.client else ""
        try:
            return _respond(request, self._registration.enter(address, raw))
        except UserError as mistake:
            return _error(request, 400 if isinstance(mistake, Malformed) else 409, mistake.sentence)

    def read(self, row: routes.Read) -> Handler:
        """Return the handler of a ``routes.Read``."""

        async def fetch(request: Request) -> Response:
            cookie, who = self._who(request)
            refusal = _refusal(request, who, row.least)
            if refusal or who is None or cookie is None:
                return refusal or entrance.closed_page(self._base)
            read_request = ReadRequest(who, cookie, request.query_params)
            try:
                return _respond(
                    request, row.reads(self._service, read_request, **request.path_params)
                )
            except UserError as mistake:
                return _error(request, 409, mistake.sentence)

        return fetch

    async def open_stream(self, request: Request) -> Response:
        """Open a page's event stream."""
        _, who = self._who(request)
        _, least, events = routes.STREAM
        refusal = _refusal(request, who, least)
        if refusal or who is None:
            return refusal or entrance.closed_page(self._base)
        if stream.full(self._service, who):
            return _error(
                request, 503, Sentence("too many pages are open on this desk: close some")
            )
        return events(self._service, who, request)

    async def act(self, request: Request) -> Response:
        """Carry out an act: role, then token, then body."""
        service, (cookie, who) = self._service, self._who(request)
        act = service.act(request.path_params["name"])
        least = act.least if act and act.least else access_links.VIEWER
        refusal = _refusal(request, who, least)
        if refusal or who is None or cookie is None:
            return refusal or entrance.closed_page(self._base)
        if not service.sessions.is_csrf(cookie, request.headers.get("x-csrf-token")):
            return _error(request, 403, Sentence("the page is out of date: load it again"))
        if act is None:
            return _error(request, 404, Sentence("there is no such act"))
        if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
            return _error(request, 415, Sentence("an act is sent as JSON"))
        is_large = act.largest > LARGEST
        if is_large and self._large >= _MOST_LARGE:
            sentence = Sentence("other files are being read just now: try again in a moment")
            return _error(request, 503, sentence)
        self._large += is_large
        try:
            raw = await _body(request, act.largest)
        finally:
            self._large -= is_large
        if raw is None:
            return _error(request, 413, _TOO_LONG)
        try:
            shown = request.headers.get("x-round")
            return _respond(request, service.do(act, who, raw, shown))
        except UserError as mistake:
            return _error(request, 400 if isinstance(mistake, Malformed) else 409, mistake.sentence)


async def _body(request: Request, largest: int) -> bytes | None:
    """Return a request's body, None if it is too long. Raises HTTPException if it is too slow."""
    raw = bytearray()
    try:
        async with asyncio.timeout(_BODY_S):
            async for chunk in request.stream():
                raw += chunk
                if len(raw) > largest:
                    return None
    except TimeoutError:
        raise HTTPException(408) from None
    return bytes(raw)


def _refusal(request: Request, who: AccessLink | None, least: str) -> Response | None:
    if who is None:
        return _error(request, 401, Sentence("open the desk with your own link"))
    if not access_links.may(who.role, least):
        return _error(request, 403, Sentence("your link does not allow this"))
    return None


async def _texts(request: Request) -> Response:
    """Send the pages' own texts in the requested language; they are public."""
    return JSONResponse(texts.page_texts(language_of(request.query_params.get("language"))))


def _respond(request: Request, answer: Mapping[str, object] | Download | Sheet) -> Response:
    if isinstance(answer, Sheet):
        return HTMLResponse(answer.text, headers={"content-security-policy": _ON_PAPER})
    if isinstance(answer, Download):
        named = f"attachment; filename*=UTF-8''{quote(answer.name)}"
        return PlainTextResponse(answer.text, headers={"content-disposition": named})
    # cards are JSON, which TypedDict cannot express
    return JSONResponse(
        render(cast(Json, answer), language_of(request.headers.get("accept-language")))
    )


def _error(request: Request, status: int, sentence: Sentence) -> Response:
    return JSONResponse(
        {"error": render(sentence, language_of(request.headers.get("accept-language")))}, status
    )


async def _on_error(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)  # ``make`` registers it for nothing else
    return _error(
        request,
        failure.status_code,
        _STATUS.get(failure.status_code, Sentence("this request cannot be answered")),
    )


async def _no_disk(request: Request, failure: Exception) -> Response:
    if isinstance(failure, UserError):
        return _error(request, 503, failure.sentence)
    error_name = getattr(failure, "sqlite_errorname", "")
    return _error(
        request,
        503,
        Sentence("the archive cannot be used now: is the disk full? {why}", why=error_name),
    )
