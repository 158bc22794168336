"""One phone that opens a thousand connections takes no judge's place."""

import asyncio
import contextlib
import datetime
import json
import socket
import ssl
import time

import pytest
from webclient import KEY

from host.web import certificate, connection_limits, http_loop, stream
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
    pytest.mark.skipif(not second_address(), reason="this machine has one loopback address: no crowd came to the door"),
]  # fmt: skip


@pytest.fixture
def sock():
    made = http_loop.bind(http_loop.LOOPBACK, 0)
    yield made
    made.close()


def told(venue, sock, story, pem=None):
    """Return what ``story(opened)`` comes to while the desk is served; ``opened(address, path)``
    asks from an address, encrypted where there is a certificate ``pem``.
    """
    port = sock.getsockname()[1]
    service = DeskService(venue.station, Sessions(KEY, bool(pem)), lambda: venue.air.now_ms)
    values = {}

    def cookie_of(who):
        """Return the cookie of a link of this role and name, which is made at the first time."""
        if who not in values:
            role, _, name = who.partition(" ")
            values[who] = service.sessions.make(
                service.links.make(role, name or "Ada", "test", 0)[0]
            )
        return values[who]

    async def opened(address, path=None, who="judge", more="", body=None):
        trusted = ssl.create_default_context(cafile=pem) if pem and path else None
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, local_addr=(address, 0), ssl=trusted
        )
        if path:
            cookie, raw = cookie_of(who), json.dumps(body).encode() if body else b""
            if body:
                more += (
                    f"Origin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
                    f"X-CSRF-Token: {service.sessions.csrf(cookie)}\r\nContent-Length: {len(raw)}\r\n"
                )
            head = (
                f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
                f"Accept-Language: it\r\nCookie: {service.sessions.cookie}={cookie}\r\n{more}\r\n"
            )
            writer.write(head.encode() + raw)
            return await reader.readuntil(b"\r\n\r\n"), reader, writer
        return b"", reader, writer

    async def run():
        tls = (pem, pem) if pem else None
        serving = asyncio.ensure_future(http_loop.serve(service, sock, (f"127.0.0.1:{port}",), tls))
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
        pages = [
            await opened(PHONE, "/api/events", "viewer", f"X-Forwarded-For: 10.0.0.{number}\r\n")
            for number in range(connection_limits.AT_ONCE)
        ]
        head, reader, _ = await opened(PHONE, "/api/me", "viewer", "X-Forwarded-For: 10.0.1.1\r\n")
        body = await reader.read(200)
        other = await opened(JUDGE, "/api/events")
        return [page[0] for page in pages], head, body.decode(), other[0]

    pages, head, body, other = told(venue, sock, story)
    assert all(page.startswith(b"HTTP/1.1 200") for page in [*pages, other])
    assert head.startswith(b"HTTP/1.1 503") and "troppe pagine" in body


def test_one_judges_link_leaves_the_others_their_places(venue, sock):
    async def story(opened):
        pages = [await opened(PHONE, "/api/events") for _ in range(stream.MOST_OWN)]
        more = await opened(JUDGE, "/api/events")
        other = await opened(PHONE, "/api/events", "viewer")
        pages[0][2].close()
        return [page[0] for page in [*pages, other]], more[0]

    pages, more = told(venue, sock, story)
    assert all(page.startswith(b"HTTP/1.1 200") for page in pages)
    assert more.startswith(b"HTTP/1.1 503")


class Door:
    """A ConnectionLimits without a loop, and a clock that is set by hand."""

    def __init__(self, each, most):
        self.now_s, self.open, self.taken = 0.0, [], []
        self.limits = connection_limits.ConnectionLimits(each, most, lambda: self.now_s)
        self.limits.bind(("127.0.0.1", 0))
        self.limits.listen()

    def comes(self, address):
        """Let a connection come a second later; return its number, None where it was refused."""
        self.now_s += 1
        one = socket.create_connection(self.limits.getsockname(), source_address=(address, 0))
        try:
            self.taken.append(self.limits.accept()[0])
        except ConnectionAbortedError:
            one.close()
            return None
        self.open.append(one)
        return len(self.open) - 1

    def asks(self, number):
        self.limits.request_begun(self.open[number].getsockname())

    def gets(self, number):
        self.limits.request_answered(self.open[number].getsockname())

    @property
    def kept(self):
        """The numbers of the connections that the host has not ended."""
        ended = []
        for number, one in enumerate(self.open):
            one.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                ended += [number] if one.recv(1) == b"" else []
        return sorted({*range(len(self.open))} - {*ended})


@pytest.fixture
def door():
    made = []

    def opened(each=10, most=10):
        made.append(Door(each, most))
        return made[-1]

    yield opened
    for one in made:
        for held in (*one.open, *one.taken, one.limits):
            held.close()


def test_who_sends_no_request_is_ended_in_time(door):
    one = door()
    for _ in range(3):
        one.comes(PHONE)  # at 1, 2 and 3 s
    one.asks(1)
    one.now_s = 1 + connection_limits.HEAD_S
    one.limits.sweep()
    assert one.kept == [0, 1, 2]
    one.now_s = 2.5 + connection_limits.HEAD_S
    one.limits.sweep()
    assert one.kept == [1, 2]  # who is answered has its time
    one.now_s = 1000
    one.limits.sweep()
    assert one.kept == [1]
    one.gets(1)
    one.now_s += connection_limits.HEAD_S
    one.limits.sweep()
    assert one.kept == [1]
    one.now_s += 1
    one.limits.sweep()
    assert one.kept == []


def test_who_asks_again_before_the_host_has_tidied_up_is_busy(door):
    """A browser asks again on a connection as soon as it has its answer."""
    one = door(most=1)
    one.comes(PHONE)
    one.asks(0), one.asks(0)
    one.gets(0)
    one.now_s += 2 * connection_limits.HEAD_S
    one.limits.sweep()
    assert one.kept == [0] and one.comes(JUDGE) is None
    one.gets(0)
    assert one.comes(JUDGE) == 1 and one.kept == [1]


@pytest.mark.parametrize(("tls", "begun"), [
    (False, (b"", b"G", b"GET / HTTP/1.1\r\nHost: ")),
    (True, (b"", b"\x16", b"\x16\x03\x01\x02\x00\x01")),
])  # fmt: skip
def test_the_desk_itself_ends_who_sends_no_request(venue, sock, tmp_path, monkeypatch, tls, begun):
    now_s, path = [0.0], tmp_path / "a.pem"
    certificate.ready(path, ["127.0.0.1"], datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC))
    monkeypatch.setattr(sock, "_now_s", lambda: now_s[0])
    monkeypatch.setattr(http_loop, "BEAT_S", 0)

    async def story(opened):
        slow = [await opened(PHONE) for _ in begun]
        for (_, _, writer), said in zip(slow, begun):
            writer.write(said)
        page = await opened(JUDGE, "/api/events")
        await opened(JUDGE, "/api/me")  # they have been let in
        now_s[0] = connection_limits.HEAD_S + 1
        ends = [await reader.read() for _, reader, _ in slow]
        return page[0], ends, await page[1].readuntil(b"\n\n")

    head, ends, beat = told(venue, sock, story, *([path] if tls else []))
    assert head.startswith(b"HTTP/1.1 200") and ends == [b"", b"", b""] and beat


def test_a_new_one_takes_the_place_of_the_address_that_holds_most(door):
    one = door(most=4)
    judge = one.comes(JUDGE)  # waits longest
    phones = [one.comes(PHONE) for _ in range(3)]
    assert one.comes("127.0.0.3") == 4 and one.kept == [judge, *phones[1:], 4]
    assert one.comes("127.0.0.4") == 5 and one.kept == [judge, phones[2], 4, 5]


def test_an_open_page_never_gives_way(door):
    one = door(most=3)
    for number in (one.comes(PHONE), one.comes(PHONE), one.comes(JUDGE)):
        one.asks(number)
    assert one.comes("127.0.0.3") is None and one.kept == [0, 1, 2]
    one.gets(0)
    assert one.comes("127.0.0.3") == 3 and one.kept == [1, 2, 3]


def test_an_address_with_all_its_places_gives_up_its_own(door):
    one = door(each=2)
    one.comes(JUDGE)
    for _ in range(3):
        one.comes(PHONE)
    assert one.kept == [0, 2, 3]
    one.asks(2), one.asks(3)
    assert one.comes(PHONE) is None and one.kept == [0, 2, 3]


@pytest.mark.parametrize("ended", (lambda taken: taken[1].close(), lambda taken: taken.pop()))
def test_what_has_ended_takes_no_place(door, ended):
    one = door(most=2)
    one.comes(PHONE), one.comes(PHONE)
    ended(one.taken)
    assert one.comes(JUDGE) == 2 and one.kept == [0, 2]


def test_an_answer_has_its_time_and_who_has_it_waits_again(door):
    one, seen = door(), []
    one.comes(PHONE)

    async def app(scope, receive, send):
        one.now_s += connection_limits.HEAD_S + 1
        one.limits.sweep()
        seen.append(one.kept)

    at_once = connection_limits.AtOnce(app, one.limits)
    scope = {"type": "http", "client": one.open[0].getsockname()}
    asyncio.run(at_once(scope, None, None))
    assert seen == [[0]] and not at_once._inside
    one.now_s += connection_limits.HEAD_S + 1
    one.limits.sweep()
    assert one.kept == []


def test_a_servers_start_is_no_request_too_many(door):
    seen = []

    async def app(scope, receive, send):
        seen.append(scope["type"])

    asyncio.run(connection_limits.AtOnce(app, door().limits, 0)({"type": "lifespan"}, None, None))
    assert seen == ["lifespan"]


def test_a_stores_phones_behind_one_address_all_have_a_place():
    """64 phones: a page each, and of each a connection that loads something."""
    assert connection_limits.EACH >= 2 * 64 and connection_limits.AT_ONCE >= 64
    assert connection_limits.MOST >= stream.MOST + connection_limits.EACH


@pytest.mark.venue(tables=1, begun=True)
def test_slow_connections_shut_no_judge_out(venue, sock, proving, printed):
    """Each of many addresses holds twenty connections and sends a part of a head; ten judges act
    all the same, and the pages that were open stay so.
    """
    addresses = [f"127.0.1.{number}" for number in range(1, 101 if proving else 21)]
    within_s, took_s = 1 if proving else 60, []

    async def slow(opened, address):
        _, reader, writer = await opened(address)
        writer.write(b"GET /api/me HTTP/1.1\r\nHost: ")
        return reader, writer

    async def act(opened, number):
        body = {"table": 1, "minutes": number, "reason": "call"}
        path, began_s = "/api/acts/extend", time.perf_counter()
        asked = opened(f"127.0.2.{number}", path, f"judge Ada{number}", body=body)
        head = (await asyncio.wait_for(asked, within_s))[0]
        took_s.append(time.perf_counter() - began_s)
        return head.split(b"\r\n")[0]

    async def story(opened):
        pages = [await opened(f"127.0.2.{number}", "/api/events") for number in range(1, 6)]
        held = [await slow(opened, address) for _ in range(20) for address in addresses]
        answers = []
        for number in range(1, 11):
            answers.append(await act(opened, number))
            held += [await slow(opened, address) for address in addresses[:5]]
        beats = [await asyncio.wait_for(reader.readuntil(b"\n\n"), 60) for _, reader, _ in pages]
        for _, writer in held:
            writer.close()
        return answers, beats

    answers, beats = told(venue, sock, story)
    assert answers == [b"HTTP/1.1 200 OK"] * 10
    assert {order.author for order in venue.archive.orders.all} >= {
        f"Ada{number}" for number in range(1, 11)
    }
    assert len(beats) == 5 and all(beats)
    printed(
        "web desk: connections that never finish",
        [f"{20 * len(addresses)} of {len(addresses)} addresses; ten judges' acts, worst {max(took_s) * 1000:.0f} ms"],
    )  # fmt: skip
