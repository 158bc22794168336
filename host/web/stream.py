"""The event stream of one page, as server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from host.archive.access_links import AccessLink
from host.web import views
from host.web.streams import Listener

if TYPE_CHECKING:
    from host.web.desk_service import DeskService

MOST = 150  # pages at a time
MOST_PLAIN = 100  # of them viewers', so that judges can always connect
MOST_OWN = 16  # of one judge's link, so that a lost phone does not use up the others' places


async def _messages(
    service: "DeskService", listener: Listener, wake: asyncio.Event
) -> AsyncIterator[bytes]:
    while True:
        wake.clear()
        for message in listener.take(
            lambda: service.change_feed.message(listener.view, service.now_ms)
        ):
            yield message
        if listener.gone:
            return
        await wake.wait()


class _Stream(StreamingResponse):
    """A stream that is counted from the start, and calls ``leave`` however it ends."""

    def __init__(self, messages: AsyncIterator[bytes], leave: Callable[[], None]):
        headers = {"cache-control": "no-store"}
        super().__init__(messages, media_type="text/event-stream", headers=headers)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


def events(service: "DeskService", who: AccessLink, request: Request) -> StreamingResponse:
    """Return the stream's response; it ends when the page closes or its link is revoked.

    It counts from now on, before anything is sent, so that many at once cannot exceed the limit.
    """
    wake, streams = asyncio.Event(), service.change_feed.streams
    listener = Listener(who.id, views.view_of(who.role), wake.set)
    streams.join(listener, request.headers.get("last-event-id"))
    return _Stream(_messages(service, listener, wake), lambda: streams.remove(listener))


def full(service: "DeskService", who: AccessLink) -> bool:
    """Return whether the limit of open pages is reached for this person's role or link."""
    listeners = service.change_feed.streams.listeners
    if len(listeners) >= MOST:
        return True
    if views.view_of(who.role) == views.PLAIN:
        return sum(listener.view == views.PLAIN for listener in listeners) >= MOST_PLAIN
    own = [each for each in listeners if each.view != views.PLAIN and each.link == who.id]
    return len(own) >= MOST_OWN
