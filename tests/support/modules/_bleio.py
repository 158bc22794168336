class BluetoothError(Exception):
    pass


class ConnectionError(BluetoothError):
    pass


class RoleError(BluetoothError):
    pass


class SecurityError(BluetoothError):
    pass


class UUID:
    def __init__(self, value):
        self.uuid128 = bytes(16)
        self.size = 128 if isinstance(value, str) else 16

    def pack_into(self, buffer, offset=0):
        pass


class Attribute:
    NO_ACCESS = OPEN = ENCRYPT_NO_MITM = ENCRYPT_WITH_MITM = 0
    LESC_ENCRYPT_WITH_MITM = SIGNED_NO_MITM = SIGNED_WITH_MITM = 0


class Service:
    def __init__(self, uuid, *, secondary=False):
        self.uuid, self.remote, self.characteristics = uuid, False, ()


class Characteristic:
    BROADCAST, INDICATE, NOTIFY, READ, WRITE, WRITE_NO_RESPONSE = 1, 2, 4, 8, 16, 32

    def __init__(self, service):
        self.service, self.value, self.properties = service, b"", 0

    @classmethod
    def add_to_service(
        cls,
        service,
        uuid,
        *,
        properties=0,
        read_perm=0,
        write_perm=0,
        max_length=20,
        fixed_length=False,
        initial_value=None,
        user_description=None,
    ):
        return cls(service)

    def set_cccd(self, **options):
        pass


inbox = []  # packets that a host wrote


class PacketBuffer:
    def __init__(self, characteristic, *, buffer_size, max_packet_size=None):
        self.packets = bytearray(buffer_size * (max_packet_size or 20))
        self.incoming_packet_length = 24

    @property
    def outgoing_packet_length(self):
        if not adapter.connected:
            raise ValueError("No connection: length cannot be determined")
        return 24

    def readinto(self, buffer):
        if not inbox:
            return 0
        buffer[:] = inbox.pop(0)
        return len(buffer)

    def write(self, data, *, header=None):
        return len(data)

    def deinit(self):
        pass


class Connection:
    connected, paired = True, False

    def disconnect(self):
        adapter.host = False


class Address:
    address_bytes = bytes(6)


adverts = []  # frames of a beacon that a scan is to hear


class Entry:
    def __init__(self, frame):
        self.advertisement_bytes = b"\x1e\xff\xff\xff" + frame


class Adapter:
    address = Address()
    name, enabled, advertising = "", True, False
    host = False  # a host that writes is there, has subscribed, and takes whole frames
    held = (Connection(),)

    @property
    def connected(self):
        self.host = self.host or bool(inbox)
        return self.host

    @property
    def connections(self):
        return self.held if self.connected else ()

    def erase_bonding(self):
        pass

    def start_advertising(self, data, **options):
        self.data, self.advertising = data, True

    def stop_advertising(self):
        self.advertising = False

    def start_scan(self, prefixes=b"", **options):
        self.advertising = False
        return self.heard()

    def heard(self):
        while adverts:
            yield Entry(adverts.pop(0))

    def stop_scan(self):
        pass


adapter = Adapter()
