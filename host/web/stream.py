"""The event stream of one page: server-sent events, written plainly."""

import asyncio

from starlette.responses import StreamingResponse

from host.web import views
from host.web.streams import Listener

MOST = 150  # pages at a time
MOST_PLAIN = 100  # of them viewers', so that a judge finds a place


async def _messages(office, listener, last_id, wake):
    streams = office.pulse.streams
    streams.join(listener, last_id)
    try:
        while True:
            wake.clear()
            for message in listener.take(
                lambda: office.pulse.message(listener.view, office.now_ms)
            ):
                yield message
            if listener.gone:
                return
            await wake.wait()
    finally:
        streams.leave(listener)


def events(office, who, request):
    """Return the stream's response; it ends when the page goes or its link is revoked."""
    wake = asyncio.Event()
    listener = Listener(who.id, views.view_of(who.role), wake.set)
    found = _messages(office, listener, request.headers.get("last-event-id"), wake)
    return StreamingResponse(
        found, media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


def full(office, who):
    """Say whether no further page of this person's can be served."""
    listeners = office.pulse.streams.listeners
    plain = sum(one.view == views.PLAIN for one in listeners)
    return len(listeners) >= MOST or (
        views.view_of(who.role) == views.PLAIN and plain >= MOST_PLAIN
    )
