"""The chip's modules that an interpreter on a PC lacks, for a recorded evening: small, and strict.

Each class stands in ``sys.modules`` in place of a module. What the program draws is checked by
others; here it is only kept, in bytes made at the start, so that the heap is the program's own.
"""


class supervisor:
    """Ticks: the recorded uptime, from a base so that they wrap in the evening's second minute."""

    _BASE = (1 << 29) - 65000
    now = [0]
    asked = [False]

    class runtime:
        ble_workflow = autoreload = serial_connected = usb_connected = False

    @staticmethod
    def ticks(uptime_ms):
        """Return what the counter shows at an uptime."""
        return (supervisor._BASE + uptime_ms) & (1 << 29) - 1

    @staticmethod
    def ticks_ms():
        """Return the counter; it begins at the base, as the uptime does at 0."""
        if not supervisor.asked[0]:
            supervisor.asked[0] = True
            return supervisor._BASE
        return supervisor.ticks(supervisor.now[0])


class _Pin:
    pass


class _Pins:
    board_id = "feather_nrf52840_express"

    def __getattr__(self, name):
        return _Pin()

    def SPI(self):
        return _Pin()


board = _Pins()


class BusDisplay:
    """A panel that keeps what it was given; ``refresh`` counts the pictures."""

    def __init__(self, display_bus, init_sequence, *, width, height, rotation=0, **options):
        self.width, self.height, self.rotation = width, height, rotation
        self.root_group, self.refreshed = None, 0
        self.auto_refresh = options.get("auto_refresh", True)

    def refresh(self, *, target_frames_per_second=None, minimum_frames_per_second=0):
        """Send the picture."""
        self.refreshed += 1
        return True


class busdisplay:
    BusDisplay = BusDisplay


class _Wires:
    def __init__(self, *pins, **options):
        pass

    def reset(self):
        pass

    def send(self, command, data, **options):
        pass


class fourwire:
    FourWire = _Wires


class _DigitalInOut:
    direction = value = pull = None

    def __init__(self, pin):
        pass

    def switch_to_input(self, pull=None):
        self.value = True

    def switch_to_output(self, value=False):
        self.value = value

    def deinit(self):
        pass


class digitalio:
    DigitalInOut = _DigitalInOut

    class Direction:
        OUTPUT, INPUT = 1, 0

    class Pull:
        UP, DOWN = 1, 2


class _AnalogIn:
    value = 40000

    def __init__(self, pin):
        pass


class analogio:
    AnalogIn = _AnalogIn


class _PWMOut:
    duty_cycle, frequency = 0, 440

    def __init__(self, pin, *, variable_frequency=False, frequency=500, duty_cycle=0):
        pass


class pwmio:
    PWMOut = _PWMOut


class neopixel_write:
    @staticmethod
    def neopixel_write(pin, wire):
        """Light the pixels."""


class terminalio:
    FONT = None


class storage:
    class _Mount:
        readonly = False

    @staticmethod
    def getmount(path):
        return storage._Mount


class alarm:
    sleep_memory = bytearray(256)


class watchdog:
    class WatchDogMode:
        RAISE, RESET = 1, 2


class _Dog:
    mode, timeout, fed = None, 0, 0

    def feed(self):
        self.fed += 1


class microcontroller:
    watchdog = _Dog()

    class ResetReason:
        POWER_ON, BROWNOUT, SOFTWARE, DEEP_SLEEP_ALARM = 0, 1, 2, 3
        RESET_PIN, WATCHDOG, UNKNOWN, RESCUE_DEBUG = 4, 5, 6, 7

    class cpu:
        reset_reason = 0

    @staticmethod
    def reset():
        """Leave the program."""
        raise SystemExit("reset")


class _Event:
    key_number, pressed, timestamp = 0, True, 0


class _Queue(list):
    overflowed = False

    def get_into(self, event):
        if not self:
            return False
        event.key_number, event.pressed, event.timestamp = self.pop(0)
        return True


class _Keys:
    def __init__(self, pins, **options):
        self.events = _Queue()
        keypad.queues.append(self.events)


class keypad:
    Event, Keys, queues = _Event, _Keys, []


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


MODULES = {
    "_bleio": bleio, "alarm": alarm, "analogio": analogio, "board": board, "busdisplay": busdisplay,
    "digitalio": digitalio, "fourwire": fourwire, "keypad": keypad, "microcontroller": microcontroller,
    "neopixel_write": neopixel_write, "pwmio": pwmio, "storage": storage, "supervisor": supervisor,
    "terminalio": terminalio, "watchdog": watchdog,
}  # fmt: skip
