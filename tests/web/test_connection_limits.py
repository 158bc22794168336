"""The door to the venue's network: one phone that opens a thousand connections takes no judge's
place.
"""

import asyncio
import contextlib
import socket

import pytest
from webclient import KEY

from host.web import connection_limits, http_loop
from host.web.desk_service import DeskService
from host.web.sessions import Sessions

PHONE, JUDGE = "127.0.0.1", "127.0.0.2"  # two addresses of this machine


def second_address():
    """Say whether this machine answers to the second one, as Linux does."""
    with socket.socket() as one, contextlib.suppress(OSError):
        one.bind((JUDGE, 0))
        return True
    return False


pytestmark = [
    pytest.mark.venue(tables=1),
    pytest.mark.skipif(
        not second_address(),
        reason="this machine has one loopback address: no crowd came to the door",
    ),
]


@pytest.fixture
def sock():
    made = http_loop.bound(http_loop.LOOPBACK, 0, connection_limits.EACH)
    yield made
    made.close()


def told(venue, sock, story):
    """Return what ``story(opened)`` comes to while the desk is served; ``opened(address, path)``
    asks from an address.
    """
    port = sock.getsockname()[1]
    service = DeskService(venue.station, Sessions(KEY, False), lambda: venue.air.now_ms)
    cookie = f"{service.sessions.cookie}={service.sessions.made(service.links.make('judge', 'Ada', 'test', 0)[0])}"

    async def opened(address, path=None):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        if path:
            head = (
                f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Language: it\r\nCookie:"
                f" {cookie}\r\n\r\n"
            )
            writer.write(head.encode())
            return await reader.readuntil(b"\r\n\r\n"), reader, writer
        return b"", reader, writer

    async def run():
        serving = asyncio.ensure_future(http_loop.serve(service, sock, (f"127.0.0.1:{port}",)))
        try:
            return await asyncio.wait_for(story(opened), 60)
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    return asyncio.run(run())


def test_a_thousand_connections_of_one_phone_starve_nobody(venue, sock):
    async def story(opened):
        held = []
        for _ in range(1000):
            with contextlib.suppress(OSError):
                held.append(await opened(PHONE))
        ends = [asyncio.ensure_future(reader.read(1)) for _, reader, _ in held]
        pages = [await opened(JUDGE, "/api/me") for _ in range(6)]
        await asyncio.wait(ends, timeout=0.2)
        kept = sum(not end.done() for end in ends)
        for _, _, writer in held:
            writer.close()
        await asyncio.gather(*ends, return_exceptions=True)
        again = await opened(PHONE, "/api/me")  # once it has let go it is let in again
        return [page[0].split(b"\r\n")[0] for page in [*pages, again]], kept

    answers, kept = told(venue, sock, story)
    assert answers == [b"HTTP/1.1 200 OK"] * 7
    assert kept <= connection_limits.EACH


def test_a_device_with_too_many_pages_open_is_told_so(venue, sock):
    async def story(opened):
        pages = [await opened(PHONE, "/api/events") for _ in range(connection_limits.AT_ONCE)]
        head, reader, _ = await opened(PHONE, "/api/me")
        body = await reader.read(200)
        other = await opened(JUDGE, "/api/events")
        return [page[0] for page in pages], head, body.decode(), other[0]

    pages, head, body, other = told(venue, sock, story)
    assert all(page.startswith(b"HTTP/1.1 200") for page in [*pages, other])
    assert head.startswith(b"HTTP/1.1 503") and "troppe pagine" in body
