"""The web desk's part of ``plusthree serve``: certificate, links, and an address in each network of the PC."""

import argparse
import asyncio
import contextlib
import datetime
import functools
import io
import json
import os
import pathlib
import socket
import ssl
import stat
import sys

import pytest
from commands import plusthree
from cryptography import x509
from webclient import KEY

from host.archive.access_links import AccessLinks
from host.archive.store import Archive
from host.server.console import Console
from host.web import certificate, http_loop, qr, web_server
from host.web.desk_service import DeskService
from host.web.sessions import Sessions
from host.web.web_server import WebServer

pytestmark = pytest.mark.venue(tables=1)

NOW = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
GOOD = (
    "# event: Cup\n# format: p18 swiss bo3 constructed 50\n"
    "table,number_a,name_a,number_b,name_b\n1,10,Ann,11,Bo\n"
)  # fmt: skip


def test_the_certificate_is_kept_until_it_does_no_more(tmp_path):
    path, names = tmp_path / "c.pem", ["192.168.1.7", "desk.local"]
    first = certificate.ready(path, names, NOW)
    assert certificate.ready(path, names[:1], NOW) == first and first.count(":") == 31
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    second = certificate.ready(path, [*names, "192.168.1.8"], NOW)
    assert second != first
    later = certificate.ready(path, names, NOW + datetime.timedelta(days=395))
    assert later not in (first, second)
    path.write_text("nonsense")
    assert certificate.ready(path, names, NOW) != later
    if os.name == "posix":
        path.chmod(0o644)
        before = path.read_bytes()
        certificate.ready(path, names, NOW)
        assert path.read_bytes() != before and stat.S_IMODE(path.stat().st_mode) == 0o600


async def answer_to(port, path, context):
    """Return the answer to a GET, in the clear where there is no ``context``."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
    )
    answer = await reader.read()
    writer.close()
    return answer.decode("latin-1")


def test_over_the_lan_it_speaks_https_alone_and_the_cookie_is_secure(venue, tmp_path):
    path = tmp_path / "c.pem"
    certificate.ready(path, ["127.0.0.1"], NOW)
    sock = http_loop.bind(http_loop.LOOPBACK, 0)
    port = sock.getsockname()[1]
    service = DeskService(
        venue.station,
        Sessions(KEY, True),
        lambda: venue.air.now_ms,
        address=f"https://127.0.0.1:{port}",
    )
    _, token = service.links.make("judge", "Ada", "test", 0)

    async def story():
        serving = asyncio.ensure_future(
            http_loop.serve(service, sock, (f"127.0.0.1:{port}",), (path, path))
        )
        try:
            asked = functools.partial(answer_to, port, f"/l/{token}")
            found = await asked(ssl._create_unverified_context()), await asked(None)
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
        return found

    secure, plain = asyncio.run(story())
    assert secure.startswith("HTTP/1.1 303") and "location: /in" in secure
    assert "set-cookie: __Host-plusthree=" in secure and "Secure" in secure
    assert "303" not in plain and "plusthree" not in plain


def test_a_person_gets_a_link_while_no_host_runs(here, capsys):
    assert plusthree("link", "judge", "Ada") == 2
    Archive("plusthree.db").close()
    assert plusthree("link", "judge", "Ada") == 0
    *code, first = capsys.readouterr().out.splitlines()
    assert first.startswith("link 1, judge, for Ada: http://127.0.0.1:8080/l/")
    assert len(code) == 1 and "no QR code" in code[0]  # no phone opens this computer's 127.0.0.1
    there = ["--address", "https://192.168.1.7:8080/"]
    assert plusthree("link", "judge", "Bo", *there) == 0
    *code, second = capsys.readouterr().out.splitlines()
    assert "for Bo: https://192.168.1.7:8080/l/" in second and len(code) > 10
    with Archive("plusthree.db") as archive:
        assert AccessLinks(archive).find(first.rpartition("/")[2]).name == "Ada"
        assert plusthree("link") == 2
        assert "at a running host, type: link" in capsys.readouterr().err
    assert plusthree("link", "revoke", "1") == 0 and "revoked" in capsys.readouterr().out
    assert plusthree("link", "revoke", "1") == 2
    assert plusthree("link", "judge") == 2


def test_links_are_typed_at_a_running_host(venue):
    console = Console(venue.station, "Olga")
    assert console.run("link judge Ada") == [
        "not done: no web desk is served here: start serve without --no-web"
    ]
    address = "http://desk.test:1"
    now_ms = functools.partial(getattr, venue.air, "now_ms")
    console.serve_pages(DeskService(venue.station, Sessions(KEY, False), now_ms, address=address))
    assert console.run("link judge Ada B.")[-1].startswith(
        "link 1, judge, for Ada B.: http://desk.test:1/l/"
    )
    assert "'king' is none of viewer judge" in console.run("link king Ada")[0]
    assert console.run("link list") == ["link 1  judge  Ada B."]
    assert console.run("link revoke 1") == ["link 1 is revoked"]
    assert console.run("link list")[0].endswith("revoked")


def test_serving_tells_the_organisers_link_once(here, capsys, monkeypatch):
    (here / "e.csv").write_text(GOOD)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert (
        plusthree("serve", "e.csv", "--draft", "--no-radio", "--port", "0", "--name", "Olga") == 0
    )
    told = capsys.readouterr().out
    assert "web desk: http://127.0.0.1:" in told
    assert "link 1, organiser, for Olga: http://127.0.0.1:" in told
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert plusthree("serve", "--no-radio", "--port", "0") == 0
    assert "organiser" not in capsys.readouterr().out
    with Archive("plusthree.db") as archive:
        assert archive.orders.all == []  # a draft is told to nobody
    assert plusthree("serve", "--no-radio", "--port", "99999") == 2


def test_a_virtual_venue_is_driven_by_hand(capsys, monkeypatch):
    typed = "open\nadvance 300\ncall 1\nadvance -1\ncall 9\nshow tables\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert plusthree("serve", "--virtual", "1", "--seed", "3") == 0
    first, *lines = capsys.readouterr().out.splitlines()
    told = json.loads(first)
    assert set(told["links"]) == {"viewer", "judge", "head", "organiser"}
    assert [line[:8] for line in lines[:5]] == [
        'ok {"now', 'ok {"now', 'ok {"now', "not done", "not done",
    ]  # fmt: skip
    assert "playing" in lines[5]
    assert plusthree("serve", "--virtual", "2001") == 2
    capsys.readouterr()
    assert plusthree("serve", "--virtual", "1", "--lan") == 2
    assert "leave --lan away" in capsys.readouterr().err


def test_a_virtual_venue_has_spares_so_that_a_swap_can_be_tried(capsys, monkeypatch):
    typed = "open\nadvance 300\nshow boards\nswap 2 3\nadvance 40\nshow tables\ncall 2\nshow tables\nquit\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert plusthree("serve", "--virtual", "2", "--seed", "3") == 0
    told = capsys.readouterr().out
    assert told.count("spare") == 2
    assert "swap: asked of table 2" in told and "not done" not in told
    rows = [line for line in told.splitlines() if line.lstrip().startswith("2  ")]
    assert "judge" not in rows[0] and "judge called" in rows[1]


def test_a_qr_code_is_square_and_quiet_around():
    found = qr.lines("https://192.168.1.7:8443/l/abcdefghijklmnopqrstuv")
    assert len({len(line) for line in found}) == 1
    assert len(found[0]) in range(2 * len(found) - 2, 2 * len(found) + 1)
    assert set(found[0]) == {"█"} and qr.address_of("http://x/").startswith("data:image/svg+xml")


def test_an_answer_waits_for_nothing():
    """With Nagle's algorithm a body waited 40 ms for the acknowledgement of its head."""

    async def delayed():
        met = asyncio.get_running_loop().create_future()
        listening = http_loop.bind(http_loop.LOOPBACK, 0)
        port = listening.getsockname()[1]
        async with await asyncio.start_server(
            lambda _, there: met.set_result(there), sock=listening
        ):
            _, here = await asyncio.open_connection(http_loop.LOOPBACK, port)
            there = await met
            sock = there.get_extra_info("socket")
            found = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for writer in (here, there):
                writer.close()
        return not found

    assert not asyncio.run(delayed())


CABLE, HOTSPOT, VPN = "192.0.2.7", "192.168.137.1", "10.8.0.2"


class Clock:
    def now_ms(self):
        return 0


@pytest.fixture
def networks(monkeypatch):
    found = {CABLE: "eth0", HOTSPOT: "wlan0"}
    for module in (certificate, web_server):
        monkeypatch.setattr(module, "own_addresses", lambda: dict(found))
    return found


@pytest.fixture
def desk(venue, networks):
    args = argparse.Namespace(
        lan=True, port=0, host=[], archive=venue.path, pack={}, plan=None, no_web=False
    )
    with web_server.listening(args) as sock:
        yield WebServer(args, sock, venue.station, Clock(), "Olga")


def test_each_network_has_its_address_and_the_certificate_names_all(desk, venue):
    port = desk._socket.getsockname()[1]
    assert f"web desk: https://{CABLE}:{port} (a link for somebody: link ROLE NAME)" in desk.lines
    assert f"web desk, for another network (wlan0): https://{HOTSPOT}:{port}" in desk.lines
    found = x509.load_pem_x509_certificate(pathlib.Path(f"{venue.path}.web.pem").read_bytes())
    names = found.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {CABLE, HOTSPOT, "127.0.0.1"} <= {str(one.value) for one in names}


def test_a_link_is_told_for_each_network(desk):
    *_, elsewhere, here = desk.service.make_link("judge", "Ada", "Olga").shown
    token = here.rpartition("/l/")[2]
    assert here.startswith(f"link 2, judge, for Ada: https://{CABLE}:")
    assert elsewhere.startswith(f"in another network: https://{HOTSPOT}:")
    assert elsewhere.endswith(f"/l/{token}")


def test_an_address_that_comes_later_is_told_once(desk, networks):
    port = desk._socket.getsockname()[1]
    assert desk.add_addresses(networks) == []
    networks[VPN] = "tun0"
    first, remark = desk.add_addresses(networks)
    assert first == f"web desk, for another network (tun0): https://{VPN}:{port}"
    assert "the same fingerprint" in remark
    assert desk.add_addresses(networks) == []
    assert any(VPN in line for line in desk.service.make_link("judge", "Bea", "Olga").shown)
    del networks[VPN]
    assert desk.add_addresses(networks) == []
    networks[VPN] = "tun0"
    assert len(desk.add_addresses(networks)) == 2  # it is back
    assert sum(VPN in line for line in desk.service.make_link("judge", "Cy", "Olga").shown) == 1


def test_this_machine_has_addresses_that_others_can_use():
    for address in certificate.own_addresses():
        assert not address.startswith(("127.", "169.254.")) and address.count(".") == 3


async def answer(port, address, host):
    """Return the status of what the desk answers at an address to a request for ``host``."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    reader, writer = await asyncio.open_connection(address, port, ssl=context)
    writer.write(f"GET /check HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    line = await reader.readline()
    writer.close()
    return int(line.split()[1])


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 is this machine's on Linux alone")
def test_the_second_address_of_a_socket_is_let_in_and_no_other_name(venue, tmp_path):
    path, now = tmp_path / "c.pem", datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
    certificate.ready(path, ["127.0.0.1"], now)
    sock = http_loop.bind(http_loop.EVERYWHERE, 0)
    port = sock.getsockname()[1]
    service = DeskService(venue.station, Sessions(KEY, True), lambda: venue.air.now_ms)

    async def story():
        serving = asyncio.ensure_future(
            http_loop.serve(service, sock, [f"127.0.0.1:{port}"], (path, path))
        )
        try:
            # 401: past the guard, without a link
            for address in ("127.0.0.1", "127.0.0.2", "127.8.9.1"):
                assert await answer(port, address, f"{address}:{port}") == 401
                assert await answer(port, address, f"evil.test:{port}") == 421
            assert await answer(port, "127.0.0.2", f"127.0.0.3:{port}") == 421
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving

    asyncio.run(story())
    sock.close()
