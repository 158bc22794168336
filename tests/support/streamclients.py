"""Pages that only listen, as ``python streamclients.py HOST PORT COUNT COOKIE...``."""

import asyncio
import sys


async def listen(host, port, cookie, ready):
    """Read one event stream until it ends; tell once the first of it is here."""
    reader, writer = await asyncio.open_connection(host, port)
    lines = (
        f"GET /api/events HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\nAccept:"
        " text/event-stream\r\n\r\n"
    ).encode()
    writer.write(lines)
    status = await reader.readline()
    assert b" 200 " in status, status
    while chunk := await reader.read(65536):
        if b"event: state" in chunk:
            ready.release()


async def main(host, port, count, *cookies):
    """Listen ``count`` times; say "ready" when every stream has brought its first state."""
    ready = asyncio.Semaphore(0)
    tasks = [
        asyncio.ensure_future(listen(host, int(port), cookies[number % len(cookies)], ready))
        for number in range(int(count))
    ]
    for _ in tasks:
        await ready.acquire()
    print("ready", flush=True)
    await asyncio.gather(*tasks)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
