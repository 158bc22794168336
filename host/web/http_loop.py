"""The web desk on a socket: uvicorn in the host's event loop; when pages get changes and beats."""

import asyncio
import contextlib
import errno
import os
import pathlib
import socket
from collections.abc import Callable, Coroutine, Iterable, Iterator

import uvicorn
from starlette.types import ASGIApp

from host.base.errors import UserError
from host.web import app as web_app
from host.web.change_feed import EVERY_S
from host.web.connection_limits import AtOnce, ConnectionLimits
from host.web.desk_service import DeskService

LOOPBACK = "127.0.0.1"
Tls = tuple[os.PathLike[str], os.PathLike[str]]  # certificate and key file
EVERYWHERE = "0.0.0.0"  # only ever with TLS (``--lan``)
_GOODBYE_S = 1
BEAT_S = 3  # pages report a stream as lost after ten silent seconds (static/js/wire.js)
_CONNECTIONS = 400  # more than ConnectionLimits allows: for sockets without it
_LISTENS = "0A"  # of the states in /proc/net/tcp


class _Server(uvicorn.Server):
    """A uvicorn server that leaves signals to this program."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture no signals."""
        yield


def bind(address: str, port: int) -> ConnectionLimits:
    """Return a listening socket; raises UserError if the port is taken."""
    listener = ConnectionLimits()
    # Windows would let two programs bind a port with SO_REUSEADDR
    option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
    listener.setsockopt(socket.SOL_SOCKET, option, 1)
    try:
        listener.bind((address, port))
    except OSError as failure:
        listener.close()
        raise UserError(_refusal(port, failure)) from None
    listener.listen()
    return listener


def _refusal(port: int, failure: OSError) -> str:
    """Return why a port cannot be bound, and what to do."""
    step = "leave --port away, and a free one is taken"
    # such as a port below 1024, which needs administrator rights
    if failure.errno != errno.EADDRINUSE:
        return f"port {port} cannot be had ({failure.strerror}): {step}"
    who = port_holder(port)
    end = f"it belongs to {who}: end that" if who else "another program has it: end that"
    return f"port {port} is taken, {end}, or {step}"


async def serve(
    service: DeskService,
    sock: ConnectionLimits,
    hosts: Iterable[str],
    tls: Tls | None = None,
) -> None:
    """Serve a DeskService on a bound socket until cancelled, encrypted with ``tls``."""
    app = web_app.make(service, hosts)
    await run(app, sock, tls, tick(service, sock.sweep), service.change_feed.streams.end_all)


async def run(
    app: ASGIApp,
    sock: ConnectionLimits,
    tls: Tls | None,
    beside: Coroutine[None, None, None],
    end: Callable[[], None],
) -> None:
    """Serve an application on a bound socket, with ``beside`` running, until one of them ends or
    this is cancelled; ``end()`` then closes the pages' streams.
    """
    server = _Server(_config(AtOnce(app, sock), tls))
    tasks = [
        asyncio.ensure_future(server.serve(sockets=[sock])),
        asyncio.ensure_future(beside),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        server.should_exit = True
        tasks[1].cancel()
        end()
        await asyncio.gather(*tasks, return_exceptions=True)


async def sweep(sock: ConnectionLimits) -> None:
    """End connections that have waited too long, every ``BEAT_S``."""
    while True:
        await asyncio.sleep(BEAT_S)
        sock.sweep()


def _config(app: ASGIApp, tls: Tls | None) -> uvicorn.Config:
    certificate, key = tls or (None, None)
    return uvicorn.Config(
        app, lifespan="off", access_log=False, log_config=None, server_header=False,
        date_header=False, ssl_certfile=certificate, ssl_keyfile=key, ws="none",
        limit_concurrency=_CONNECTIONS, timeout_graceful_shutdown=_GOODBYE_S,
        proxy_headers=False,  # a client's address is the socket's, not a header's
        h11_max_incomplete_event_size=16_384,
    )  # fmt: skip


async def tick(service: DeskService, sweep: Callable[[], None] = lambda: None) -> None:
    """Send the pages their changes every ``EVERY_S``, and a heartbeat every ``BEAT_S``; ``sweep()``
    then closes connections that have waited too long.

    That is real time: a virtual event's time stands still in between.
    """
    feed, now_s = service.change_feed, asyncio.get_running_loop().time
    beaten_s = now_s()
    while True:
        feed.step(service.now_ms)
        if now_s() - beaten_s >= BEAT_S:
            beaten_s = now_s()
            feed.streams.beat(service.now_ms)
            sweep()
        await asyncio.sleep(EVERY_S)


def port_holder(port: int, proc: pathlib.Path = pathlib.Path("/proc")) -> str:
    """Return ``NAME, process NUMBER``, "" if unknown: not Linux, or another user's process."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        sockets = {f"socket:[{inode}]" for inode in _inodes(port, proc)}
        for process in sorted(proc.glob("[0-9]*")):
            with contextlib.suppress(OSError):  # it has ended, or is another user's
                if _holds(process, sockets):
                    name = (process / "comm").read_text(encoding="utf-8", errors="replace")
                    return f"{name.strip()}, process {process.name}"
    return ""


def _holds(process: pathlib.Path, sockets: set[str]) -> bool:
    """Whether a process has one of ``sockets`` open."""
    for descriptor in (process / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it was closed meanwhile
            if str(descriptor.readlink()) in sockets:
                return True
    return False


def _inodes(port: int, proc: pathlib.Path) -> set[str]:
    """Return the inodes of the sockets that listen on a port."""
    inodes = set[str]()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(FileNotFoundError):
            for line in (proc / "net" / table).read_text(encoding="ascii").splitlines()[1:]:
                columns = line.split()
                local_address, state, inode = columns[1], columns[3], columns[9]
                if state == _LISTENS and int(local_address.rpartition(":")[2], 16) == port:
                    inodes.add(inode)
    return inodes
