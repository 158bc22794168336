"""The desks of several events at one address: each below its word, and a start page at ``/``.

A link, a cookie and a page of one event give nothing at another: each has its own key, its own
cookie and its own routes. The start page names the events and how far they are, and nobody's link;
it follows them by itself (``static/js/start.js``).
"""

import html
from collections.abc import Iterable, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from host.base import catalogues
from host.base.sentences import Sentence
from host.base.translation import language_of, rendered
from host.desk.station import Station
from host.web import app as web_app
from host.web import guard
from host.web.desk_service import DeskService
from host.web.page import plain
from host.web.static_files import StaticFiles

RESERVED = ("static",)  # words that no event's path may have
_CHOOSE = Sentence("Choose your event. Each has its own links: its organiser has yours.")
_ENDED = Sentence("Its program has ended: ask the organiser.")
_AWAY = Sentence("The organiser’s computer does not answer: this is how far each event was.")
_NOTHING = Sentence("there is nothing at this address")


def state(station: Station) -> Sentence:
    """Return how far an event is, for everybody."""
    archive, number = station.archive, station.desk.round
    if archive.roster.event is None:
        return Sentence("not begun yet")
    if archive.audit_log.event_closed:
        return Sentence("over")
    if number is None:
        return Sentence("before round 1")
    tables = len(station.desk.tables)
    done = min(tables, len(station.hall.results(number)))
    if tables and done == tables:
        return Sentence("round {number} is over", number=number)
    if not archive.orders.started(number):
        return Sentence("round {number} is published", number=number)
    said = "round {number}: {done} of {tables} tables have a result"
    return Sentence(said, number=number, done=done, tables=tables)


class EventDesks:
    """The application of several DeskServices; ``hosts`` and ``secure`` as in ``Guard``."""

    def __init__(self, hosts: Iterable[str], secure: bool):
        self._hosts, self._desks = [*hosts], dict[str, ASGIApp]()
        self._services: dict[str, DeskService | None] = {}  # by word; None: it has ended
        routes = [
            Route("/", self._start, methods=["GET"]),
            StaticFiles().mount,
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: _failed})
        self._own = guard.Guard(app, self._hosts, secure)

    @property
    def services(self) -> list[DeskService]:
        """The services of the events that have not ended."""
        return [one for one in self._services.values() if one is not None]

    def add(self, word: str, service: DeskService) -> None:
        """Serve an event below ``/word``."""
        self._services[word] = service
        self._desks[f"/{word}"] = web_app.make(service, self._hosts)

    def end(self, word: str) -> None:
        """Serve an event no more; the others go on."""
        service, self._services[word] = self._services[word], None
        self._desks.pop(f"/{word}", None)
        if service is not None:
            service.change_feed.streams.end_all()

    def end_all(self) -> None:
        """Close what pages of all events wait for."""
        for service in self.services:
            service.change_feed.streams.end_all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request to the event that its path begins with, or to the start page."""
        path: str = scope.get("path", "/")
        word, _, rest = path[1:].partition("/")
        desk = self._desks.get(f"/{word}")
        if scope["type"] != "http" or desk is None:
            return await self._own(scope, receive, send)
        # the desk sees its own paths, as where it is alone
        raw = scope.get("raw_path", path.encode())[len(word) + 1 :] or b"/"
        return await desk({**scope, "path": f"/{rest}", "raw_path": raw}, receive, send)

    async def _start(self, request: Request) -> Response:
        """Show all events, in one language."""
        asked = request.query_params.get("language")
        language = language_of(asked or request.headers.get("accept-language"))
        lines = [self._line(word, one, language) for word, one in self._services.items()]
        told = {
            "lang": catalogues.tag(language),
            "choose": _said(_CHOOSE, language),
            "away": _said(_AWAY, language),
            "events": "\n".join(lines),
            "languages": "\n".join(map(_turn, _others(language))),
        }
        return HTMLResponse(_filled(plain("", "start.html"), told))

    def _line(self, word: str, service: DeskService | None, language: str) -> str:
        if service is None:
            said = _said(_ENDED, language)
            return f'<li><p class="ended"><b>{word}</b><span>{said}</span></p></li>'
        event = service.archive.roster.event
        name = html.escape(event.name) if event else word
        said = _said(state(service.station), language)
        return f'<li><a href="/{word}/"><b><bdi>{name}</bdi></b><span>{said}</span></a></li>'


def _others(language: str) -> list[str]:
    return [one for one in catalogues.languages() if one != language]


def _turn(language: str) -> str:
    tag = catalogues.tag(language)
    return f'<a href="/?language={tag}" lang="{tag}">{tag.upper()}</a>'


def _said(sentence: Sentence, language: str) -> str:
    return html.escape(str(rendered(sentence, language)))


def _filled(text: str, told: Mapping[str, str]) -> str:
    """Return a page's text with its parts; what they hold is not looked at again."""
    parts = text.split("{{")
    found = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        found += [told[name], rest]
    return "".join(found)


async def _failed(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    said = rendered(_NOTHING, language_of(request.headers.get("accept-language")))
    return HTMLResponse(html.escape(str(said)), failure.status_code)
