"""The event stream of one page: server-sent events, written plainly."""

import asyncio

from starlette.responses import StreamingResponse

from host.web import views
from host.web.streams import Listener

MOST = 150  # pages at a time
MOST_PLAIN = 100  # of them viewers', so that a judge finds a place


async def _messages(service, listener, last_id, wake):
    streams = service.change_feed.streams
    streams.join(listener, last_id)
    try:
        while True:
            wake.clear()
            for message in listener.take(
                lambda: service.change_feed.message(listener.view, service.now_ms)
            ):
                yield message
            if listener.gone:
                return
            await wake.wait()
    finally:
        streams.leave(listener)


def events(service, who, request):
    """Return the stream's response; it ends when the page goes or its link is revoked."""
    wake = asyncio.Event()
    listener = Listener(who.id, views.view_of(who.role), wake.set)
    found = _messages(service, listener, request.headers.get("last-event-id"), wake)
    return StreamingResponse(
        found, media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


def full(service, who):
    """Say whether no further page of this person's can be served."""
    listeners = service.change_feed.streams.listeners
    plain = sum(one.view == views.PLAIN for one in listeners)
    return len(listeners) >= MOST or (
        views.view_of(who.role) == views.PLAIN and plain >= MOST_PLAIN
    )
