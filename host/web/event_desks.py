"""The desks of several events at one address: each below its word, and a start page at ``/``.

A link, a cookie and a page of one event are worth nothing at another: each event has its own key,
cookie and routes. The start page lists the events and their progress, and nobody's link; it updates
itself (``static/js/start.js``).
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
from host.base.translation import language_of, render
from host.desk.station import Station
from host.web import app as web_app
from host.web import guard, static_files
from host.web.desk_service import DeskService
from host.web.page import plain

RESERVED = ("static",)  # words that no event's path may have
_CHOOSE = Sentence("Choose your event. Each has its own links: its organiser has yours.")
_ENDED = Sentence("Its program has ended: ask the organiser.")
_AWAY = Sentence("The organiser’s computer does not answer: this is how far each event was.")
_NOTHING = Sentence("there is nothing at this address")


def state(station: Station) -> Sentence:
    """Return an event's progress, for everybody."""
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
    one = "round {number}: one of {tables} tables has a result"
    several = "round {number}: {count} of {tables} tables have a result"
    return Sentence.counted(one, several, count=done, number=number, tables=tables)


class EventDesks:
    """The application of several DeskServices; ``hosts`` and ``secure`` as in ``Guard``."""

    def __init__(self, hosts: Iterable[str], secure: bool):
        self._hosts, self._desks = [*hosts], dict[str, ASGIApp]()
        self._services: dict[str, DeskService | None] = {}  # by word; None: it has ended
        routes = [
            Route("/", self._start, methods=["GET"]),
            static_files.of_pages().mount,
        ]
        app = Starlette(routes=routes, exception_handlers={HTTPException: _on_error})
        self._own = guard.Guard(app, self._hosts, secure)

    @property
    def services(self) -> list[DeskService]:
        """The services of the events that have not ended."""
        return [service for service in self._services.values() if service is not None]

    def add(self, word: str, service: DeskService) -> None:
        """Serve an event below ``/word``."""
        self._services[word] = service
        self._desks[f"/{word}"] = web_app.make(service, self._hosts)

    def end(self, word: str) -> None:
        """Stop serving an event; the others go on."""
        service, self._services[word] = self._services[word], None
        self._desks.pop(f"/{word}", None)
        if service is not None:
            service.change_feed.streams.end_all()

    def end_all(self) -> None:
        """Close the streams of all events."""
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
        requested = request.query_params.get("language")
        language = language_of(requested or request.headers.get("accept-language"))
        others = [other for other in catalogues.languages() if other != language]
        lines = [self._line(word, service, language) for word, service in self._services.items()]
        values = {
            "lang": catalogues.tag(language),
            "choose": _text(_CHOOSE, language),
            "away": _text(_AWAY, language),
            "events": "\n".join(lines),
            "languages": "\n".join(_language_link(other) for other in others),
        }
        return HTMLResponse(_fill(plain("", "start.html"), values))

    def _line(self, word: str, service: DeskService | None, language: str) -> str:
        if service is None:
            text = _text(_ENDED, language)
            return f'<li><p class="ended"><b>{word}</b><span>{text}</span></p></li>'
        event = service.archive.roster.event
        name = html.escape(event.name) if event else word
        text = _text(state(service.station), language)
        return f'<li><a href="/{word}/"><b><bdi>{name}</bdi></b><span>{text}</span></a></li>'


def _language_link(language: str) -> str:
    tag = catalogues.tag(language)
    return f'<a href="/?language={tag}" lang="{tag}">{tag.upper()}</a>'


def _text(sentence: Sentence, language: str) -> str:
    return html.escape(str(render(sentence, language)))


def _fill(text: str, values: Mapping[str, str]) -> str:
    """Fill the ``{{name}}`` placeholders of a page's text; the values are not scanned again."""
    parts = text.split("{{")
    pieces = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}}")
        pieces += [values[name], rest]
    return "".join(pieces)


async def _on_error(request: Request, failure: Exception) -> Response:
    assert isinstance(failure, HTTPException)
    text = render(_NOTHING, language_of(request.headers.get("accept-language")))
    return HTMLResponse(html.escape(str(text)), failure.status_code)
