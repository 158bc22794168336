"""Connections on the ether: how one is made, and what its events carry.

A connection request answers an advert on the same channel and may collide like one. Then both
radios meet once in ``INTERVAL_US``, on other channels, which foreign packets load as much. Packets
wait for these events, first in first out each way; what an event loses is sent again in the next.
Bluetooth Core 5.4, Vol 6 Part B 4.5.
"""

from __future__ import annotations

import collections
from asyncio import TimerHandle
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from firmware.core import frames
from host.sim.ether.ether import IFS_US, SENSITIVITY_DBM, Packet, data_us, level_dbm, request_us

if TYPE_CHECKING:
    from host.sim.ether.types import Station

INTERVAL_US = 30_000
EVENT_US = 2500  # of both radios' time, whether data waits or not
TIMEOUT_US = 4_000_000
_PACKETS = 4  # of each side in an event, fewer if they are longer than a frame
_ESTABLISHED = 6  # events without an answer end a new connection
_SLOT_US = 1250
HEADERS = 4 + 3  # bytes of L2CAP and ATT
_EMPTY, _FRAME = data_us(0), data_us(HEADERS + frames.SIZE)
_LONGEST_US = _PACKETS * 2 * (_FRAME + IFS_US)  # of an event


class Waiting(NamedTuple):
    """What waits for an event: its delivery, whether it is a notification, and its air time."""

    deliver: Callable[[], None]
    notifies: bool
    length_us: int


class Connection:
    """One link between ``central`` and ``peripheral``, with its first event at ``first_us``.

    ``ended`` has for each end what is called once, when that end learns that the link is gone.
    ``notified`` is what the central does with a notification.
    """

    def __init__(self, central: Station, peripheral: Station, first_us: int):
        self.ends = central, peripheral
        self.timeout_us = TIMEOUT_US
        self.ended: dict[Station, Callable[[], None]] = {}
        self.notified: Callable[[bytes], None] = lambda value: None
        self._first_us, self._good_us = first_us, first_us
        self._queues: dict[Station, collections.deque[Waiting]] = {}
        self._timer: TimerHandle | None = None
        self._ether = central.ether
        for end in self.ends:
            self._queues[end] = collections.deque()
            end.claims.append(self)

    def takes(self, start_us: int, end_us: int) -> bool:
        """Return whether an event needs the radio between ``start_us`` and ``end_us``."""
        if end_us <= self._first_us:
            return False
        since_event_us = (start_us - self._first_us) % INTERVAL_US
        reaches_next = since_event_us + (end_us - start_us) > INTERVAL_US
        return since_event_us < EVENT_US or reaches_next

    def holds(self, end: Station) -> bool:
        """Return whether the link exists as far as ``end`` knows."""
        return end in self._queues

    def waiting(self, end: Station) -> int:
        """Return how many notifications of ``end`` wait."""
        return sum(packet.notifies for packet in self._queues.get(end, ()))

    def send(
        self,
        end: Station,
        deliver: Callable[[], None],
        notifies: bool = False,
        size: int = frames.SIZE,
    ) -> None:
        """Send a packet of ``size`` bytes from ``end``; ``deliver`` is called when it arrives."""
        if self.holds(end):
            length_us = data_us(HEADERS + size)
            self._queues[end].append(Waiting(deliver, notifies, length_us))
            self._arm()

    def hang_up(self, end: Station) -> None:
        """Disconnect: both ends learn it when the other one has been told."""
        self.send(end, self._on_disconnected)

    def _on_disconnected(self):
        for end in self.ends:
            self._end(end)

    def vanish(self, end: Station) -> None:
        """``end`` is gone without a word; the other end learns it by its supervision time-out."""
        self._queues.pop(end, None)
        end.claims.remove(self)
        for other in list(self._queues):
            self._later(self.timeout_us, self._end, other)

    def _later(self, delay_us: int, call: Callable[[Station], None], end: Station) -> TimerHandle:
        return self._ether.loop.call_later(delay_us / 1_000_000, call, end)

    def _end(self, end: Station):
        if self._queues.pop(end, None) is not None:
            end.claims.remove(self)
            self.ended.get(end, lambda: None)()

    def _arm(self):
        """Set the timer of the next event, where none is set."""
        if self._timer is None:
            self._good_us = max(self._first_us, self._ether.now_us)
            self._set_timer()

    def _set_timer(self):
        """Set the timer of the next event: they are ``INTERVAL_US`` apart from the first on."""
        event = max(0, (self._ether.now_us - self._first_us) // INTERVAL_US + 1)
        when_us = self._first_us + event * INTERVAL_US
        self._timer = self._ether.loop.call_at(when_us / 1_000_000, self._event)

    def _event(self):
        """Exchange packets until one is lost; the next event tries it again."""
        self._timer = None
        if len(self._queues) < len(self.ends):
            return
        now_us, used_us = self._ether.now_us, 0
        due = {end: min(len(queue), _PACKETS) for end, queue in self._queues.items()}
        for place in range(max(due.values())):
            senders = [end for end in self.ends if due[end] > place and self._queues.get(end)]
            empty_us = (len(self.ends) - len(senders)) * _EMPTY
            length_us = empty_us + sum(self._queues[end][0].length_us for end in senders)
            used_us += length_us + 2 * IFS_US
            full = place > 0 and used_us > _LONGEST_US  # one packet each way always goes
            if full or not self._arrives(length_us + IFS_US):
                break
            self._good_us = now_us
            for end in senders:
                if self.holds(end):  # what arrived first may have ended the link
                    self._queues[end].popleft().deliver()
        if now_us - self._good_us > self.timeout_us:
            self._on_disconnected()
        elif any(self._queues.values()) and self._timer is None:
            self._set_timer()

    def _arrives(self, length_us: int) -> bool:
        """Draw whether one packet each way arrives, both together of this length."""
        central, peripheral = (end.spot for end in self.ends)
        heard_dbm = level_dbm(central, peripheral, self._ether.luck)
        return heard_dbm >= SENSITIVITY_DBM and self._ether.channels[0].foreign.clear(length_us)


class Initiation:
    """A central's attempt to connect to ``peer``: it waits for an advert and answers it.

    ``done`` gets the Connection, or None if the request was lost, which shows six events later.
    """

    def __init__(self, central: Station, peer: Station, done: Callable[[Connection | None], None]):
        self._central, self._peer, self._done = central, peer, done
        central.wanted = self

    def cancel(self) -> None:
        """Wait no more."""
        if self._central.wanted is self:
            self._central.wanted = None

    def heard(self, packet: Packet) -> None:
        """Answer ``packet`` if it is the advert that was waited for (called by the station)."""
        if packet.sender is not self._peer or not packet.connectable:
            return
        self.cancel()
        start_us = packet.end_us + IFS_US
        end_us = start_us + request_us()
        request = Packet(self._central, packet.channel, start_us, end_us, b"", connectable=False)
        self._central.ether.channels[packet.channel].add(request)
        self._central.ether.loop.call_at(end_us / 1_000_000, self._arrive, request)

    def _arrive(self, request: Packet):
        """Make the connection, if the peer has received the request."""
        peer = self._peer
        if self._received(request):
            peer.stop()
            connection = Connection(self._central, peer, self._first_us(request.end_us))
            peer.accept(connection)
            self._done(connection)
        else:
            lost_s = _ESTABLISHED * INTERVAL_US / 1_000_000
            self._central.ether.loop.call_later(lost_s, self._done, None)

    def _received(self, request: Packet) -> bool:
        """Return whether the peer still waits for a request and gets this one."""
        peer, channel = self._peer, self._central.ether.channels[request.channel]
        if not (peer.connectable and peer.advertising):
            return False
        if not peer.free(None, request.start_us, request.end_us):
            return False
        return channel.level(request, channel.overlapping(request), peer.spot) is not None

    def _first_us(self, from_us: int) -> int:
        """Return when events can begin that meet no other connection's at the central."""
        earliest_us = from_us + _SLOT_US
        for at_us in range(earliest_us, earliest_us + INTERVAL_US, _SLOT_US):
            if not any(claim.takes(at_us, at_us + EVENT_US) for claim in self._central.claims):
                return at_us
        return earliest_us
