"""``_bleio``'s local services over bumble's GATT server: Service, Characteristic, PacketBuffer."""

import collections

from bumble import att, gatt

from host.sim.bleio import names

_HEADER = 2  # bytes of length that each packet takes in the chip's ring
_WRITABLE = att.Attribute.Permissions.WRITEABLE
_READABLE = att.Attribute.Permissions.READABLE


class Service:
    """A service of the board whose program is running now."""

    remote = False

    def __init__(self, uuid, *, secondary=False):
        self.uuid, self.secondary, self.characteristics = uuid, secondary, ()
        self.adapter = names.running.get()
        self.adapter.services.append(self)


class Characteristic:
    """A characteristic of a local service, made by ``add_to_service``."""

    BROADCAST, READ, WRITE_NO_RESPONSE, WRITE, NOTIFY, INDICATE = 0x01, 0x02, 0x04, 0x08, 0x10, 0x20

    def __init__(self, service, uuid, properties, max_length, fixed_length, initial_value):
        self.service, self.uuid, self.properties = service, uuid, properties
        self.max_length, self._fixed_length = max_length, fixed_length
        self._value = bytes(initial_value or b"")
        self.watchers = []
        self.subscribers = {}
        permissions = _READABLE if properties & self.READ else _WRITABLE
        self.bumble = gatt.Characteristic(
            gatt.UUID(str(uuid)),
            gatt.Characteristic.Properties(properties),
            permissions,
            gatt.CharacteristicValue(read=lambda connection: self._value, write=self._written),
        )
        self.bumble.on(self.bumble.EVENT_SUBSCRIPTION, self._subscribed)

    @classmethod
    def add_to_service(
        cls, service, uuid, *, properties=0, read_perm=names.Attribute.OPEN,
        write_perm=names.Attribute.OPEN, max_length=20, fixed_length=False,
        initial_value=None, user_description=None,
    ):
        """Return a new characteristic of ``service``."""
        made = cls(service, uuid, properties, max_length, fixed_length, initial_value)
        service.characteristics += (made,)
        return made

    @property
    def value(self):
        """The local value; setting it notifies who has subscribed."""
        return bytearray(self._value)

    @value.setter
    def value(self, value):
        size = len(value)
        if size > self.max_length or (self._fixed_length and size != self.max_length):
            raise ValueError("value length")
        self._value = bytes(value)
        for connection in self.subscribers:
            self.service.adapter.notify(connection, self.bumble.handle, self._value)

    def _written(self, connection, value):
        if len(value) > self.max_length:
            raise att.ATT_Error(att.ATT_INVALID_ATTRIBUTE_LENGTH_ERROR, self.bumble.handle)
        self._value = bytes(value)
        live = self.service.adapter.holds(connection)  # bumble handles writes a little later
        for watcher in self.watchers:
            watcher.put(connection if live else None, self._value)
        self.service.adapter.wake()

    def _subscribed(self, connection, notify, indicate):
        notify = notify and self.service.adapter.holds(connection)
        if notify:
            self.subscribers[connection] = True
        else:
            self.subscribers.pop(connection, None)
        for watcher in self.watchers:
            watcher.subscribed(connection, notify)
        self.service.adapter.wake()

    def disconnected(self, connection):
        """Forget a connection that is gone."""
        self.subscribers.pop(connection, None)
        for watcher in self.watchers:
            watcher.subscribed(connection, False)


class PacketBuffer:
    """Packets written to a characteristic, or the way out of one, for one client at a time.

    A ring of ``buffer_size`` packets of the greatest length: a full one drops its oldest.
    """

    def __init__(self, characteristic, *, buffer_size, max_packet_size=None):
        self._characteristic = characteristic
        self._size = max_packet_size or characteristic.max_length
        self._room = buffer_size * (_HEADER + self._size)
        self._packets = collections.deque()
        self._client = None
        characteristic.watchers.append(self)

    def put(self, connection, packet):
        """Take a packet that ``connection`` wrote; None has just left."""
        if self._client is None:
            self._client = connection
        foreign = connection is not None and connection is not self._client
        if foreign or _HEADER + len(packet) > self._room:
            return
        while self._filled + _HEADER + len(packet) > self._room:
            self._packets.popleft()
        self._packets.append(packet)

    @property
    def _filled(self):
        return sum(_HEADER + len(packet) for packet in self._packets)

    def subscribed(self, connection, notify):
        """Follow who the client is."""
        if notify:
            self._client = connection
        elif connection is self._client:
            self._client = None

    @property
    def incoming_packet_length(self):
        """The longest packet a client may write."""
        return self._characteristic.max_length

    @property
    def outgoing_packet_length(self):
        """The longest packet that can be notified; None without a subscriber."""
        if self._client is None:
            return None
        return min(self._client.att_mtu - 3, self._size, self._characteristic.max_length)

    def readinto(self, buf):
        """Move the oldest packet into ``buf`` and return its length, 0 if there is none."""
        if not self._packets:
            return 0
        packet = self._packets.popleft()
        if self._packets:
            self._characteristic.service.adapter.wake_soon()
        if len(packet) > len(buf):
            raise ValueError(f"Buffer too short by {len(packet) - len(buf)} bytes")
        buf[: len(packet)] = packet
        return len(packet)

    def write(self, data, *, header=None):
        """Not here: on the chip it can wait for ever after a link that broke (see radio.link)."""
        raise NotImplementedError("notify by value")
