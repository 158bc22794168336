"""The chip's modules that an interpreter on a PC lacks, for a recorded evening: small, and strict.

Each class stands in ``sys.modules`` in place of a module. What the program draws is checked by
others; here it is only kept, in bytes made at the start, so that the heap is the program's own.
"""

import sys

from radio import bleio

if hasattr(sys, "print_exception"):
    printer = sys
else:
    import traceback as printer


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
    board_id = "unexpectedmaker_feathers3"

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


class usb_cdc:
    console = data = None


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
    def delay_us(pause_us):
        """Let the keys be scanned: on the tape no time passes within a step."""

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


class traceback:
    printed = 0

    @staticmethod
    def print_exception(error):
        """Say what the program failed with; what comes after it is no evening any more."""
        traceback.printed += 1
        printer.print_exception(error)


MODULES = {
    "_bleio": bleio, "alarm": alarm, "analogio": analogio, "board": board, "busdisplay": busdisplay,
    "digitalio": digitalio, "fourwire": fourwire, "keypad": keypad,
    "microcontroller": microcontroller,
    "neopixel_write": neopixel_write, "pwmio": pwmio, "storage": storage, "supervisor": supervisor,
    "terminalio": terminalio, "traceback": traceback, "usb_cdc": usb_cdc, "watchdog": watchdog,
}  # fmt: skip
