"""The web desk's part of ``plusthree serve``: where it listens, under which names, and what is said of it.

On the loopback address it speaks plain HTTP. With ``--lan`` it speaks HTTPS alone, to every role: plain
HTTP never leaves this machine.
"""

import datetime
import pathlib

from host import hallplan, packs
from host.errors import Mistake
from host.web import certificate, door, server
from host.web.office import Office
from host.web.roles import ORGANISER
from host.web.sessions import Sessions, key_beside

PORT = 8080


def arguments(parser):
    """Add the options."""
    parser.add_argument("--port", type=int, help=f"the web desk's port (default: {PORT}, or a free one)")
    parser.add_argument("--lan", action="store_true", help="open the web desk to the local network, over HTTPS")
    parser.add_argument("--host", action="append", default=[], metavar="NAME", help="another name of this machine")
    parser.add_argument("--pack", action="append", default=[], metavar="FILE", help="a further rule pack (TOML) for the web desk")
    parser.add_argument("--plan", type=pathlib.Path, metavar="FILE", help="how tables stand in the hall: a line for each row")
    parser.add_argument("--no-web", action="store_true", help="no web desk")


def prepare(args):
    """Read the files that the options name in place of their names; raises Mistake before anything is done."""
    args.pack = packs.shipped() | packs.by_name(map(packs.load, args.pack))
    args.plan = args.plan and hallplan.read(args.plan)


class Front:
    """The web desk of a Station, listening; ``lines`` are what its people should know."""

    def __init__(self, args, station, clock, name):
        self._socket = _listening(args.lan, args.port)
        port = self._socket.getsockname()[1]
        names = [*dict.fromkeys([*args.host, *certificate.own_names()])] if args.lan else ["127.0.0.1", "localhost", *args.host]
        self._hosts = [f"{one}:{port}" for one in names] + ([one for one in names if port in (80, 443)])
        path, self.lines, self._tls = args.archive, [], None
        if args.lan:
            pem = pathlib.Path(f"{path}.web.pem")
            told = certificate.ready(pem, names, datetime.datetime.now(datetime.UTC))
            self.lines, self._tls = [f"the desk's certificate (compare it once a device): {told}"], (pem, pem)
        address = f"{'https' if args.lan else 'http'}://{names[0]}:{port}"
        sessions = Sessions(key_beside(path), args.lan)
        self.office = Office(station, sessions, clock.now_ms, args.pack, address)
        if args.plan:
            hallplan.settle(station.archive, args.plan, 0, False, name, self.office.unix_ms)
        self.lines.append(f"web desk: {address} (a link for somebody: link ROLE NAME)")
        if not any(one.role == ORGANISER and not one.revoked for one in self.office.links.every):
            self.lines = self.office.told_link(ORGANISER, name, name) + self.lines  # a live view shows the last ones

    async def serve(self):
        """Serve until cancelled."""
        await server.serve(self.office, self._socket, self._hosts, self._tls)

    def close(self):
        """Let go of the port."""
        self._socket.close()


def _listening(lan, port):
    place = (server.EVERYWHERE, door.EACH) if lan else (server.LOOPBACK, None)
    if port is not None:
        if not 0 <= port <= 65535:
            raise Mistake("--port is from 0 to 65535")
        return server.bound(place[0], port, place[1])
    try:
        return server.bound(place[0], PORT, place[1])
    except Mistake:
        return server.bound(place[0], 0, place[1])
