"""A PC in two networks, cable and its own hotspot: each has an address, let in and told."""

import argparse
import asyncio
import contextlib
import datetime
import pathlib
import ssl
import sys

import pytest
from cryptography import x509
from webclient import KEY

from host.web import certificate, http_loop, web_server
from host.web.desk_service import DeskService
from host.web.sessions import Sessions
from host.web.web_server import WebServer

pytestmark = pytest.mark.venue(tables=1)
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
