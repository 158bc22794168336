"""``_bleio`` for a recorded evening: one guest, whose coming and going the tape tells."""


class BluetoothError(Exception):
    pass


class _UUID:
    def __init__(self, value):
        self.uuid128 = bytes(16)
        self.size = 128 if isinstance(value, str) else 16

    def pack_into(self, buffer, offset=0):
        pass


class _Service:
    def __init__(self, uuid, *, secondary=False):
        self.uuid, self.remote, self.characteristics = uuid, False, ()


class _Characteristic:
    BROADCAST, INDICATE, NOTIFY, READ, WRITE, WRITE_NO_RESPONSE = 1, 2, 4, 8, 16, 32

    def __init__(self, service):
        self.service, self.properties = service, 0

    @classmethod
    def add_to_service(cls, service, uuid, **options):
        return cls(service)

    def set_cccd(self, **options):
        pass

    @property
    def value(self):
        return b""

    @value.setter
    def value(self, frame):
        if not bleio.adapter.connected:
            raise BluetoothError("Not connected")


class _PacketBuffer:
    """Raises where nobody is there, as the chip's does (shared-bindings/_bleio/PacketBuffer.c)."""

    def __init__(self, characteristic, *, buffer_size, max_packet_size=None):
        pass

    @property
    def outgoing_packet_length(self):
        if not bleio.length[0]:
            raise ValueError("No connection: length cannot be determined")
        return bleio.length[0]

    incoming_packet_length = outgoing_packet_length

    def readinto(self, buffer):
        if not bleio.inbox:
            return 0
        buffer[:] = bleio.inbox.pop(0)
        return len(buffer)


class _Connection:
    connected, paired = True, False

    def disconnect(self):
        """What the recorded guest does next says when it is gone."""


class _Adapter:
    class address:
        address_bytes = bytes(6)

    enabled, advertising, connected, connections = True, False, False, ()

    def start_advertising(self, data, **options):
        if self.advertising:
            raise BluetoothError("Already advertising.")
        self.advertising = True

    def stop_advertising(self):
        self.advertising = False

    def erase_bonding(self):
        pass


class bleio:
    BluetoothError, UUID, Service, Characteristic = BluetoothError, _UUID, _Service, _Characteristic
    PacketBuffer, Connection, adapter, inbox = _PacketBuffer, _Connection, _Adapter(), []
    _peer, length = (_Connection(),), [0]

    class ConnectionError(BluetoothError):
        pass

    class RoleError(BluetoothError):
        pass

    class SecurityError(BluetoothError):
        pass

    class Attribute:
        NO_ACCESS = OPEN = ENCRYPT_NO_MITM = ENCRYPT_WITH_MITM = 0
        LESC_ENCRYPT_WITH_MITM = SIGNED_NO_MITM = SIGNED_WITH_MITM = 0

    @staticmethod
    def open():
        """A host connects and subscribes; that ends the advert."""
        bleio.adapter.connected, bleio.adapter.connections = True, bleio._peer
        bleio.adapter.advertising = False
        bleio.inbox.clear()

    @staticmethod
    def close():
        """The link has gone."""
        bleio.adapter.connected, bleio.adapter.connections = False, ()
        bleio.length[0] = 0
        bleio.inbox.clear()
