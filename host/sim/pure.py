"""The pure air: loses, delays, duplicates and reorders frames by one seed, without a radio model.

It has the interface of ``BleAir``: ``link(address, wake)`` returns a board's Link port, ``carrier``
the host's end, whose ``run()`` drives the Collector. Unlike BLE it also reorders frames within a
link, and adverts never collide. Delays are in seconds of the loop.
"""

from __future__ import annotations

import asyncio
import random
from asyncio import AbstractEventLoop
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from firmware.radio import advertiser

if TYPE_CHECKING:
    from host.collector.collector import Collector
    from host.sim.types import HearAdvert, Later, Linkable, Peer, Wake


TABLES_AN_ADAPTER = 50  # where there are several
ADVERT_INTERVAL_S = 1.0
CONNECT_S = (0.05, 0.6)
CONNECT_TIMEOUT_S = 3.0
HOP_S = (0.008, 0.045)
STRAGGLER_S = (0.2, 1.5)
PLACES = 5  # places in the chip's queue of notifications
_INTERVAL_S = 0.02  # of connections, about
NEVER_MS = 1 << 60
SUPERVISION_S = 4
INBOX = 16  # packets that a board's radio keeps; one more drops the oldest


class PureAir:
    """The state that all links share: the loop, the random generator and the listeners for adverts.

    ``adapters``: how many connections the host opens at a time, one with each.
    """

    def __init__(self, loop: AbstractEventLoop, seed: int, loss: float, adapters: int = 1):
        self.loop, self.adapters = loop, adapters
        self.loss = loss  # how probably (0-1) a frame is lost now
        self.luck = random.Random(f"air {seed}")
        self.links: dict[int, Linkable] = {}
        self._listeners: list[HearAdvert] = []

    def listen(self, listener: HearAdvert) -> None:
        """Call ``listener`` with every advert from now on."""
        self._listeners.append(listener)

    def stop_listening(self, listener: HearAdvert) -> None:
        """Stop calling ``listener``."""
        self._listeners = [other for other in self._listeners if other != listener]

    def tell(self, address: int, frame: bytes) -> None:
        """Deliver an advert to all listeners."""
        for listener in list(self._listeners):
            listener(address, frame)

    def link(self, address: int, wake: Wake = lambda: None) -> PureLink:
        """Return the Link port of the board at ``address``; ``wake`` is its radio interrupt."""
        link = self.links[address] = PureLink(self, address, wake)
        return link

    def power_off(self, address: int) -> None:
        """Remove the battery of a board; its peer notices after 4 s."""
        link = self.links[address]
        assert isinstance(link, PureLink)
        session = link.session
        link.session = link.advert = None
        link.welcome = False
        if session is not None:
            session.vanish(self._after_supervision)

    def _after_supervision(self, gone: Callable[[], None]):
        self.loop.call_later(SUPERVISION_S, gone)

    def carrier(self, collector: Collector, now_ms: Callable[[], int]) -> PureCarrier:
        """Return the host's carrier, whose ``run()`` transfers frames until it is cancelled."""
        return PureCarrier(self, collector, now_ms)

    def carry(self, frame: bytes, address: int, up: bool, deliver: Callable[[bytes], None]) -> None:
        """Call ``deliver`` with ``frame``: soon, late, twice or never, by chance.

        ``up``: to the host, otherwise to the board, over the link of ``address``.
        """
        luck, loss = self.luck, self.loss
        copies = 2 if luck.random() < loss / 3 else 1
        for _ in range(copies):
            if luck.random() >= loss:
                late = luck.random() < loss / 2
                delay_s = luck.uniform(*(STRAGGLER_S if late else HOP_S))
                self.loop.call_later(delay_s, deliver, frame)

    def hear(self, link: PureLink, frame: bytes) -> None:
        """Repeat an advert until the host receives it or the board replaces it."""
        tries = 1
        while self.luck.random() < self.loss and tries < 30:
            tries += 1
        delay_s = (tries - self.luck.random()) * ADVERT_INTERVAL_S
        self.loop.call_later(delay_s, self._heard, link, frame, self.luck.random())

    def _heard(self, link, frame, chance):
        """Deliver an advert; by ``chance`` (0-1) also a replaced one, or the same again later."""
        if link.session is not None:
            return
        replaced = link.advert != frame
        if replaced and chance >= self.loss / 10:
            return
        self.tell(link.address, frame)
        if chance < self.loss / 3:
            self.loop.call_later(self.luck.uniform(*STRAGGLER_S), self.tell, link.address, frame)


class NoLink:
    """A link that nobody ever connects to."""

    connected = False
    audible, guests, asks, due_ms = True, 0, False, NEVER_MS
    advert_frame = staticmethod(advertiser.frame)

    def __init__(self):
        self.shown: bytes | None = None

    def poll(self, uptime_ms: int) -> None:
        """Do nothing."""

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """Keep the frame that is advertised."""
        self.shown = frame

    def receive(self) -> bytes | None:
        """Return None: nothing arrives."""

    def send(self, frame: bytes) -> bool:
        """Return False: nobody is connected."""
        return False

    def flush(self) -> None:
        """Do nothing."""

    def heard(self, frame: bytes) -> None:
        """Do nothing."""

    def drop(self) -> None:
        """Do nothing."""

    def restart(self) -> None:
        """Do nothing."""


class PureLink(NoLink):
    """The board's end: at most one session with the host, and without one an advert."""

    def __init__(self, air: PureAir, address: int, wake: Wake):
        self._leave_s = deque[float]()  # when each notification leaves the chip's queue
        self.address = address
        self.advert: bytes | None = None
        self.session: Peer | None = None
        self.welcome = True
        self._air, self._wake = air, wake
        self._inbox: list[bytes] = []

    def advertise(self, frame: bytes, welcome: bool = True) -> None:
        """Advertise ``frame`` (24 bytes) in place of the previous one."""
        self.welcome = welcome
        if frame != self.advert:
            self.advert = frame
            if self.session is None:
                self._air.hear(self, frame)

    @property
    def connected(self) -> bool:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Whether a central is connected."""
        return self.session is not None

    def receive(self) -> bytes | None:
        """Return the next frame written by the host, or None."""
        return self._inbox.pop(0) if self._inbox else None

    def send(self, frame: bytes) -> bool:
        """Notify one frame; False when there is no link to send on, or no place in the queue."""
        leave_s, loop = self._leave_s, self._air.loop
        now_s = loop.time()
        while leave_s and leave_s[0] <= now_s:
            leave_s.popleft()
        if self.session is None or len(leave_s) >= PLACES:
            return False
        leave_s.append(now_s + HOP_S[1])
        if len(leave_s) == PLACES:  # a program waiting for room polls every 20 ms
            loop.call_at(leave_s[0], self._wake)
        self._air.carry(frame, self.session.address, up=True, deliver=self.session.up)
        return True

    def drop(self) -> None:
        """Disconnect."""
        if self.session is not None:
            self.session.end()

    def open(self, session: Peer) -> None:
        """Start a session (called by the carrier when a central connects)."""
        self.session, self._inbox = session, []
        self.guests += 1
        self._wake()

    def close(self) -> None:
        """End the session (called by the session when the link is lost)."""
        self.session, self._inbox = None, []
        if self.advert is not None:
            self._air.hear(self, self.advert)
        self._wake()

    def put(self, frame: bytes) -> None:
        """Store a received frame (called by the session)."""
        if len(self._inbox) >= INBOX:
            self._inbox.pop(0)
        self._inbox.append(frame)
        self._wake()


class Session:
    """One connection; frames in transit when it ends are lost."""

    def __init__(self, carrier: PureCarrier, link: Linkable):
        self._carrier, self._link = carrier, link
        self.live = True

    @property
    def address(self) -> int:
        """The address of the board."""
        return self._link.address

    def up(self, frame: bytes) -> None:
        """Deliver a notified frame to the host."""
        if self.live:
            self._carrier.received(self._link.address, frame)

    def down(self, frame: bytes) -> None:
        """Deliver a written frame to the board."""
        if self.live:
            self._link.put(frame)

    def end(self) -> None:
        """Close the link and inform both ends."""
        if self.live:
            self.live = False
            self._link.close()
            self._carrier.gone(self._link.address)

    def fade(self, later: Later) -> None:
        """Drop the PC without a disconnect; ``later`` schedules what the board notices later."""
        if self.live:
            self.live = False
            later(self._left_by_the_pc)

    def _left_by_the_pc(self):
        if self._link.session is self:
            self._link.close()

    def vanish(self, later: Later) -> None:
        """Drop the board without a disconnect; ``later`` schedules what the PC notices later."""
        if self.live:
            self.live = False
            later(lambda: self._carrier.gone(self._link.address))


class PureCarrier:
    """Transfers frames between the air and the Collector.

    ``now_ms`` is the host's event clock. An adapter opens one connection at a time.
    """

    def __init__(self, air: PureAir, collector: Collector, now_ms: Callable[[], int]):
        self._air, self._collector, self._now_ms = air, collector, now_ms
        self._sessions: dict[int, Session] = {}
        self._waiting: list[int] = []
        self._connecting = 0
        self._pending = False
        self._ended: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None  # of the next poll
        self.frames_up = self.frames_down = 0

    async def run(self) -> None:
        """Listen and transfer frames until cancelled."""
        ended = self._ended = self._air.loop.create_future()
        self._air.listen(self._heard)
        self._turn()
        try:
            await ended
        finally:
            self._air.stop_listening(self._heard)
            if self._timer is not None:
                self._timer.cancel()

    def _turn(self):
        """Poll, and once more when the Collector says; an error ends ``run``."""
        assert self._ended is not None
        if self._ended.done():
            return
        now_ms = self._now_ms()
        try:
            self._act()
            pause_s = max(1, self._collector.due_ms(now_ms) - now_ms) / 1000
        except BaseException as error:
            self._ended.set_exception(error)
            return
        # a turn of the loop after the timer, as a sleeping task's
        self._timer = self._air.loop.call_later(pause_s, self._air.loop.call_soon, self._turn)

    def _soon(self):
        """Poll once for all that comes now; of several adapters, for all of one interval."""
        if not self._pending:
            self._pending = True
            if self._air.adapters > 1:
                self._air.loop.call_later(_INTERVAL_S, self._act)
            else:
                self._air.loop.call_soon(self._act)

    def _act(self):
        self._pending = False
        for action in self._collector.poll(self._now_ms()):
            address = int(action[1])
            if action[0] == "write":
                self._write(address, action[2])
            elif action[0] == "connect":
                self._queue(address)
            else:
                self._hang_up(address)

    def _heard(self, address, frame):
        now_ms = self._now_ms()
        self._collector.on_advert(str(address), frame, now_ms)
        if self._collector.has_work(now_ms):
            self._soon()

    def received(self, address: int, frame: bytes) -> None:
        """Pass a notified frame to the Collector."""
        self.frames_up += 1
        self._collector.on_notification(str(address), frame, self._now_ms())
        self._soon()

    def gone(self, address: int) -> None:
        """Tell the Collector that a session has ended."""
        self._sessions.pop(address, None)
        self._collector.on_disconnected(str(address))
        self._soon()

    def _queue(self, address):
        if address not in self._waiting:
            self._waiting.append(address)
            self._next()

    def _next(self):
        if self._connecting >= self._air.adapters or not self._waiting:
            return
        self._connecting += 1
        address, luck = self._waiting.pop(0), self._air.luck
        link = self._air.links[address]
        fails = luck.random() < self._air.loss or link.connected or not link.welcome
        delay_s = CONNECT_TIMEOUT_S if fails else luck.uniform(*CONNECT_S)
        self._air.loop.call_later(delay_s, self._settle, address, fails)

    def _settle(self, address, fails):
        self._connecting -= 1
        if fails:
            self._collector.on_disconnected(str(address))
        else:
            self._open(address)
        self._next()
        self._soon()

    def _open(self, address):
        air = self._air
        session = self._sessions[address] = Session(self, air.links[address])
        air.links[address].open(session)
        self._collector.on_connected(str(address))
        if air.luck.random() < air.loss / 2:
            air.loop.call_later(air.luck.uniform(0.1, 8.0), session.end)

    def _write(self, address, frame):
        session = self._sessions.get(address)
        if session is not None:
            self.frames_down += 1
            self._air.carry(frame, session.address, up=False, deliver=session.down)

    def _hang_up(self, address):
        session = self._sessions.get(address)
        if session is not None:
            session.end()
