"""``_bleio``'s local GATT services: Service, Characteristic and PacketBuffer.

They do not depend on the radio: the adapter calls a characteristic for what its clients do, and
sends its notifications (``Radio``).
"""

from __future__ import annotations

import collections
import contextvars
from typing import Protocol

from bumble import device
from bumble import gatt as bumble_gatt

from host.sim.bleio import names
from host.sim.bleio.names import UUID

_HEADER = 2  # bytes of the length field before each packet in the chip's ring buffer
_NO_LINK = "No connection: length cannot be determined"


Client = device.Connection  # bumble's connection to a client


class Radio(Protocol):
    """The part of an adapter that characteristics use."""

    services: list[Service]

    def notify(self, bumble: Client, characteristic: Characteristic, value: bytes) -> None:
        """Queue a notification for one subscriber, or drop it where the queue is full."""
        ...

    def mtu(self, bumble: Client) -> int:
        """Return the MTU of a client's connection."""
        ...

    def wake_soon(self) -> None:
        """Schedule a wake-up of the program at its next poll of the radio."""
        ...


running: contextvars.ContextVar[Radio | None] = contextvars.ContextVar(
    "the adapter of the board whose program runs", default=None
)


class Service:
    """A service of the board whose program is running now; AttributeError outside ``within``."""

    remote = False

    def __init__(self, uuid: UUID, *, secondary: bool = False):
        self.uuid, self.secondary = uuid, secondary
        self.characteristics: tuple[Characteristic, ...] = ()
        adapter = running.get()
        if adapter is None:
            raise AttributeError("no board runs here: use host.sim.bleio.module.within")
        self.adapter: Radio = adapter
        adapter.services.append(self)


class Characteristic:
    """A characteristic of a local service, made by ``add_to_service``."""

    BROADCAST, READ, WRITE_NO_RESPONSE, WRITE, NOTIFY, INDICATE = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20

    def __init__(
        self,
        service: Service,
        uuid: UUID,
        properties: int,
        max_length: int,
        fixed_length: bool,
        initial_value: bytes | None,
    ):
        self.service, self.uuid, self.properties = service, uuid, properties
        self.max_length, self._fixed_length = max_length, fixed_length
        self._value = bytes(initial_value or b"")
        self.watchers: list[PacketBuffer] = []
        self.subscribers: dict[Client, bool] = {}
        self.handle: bumble_gatt.Characteristic[bytes] | None = None  # the adapter's own

    @classmethod
    def add_to_service(
        cls,
        service: Service,
        uuid: UUID,
        *,
        properties: int = 0,
        read_perm: int = names.Attribute.OPEN,
        write_perm: int = names.Attribute.OPEN,
        max_length: int = 20,
        fixed_length: bool = False,
        initial_value: bytes | None = None,
        user_description: str | None = None,
    ) -> Characteristic:
        """Return a new characteristic of ``service``; ValueError: ``max_length`` is over 512."""
        if not 0 <= max_length <= 512:
            raise ValueError("max_length must be 0-512 when fixed_length is False")
        made = cls(service, uuid, properties, max_length, fixed_length, initial_value)
        service.characteristics += (made,)
        return made

    @property
    def value(self) -> bytearray:
        """The local value; setting it notifies all subscribers. ValueError for a wrong length."""
        return bytearray(self._value)

    @value.setter
    def value(self, value: bytes) -> None:
        self._check(len(value))
        self._value = bytes(value)
        for client in list(self.subscribers):
            self.service.adapter.notify(client, self, self._value)

    def _check(self, size):
        if self._fixed_length and size != self.max_length:
            raise ValueError("Value length != required fixed length")
        if size > self.max_length:
            raise ValueError("Value length > max_length")

    def written(self, client: Client, value: bytes) -> None:
        """Store ``value``, which a client wrote, and pass it to the packet buffers."""
        self._value = value
        for watcher in self.watchers:
            watcher.put(client, value)

    def subscribed(self, client: Client, notify: bool) -> None:
        """Note that a client subscribed (``notify``) or unsubscribed."""
        if notify:
            self.subscribers[client] = True
        else:
            self.subscribers.pop(client, None)
        for watcher in self.watchers:
            watcher.subscribed(client, notify)

    def elsewhere(self, client: Client, on: bool) -> None:
        """Note that a client subscribed (``on``) to another characteristic, or unsubscribed."""
        for watcher in self.watchers:
            watcher.subscribed(client, on)

    def disconnected(self, client: Client) -> None:
        """Note that a client has disconnected."""
        self.subscribers.pop(client, None)
        for watcher in self.watchers:
            watcher.disconnected(client)


class PacketBuffer:
    """The packets that one client at a time writes to a characteristic, or its notifications.

    A ring buffer with room for ``buffer_size`` packets of the greatest length (bytes); when full it
    drops the oldest packets. ValueError for a size below 1.
    """

    def __init__(
        self,
        characteristic: Characteristic,
        *,
        buffer_size: int,
        max_packet_size: int | None = None,
    ):
        if buffer_size < 1 or max_packet_size is not None and max_packet_size < 1:
            raise ValueError("buffer_size must be >= 1")
        self._characteristic = characteristic
        self._size = max_packet_size or characteristic.max_length
        self._room = buffer_size * (_HEADER + self._size)
        self._packets: collections.deque[bytes] = collections.deque()
        self._client: Client | None = None
        characteristic.watchers.append(self)

    def deinit(self) -> None:
        """Take no more packets."""
        self._client, watchers = None, self._characteristic.watchers
        self._packets.clear()
        if self in watchers:
            watchers.remove(self)

    def put(self, client: Client, packet: bytes) -> None:
        """Append a packet that ``client`` wrote; another client's packet is dropped, and so is one
        from before its subscription (PacketBuffer.c:27).
        """
        if client is not self._client or _HEADER + len(packet) > self._room:
            return
        while self._filled + _HEADER + len(packet) > self._room:
            self._packets.popleft()
        self._packets.append(packet)

    @property
    def _filled(self):
        return sum(_HEADER + len(packet) for packet in self._packets)

    def subscribed(self, client: Client, notify: bool) -> None:
        """Set or clear the client; the first subscriber stays it (PacketBuffer.c:140)."""
        if self._client in (None, client):
            self._client = client if notify else None

    def disconnected(self, client: Client) -> None:
        """Clear the client if it is the one that disconnected."""
        if client is self._client:
            self._client = None

    @property
    def incoming_packet_length(self) -> int:
        """The length in bytes of the longest packet a client may write."""
        return self._characteristic.max_length

    @property
    def outgoing_packet_length(self) -> int:
        """The bytes that one notification can carry; ValueError while nobody has subscribed."""
        if self._client is None:
            raise ValueError(_NO_LINK)
        mtu = self._characteristic.service.adapter.mtu(self._client)
        return min(mtu - 3, self._size, self._characteristic.max_length)

    def readinto(self, buf: bytearray) -> int:
        """Move the oldest packet into ``buf`` and return its length, 0 if there is none.

        ValueError when ``buf`` is shorter than the packet, which is then lost.
        """
        if not self._packets:
            return 0
        packet = self._packets.popleft()
        if self._packets:
            self._characteristic.service.adapter.wake_soon()
        if len(packet) > len(buf):
            raise ValueError(f"Buffer too short by {len(packet) - len(buf)} bytes")
        buf[: len(packet)] = packet
        return len(packet)

    def write(self, data: bytes, *, header: bytes | None = None) -> int:
        """Raise NotImplementedError: on the chip it can block for ever once a link is lost.

        The firmware notifies by setting a characteristic's value (see radio.link).
        """
        raise NotImplementedError("notify by value")
