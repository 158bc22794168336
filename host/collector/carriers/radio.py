"""This PC's radio: adverts and connections over bleak.

It carries out actions (``do``) and reports events (``tell``). It has no keys and stores nothing.
Reported are ``("heard", address, frame)``, ``("received", address, frame)``, ``("opened",
address)``, ``("closed", address)``, ``("deaf", True or False)``, ``("delay", seconds)``, ``("said",
sentence)`` and ``("missing", sentence)``; done are ``("connect", address)``, ``("write", address,
frame)`` and ``("disconnect", address)``. Only bleak's public API is used, so that the virtual radio
differs by its ``backend=`` classes.
"""

import asyncio
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from bleak.backends.client import BaseBleakClient
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData, BaseBleakScanner

from firmware.core import frames
from host.collector.actions import Action
from host.collector.carriers import failure_words
from host.collector.carriers.connection import Connection, ConnectionFailed
from host.collector.carriers.json_lines import Tell
from host.collector.carriers.platforms import Quirks
from host.collector.carriers.scan import Scan

Backends: TypeAlias = tuple[type[BaseBleakScanner] | None, type[BaseBleakClient] | None]

MOST_CONNECTIONS = 5  # of most adapters
KNOWN = 6000
PAUSE_S = 2.0  # after an attempt that nobody answered, to hear adverts again
SHORT_PAUSE_S = 0.05  # after one that failed sooner
LISTEN_S, ATTEMPTS_S = 0.2, 2.0  # instead, after attempts during which nothing could be heard
_LOOK_S = 0.01  # between two checks whether the system is connected
ECHO_S = 3.0  # near our own connections a system reports old adverts again
FAILURES_TO_REPORT = 3  # of different boards in a row


class FrameCount(NamedTuple):
    """How many frames were received and sent over connections."""

    up: int
    down: int


class Radio:
    """Hears boards and connects to them.

    ``quirks`` as in ``platforms``; ``backends`` are bleak's (scanner, client) classes, None for the
    system's own; ``adapter`` names one of several (Linux); ``links`` is the limit of open
    connections.
    """

    def __init__(
        self,
        tell: Tell,
        quirks: Quirks,
        backends: Backends = (None, None),
        adapter: str | None = None,
        links: int = MOST_CONNECTIONS,
    ):
        self._tell, self._quirks, self._adapter = tell, quirks, adapter
        scanner, self._client = backends
        self._scan = Scan(
            self._on_advert, tell, self._on_scan, self._scan_is_suspended, quirks, scanner, adapter
        )
        # address -> (device, the frame it last advertised)
        self._devices: dict[str, tuple[BLEDevice, bytes]] = {}
        self._connections: dict[str, Connection] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._ended_s: dict[str, float] = {}
        self._one_attempt, self._free_links = asyncio.Lock(), asyncio.Semaphore(links)
        self._near: set[str] = set()  # addresses that our connecting may have woken
        self._down_reasons = {"scan"}  # why nothing is heard; empty while adverts are heard
        self._failures: dict[str, str] = {}
        self._attempting = self._ending = False
        # the start of the first attempt since adverts could be heard, the end of the last one
        self._unheard_since_s = self._attempt_ended_s = -LISTEN_S
        self._doing: dict[str, Callable[..., None]] = {
            "connect": self._open,
            "write": self._write,
            "disconnect": self._close,
        }
        self._frames = FrameCount(0, 0)  # of connections that have ended
        self.connections = 0

    @property
    def frames(self) -> FrameCount:
        """How many frames were received and sent so far."""
        up = sum(connection.frames_up for connection in self._connections.values())
        down = sum(connection.frames_down for connection in self._connections.values())
        return FrameCount(self._frames.up + up, self._frames.down + down)

    async def run(self) -> None:
        """Listen and hold connections until cancelled."""
        self._tell("deaf", True)
        try:
            await self._scan.run()
        finally:
            await self._stop()

    def do(self, action: Action) -> None:
        """Do one action."""
        self._doing[action[0]](*action[1:])

    async def _stop(self):
        self._ending = True
        for connection in self._connections.values():
            connection.close()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # adverts

    def _on_advert(self, device: BLEDevice, advertisement: AdvertisementData, now_s: float):
        address, frame = device.address, advertisement.manufacturer_data.get(frames.COMPANY_ID)
        before = None
        if frame is not None:
            _, before = self._devices.pop(address, (None, None))
            self._devices[address] = device, bytes(frame)
            if len(self._devices) > KNOWN:  # anybody can advertise
                del self._devices[next(iter(self._devices))]
        if frame == before and self._is_echo(address, now_s):
            return
        self._scan.feed(address, now_s, frame is not None)
        if frame is not None:
            self._tell("heard", address, bytes(frame))

    def _is_echo(self, address: str, now_s: float) -> bool:
        """Whether our own connecting may have caused a report: the system then repeats what it last
        heard.
        """
        return address in self._near or now_s - self._ended_s.get(address, -ECHO_S) < ECHO_S

    def _scan_is_suspended(self):
        return self._attempting and self._quirks.suspends_scan

    def _on_scan(self, runs):
        self._set_down("scan", not runs)

    def _set_down(self, reason, down):
        """Note whether nothing is heard for a ``reason``; report it if the first one or none is
        left.
        """
        before = bool(self._down_reasons)
        (self._down_reasons.add if down else self._down_reasons.discard)(reason)
        if bool(self._down_reasons) != before:
            self._tell("deaf", bool(self._down_reasons))

    # connections

    def _open(self, address):
        if address not in self._tasks and not self._ending:
            task = asyncio.get_running_loop().create_task(self._hold(address))
            self._tasks[address] = task
            task.add_done_callback(lambda _: self._on_closed(address))

    def _on_closed(self, address):
        self._tasks.pop(address, None)
        self._near.discard(address)
        self._ended_s.pop(address, None)
        self._ended_s[address] = asyncio.get_running_loop().time()
        if len(self._ended_s) > KNOWN:
            del self._ended_s[next(iter(self._ended_s))]
        self._tell("closed", address)

    def _write(self, address, frame):
        if address in self._connections:
            self._connections[address].write(frame)

    def _close(self, address):
        if address in self._connections:
            self._connections[address].close()

    async def _hold(self, address):
        """Run one connection from start to end."""
        async with self._free_links:
            known = self._devices.get(address)
            device, tell = (known[0] if known else address), self._tell_of(address)
            connection = Connection(device, self._quirks, tell, self._client, self._adapter)
            try:
                await self._connect(connection, address)
                await self._carry(connection, address)
                self._failures = {}
            except ConnectionFailed as failure:
                self._on_failure(address, failure.args[0])
            finally:
                await connection.hang_up()

    def _tell_of(self, address: str) -> Tell:
        return lambda word, /, *details: self._tell(word, address, *details)

    async def _carry(self, connection: Connection, address: str):
        self._connections[address] = connection
        self.connections += 1
        try:
            await connection.carry()
        finally:
            del self._connections[address]
            self._frames = FrameCount(
                self._frames.up + connection.frames_up, self._frames.down + connection.frames_down
            )

    async def _connect(self, connection: Connection, address: str):
        """Connect. Only one board is called at a time, until it answers; the services of several
        boards are looked up at once, which takes a system seconds.
        """
        attempt = None
        try:
            async with self._one_attempt:
                self._near.add(address)
                attempt = asyncio.ensure_future(connection.connect())
                await self._wait_for_answer(connection, attempt)
            await attempt
        finally:
            if attempt is not None:  # it may have failed just as this was cancelled
                attempt.cancel()
                await asyncio.gather(attempt, return_exceptions=True)

    async def _wait_for_answer(self, connection: Connection, attempt: "asyncio.Future[None]"):
        """Wait until the board has answered; after a failure, pause so that adverts are heard."""
        loop = asyncio.get_running_loop()
        began_s, self._attempting = loop.time(), True
        if began_s - self._attempt_ended_s >= LISTEN_S:
            self._unheard_since_s = began_s
        self._set_down("connect", self._quirks.suspends_scan)
        try:
            while not attempt.done() and not connection.linked:
                await asyncio.wait({attempt}, timeout=_LOOK_S)
        finally:
            self._attempting, self._attempt_ended_s = False, loop.time()
            self._set_down("connect", False)
        if attempt.done() and attempt.exception() is not None:
            pause_s = self._pause_s(loop.time() - began_s)
            await connection.hang_up()
            await asyncio.sleep(pause_s)
            if pause_s >= LISTEN_S:
                # adverts were heard for long enough, even if the clock's rounding denies it
                self._unheard_since_s = loop.time()

    def _pause_s(self, attempt_s: float) -> float:
        """Return how long to hear adverts after an attempt that took so long and failed."""
        if attempt_s >= self._quirks.connect_s / 2:
            return PAUSE_S
        if not self._quirks.suspends_scan:
            return SHORT_PAUSE_S
        unheard_s = self._attempt_ended_s - self._unheard_since_s
        return LISTEN_S if unheard_s >= ATTEMPTS_S else SHORT_PAUSE_S

    def _on_failure(self, address: str, reason: str):
        """Note that a connection failed. Several boards in a row are reported once."""
        self._failures[address] = reason
        if len(self._failures) == FAILURES_TO_REPORT and not self._ending:
            reasons = list(self._failures.values())
            commonest = max(reasons, key=reasons.count)
            self._tell("said", failure_words.several(FAILURES_TO_REPORT, commonest))
