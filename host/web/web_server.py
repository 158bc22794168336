"""The web desk's part of ``plusthree serve``: address, port, names, and the lines it prints.

On the loopback address it speaks plain HTTP. With ``--lan`` it speaks only HTTPS, to every role;
plain HTTP never leaves this machine.
"""

import argparse
import asyncio
import contextlib
import datetime
import pathlib
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence

from host.archive import places
from host.archive.access_links import ORGANISER
from host.base import catalogues, installation
from host.base.errors import UserError
from host.collector.host_clock import HostClock
from host.desk import hall_plan
from host.desk.station import Station
from host.tournament import rule_packs
from host.web import certificate, http_loop
from host.web.certificate import own_addresses
from host.web.connection_limits import ConnectionLimits
from host.web.desk_service import DeskService
from host.web.event_desks import EventDesks
from host.web.sessions import Sessions, key_beside

PORT = 8080
_LOOK_S = 5
_NEW_NETWORK = (
    "its certificate does not name this address, so browsers there warn of that, too: compare the"
    " same fingerprint"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "--port", type=int, help=f"the web desk's port (default: {PORT}, or a free one)"
    )
    parser.add_argument(
        "--lan", action="store_true", help="open the web desk to the local network, over HTTPS"
    )
    parser.add_argument(
        "--host", action="append", default=[], metavar="NAME", help="another name of this machine"
    )
    parser.add_argument(
        "--pack",
        action="append",
        default=[],
        metavar="FILE",
        help="a further rule pack (TOML) for the web desk",
    )
    parser.add_argument(
        "--plan",
        type=pathlib.Path,
        metavar="FILE",
        help="how tables stand in the hall: a line for each row",
    )
    parser.add_argument("--no-web", action="store_true", help="no web desk")


def prepare(args: argparse.Namespace) -> None:
    """Load the files named in the options; raises UserError if one cannot be read.

    This also finds a broken catalogue at the start, not in the middle of an event.
    """
    catalogues.check()
    args.pack = rule_packs.shipped_packs() | rule_packs.by_name(map(rule_packs.load, args.pack))
    args.plan = args.plan and hall_plan.read(args.plan)


@contextlib.contextmanager
def listening(args: argparse.Namespace) -> Iterator[ConnectionLimits | None]:
    """Yield the desk's socket, None without a web desk. Raises UserError for a port that is taken:
    before anything is stored.
    """
    if args.no_web:
        yield None
        return
    with contextlib.closing(_listening(args.lan, args.port)) as made:
        yield made


class Address:
    """Where this machine is reached on a listening socket: ``url`` first, and in other networks.

    ``args`` are the options of ``add_arguments`` after ``prepare``; the certificate lies beside
    ``archive``. ``lines`` are messages for its users.
    """

    def __init__(self, args: argparse.Namespace, sock: ConnectionLimits, archive: places.Place):
        port = sock.getsockname()[1]
        names = _names(args)
        self.hosts = [f"{each}:{port}" for each in names]
        if port in (80, 443):  # which a browser leaves out
            self.hosts += names
        self.lines: list[str] = []
        self.tls = self._prepare_certificate(archive, names) if args.lan else None
        self._scheme, self._port = ("https" if args.lan else "http"), port
        self.url = f"{self._scheme}://{names[0]}:{port}"
        # the name of each network's interface, by this machine's address there
        self._networks = own_addresses() if args.lan else {}
        self._others = {each: name for each, name in self._networks.items() if each != names[0]}

    def _prepare_certificate(self, archive: places.Place, names: Sequence[str]) -> http_loop.Tls:
        """Make or renew the certificate if needed; return its file, which has its key, too."""
        pem = places.sibling(archive, ".web.pem")
        fingerprint = certificate.ready(pem, names, datetime.datetime.now(datetime.UTC))
        self.lines.append(f"the desk's certificate (compare it once a device): {fingerprint}")
        return pem, pem

    def add_other_networks(self) -> None:
        """Add a line on each further network."""
        self.lines += self._lines_on(self._others)

    @property
    def others(self) -> list[str]:
        """The URLs of this machine in further networks."""
        return self._urls(self._others)

    async def watch(self, look: Callable[[Mapping[str, str]], None]) -> None:
        """Call ``look(addresses)`` with this machine's addresses again and again."""
        while True:
            await asyncio.sleep(_LOOK_S)
            look(own_addresses())

    def add_addresses(self, addresses: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """Return the URLs of new ``addresses``, and lines on them."""
        new = {
            address: name for address, name in addresses.items() if address not in self._networks
        }
        self._networks = {**addresses}
        lines = self._lines_on(new)
        if new:
            lines.append(_NEW_NETWORK)
        return self._urls(new), lines

    def _urls(self, addresses: Iterable[str]) -> list[str]:
        return [f"{self._scheme}://{address}:{self._port}" for address in addresses]

    def _lines_on(self, addresses: Mapping[str, str]) -> list[str]:
        """Return a line on each further network."""
        lines = list[str]()
        for url, name in zip(self._urls(addresses), addresses.values(), strict=True):
            network = f"network ({name})" if name else "network"
            lines.append(f"web desk, for another {network}: {url}")
        return lines


class WebServer:
    """The web desk of a Station on a listening socket; ``lines`` are messages for its users.

    ``args`` are the options of ``add_arguments`` after ``prepare``, and ``archive``; ``name`` is
    the owner of the first link.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        sock: ConnectionLimits,
        station: Station,
        clock: HostClock,
        name: str,
    ):
        self._socket, self._address = sock, Address(args, sock, args.archive)
        self.lines = self._address.lines
        self.service = _desk_service(args, self._address, args.archive, station, clock, name)
        if args.plan:
            station.plan = {**hall_plan.NONE, "rows": args.plan}
            if station.archive.roster.event is not None:
                hall_plan.store(station.archive, station.plan, name, station.unix_ms)
        self.lines.append(f"web desk: {self._address.url} (a link for somebody: link ROLE NAME)")
        if not args.lan:
            self.lines.append(_no_phone(_quote(args.archive)))
        self._address.add_other_networks()
        self.lines = [*_first_link(self.service, name), *self.lines]

    async def serve(self, say: Callable[[list[str]], None]) -> None:
        """Serve until cancelled, and ``say`` when this machine has joined another network."""
        address = self._address
        serving = http_loop.serve(self.service, self._socket, address.hosts, address.tls)
        await _serve_watching(serving, address, lambda found: say(self.add_addresses(found)))

    def add_addresses(self, addresses: Mapping[str, str]) -> list[str]:
        """Return lines on new ``addresses``; links name them from now on, too."""
        urls, lines = self._address.add_addresses(addresses)
        self.service.add_networks(urls)
        return lines


class SharedWebServer:
    """The web desks of several Stations on one listening socket, each below its word, and a start
    page that lists them. ``lines`` are messages for its users.
    """

    def __init__(self, args: argparse.Namespace, sock: ConnectionLimits, first: places.Place):
        self._args, self._socket, self._address = args, sock, Address(args, sock, first)
        self.lines = self._address.lines
        self.desks = EventDesks(self._address.hosts, bool(args.lan))
        self.lines.append(f"all events: {self._address.url}")
        if not args.lan:
            archives = " ".join(_quote(archive) for archive in args.archives)
            self.lines.append(_no_phone(archives))
        self._address.add_other_networks()

    def open(
        self, word: str, archive: places.Place, station: Station, clock: HostClock, name: str
    ) -> tuple[DeskService, list[str]]:
        """Return an event's DeskService, and lines for its users."""
        service = _desk_service(self._args, self._address, archive, station, clock, name, word)
        self.desks.add(word, service)
        line = f"web desk: {service.address} (a link for somebody: link ROLE NAME)"
        return service, [*_first_link(service, name), line]

    async def serve(self, say: Callable[[list[str]], None]) -> None:
        """Serve until cancelled, and ``say`` when this machine has joined another network."""
        address = self._address
        beside = http_loop.sweep(self._socket)
        serving = http_loop.run(self.desks, self._socket, address.tls, beside, self.desks.end_all)

        def look(addresses: Mapping[str, str]) -> None:
            urls, lines = address.add_addresses(addresses)
            for service in self.desks.services:
                service.add_networks(urls)
            say(lines)

        await _serve_watching(serving, address, look)


async def _serve_watching(
    serving: Coroutine[None, None, None],
    address: Address,
    look: Callable[[Mapping[str, str]], None],
) -> None:
    """Serve until cancelled; over HTTPS, ``look`` is called as ``Address.watch`` says."""
    if address.tls is None:
        return await serving
    watching = asyncio.ensure_future(address.watch(look))
    try:
        await serving
    finally:
        watching.cancel()


def _desk_service(
    args: argparse.Namespace,
    address: Address,
    archive: places.Place,
    station: Station,
    clock: HostClock,
    name: str,
    word: str = "",
) -> DeskService:
    """Return the DeskService of an archive."""
    sessions = Sessions(key_beside(archive), args.lan, word)
    base = f"/{word}" if word else ""
    service = DeskService(station, sessions, clock.now_ms, args.pack, address.url, base=base)
    service.add_networks(address.others)
    return service


def _first_link(service: DeskService, name: str) -> Sequence[str]:
    """Return the lines of the organiser's link, which is made if there is none."""
    if any(link.role == ORGANISER and not link.revoked for link in service.links.every):
        return []
    return service.make_link(ORGANISER, name, name).shown  # a live view shows the last lines


def _no_phone(archives: str) -> str:
    command = f"{installation.command()} serve {archives} --lan"
    return f"no phone opens that: for phones, quit and repeat the command with --lan: {command}"


def _quote(archive: places.Place) -> str:
    return installation.quote(places.display_name(archive))


def _names(args: argparse.Namespace) -> list[str]:
    """Return this machine's names and addresses, the likeliest first."""
    if args.lan:
        return [*dict.fromkeys([*args.host, *certificate.own_names()])]
    return ["127.0.0.1", "localhost", *args.host]


def _listening(lan: bool, port: int | None) -> ConnectionLimits:
    address = http_loop.EVERYWHERE if lan else http_loop.LOOPBACK
    if port is not None:
        if not 0 <= port <= 65535:
            raise UserError("--port is from 0 to 65535")
        return http_loop.bind(address, port)
    try:
        return http_loop.bind(address, PORT)
    except UserError:
        return http_loop.bind(address, 0)
