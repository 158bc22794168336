"""The chip's modules that an interpreter on a PC lacks, for a recorded evening: those of
``tests/support/modules``, and what an evening needs of them beside.

Each stands in ``sys.modules``, in place of a native one, too. What the program draws is checked by
others; here it is only kept, in bytes made at the start, so that the heap is the program's own.
"""

import sys

import alarm
import analogio
import busdisplay
import digitalio
import fourwire
import keypad
import microcontroller
import neopixel_write
import pwmio
import storage
import terminalio
import watchdog
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
        return (supervisor._BASE + uptime_ms) & (1 << 29) - 1

    @staticmethod
    def ticks_ms():
        """Return the counter; it begins at the base, as the uptime does at 0."""
        if not supervisor.asked[0]:
            supervisor.asked[0] = True
            return supervisor._BASE
        return supervisor.ticks(supervisor.now[0])


class _Pins:
    board_id = "unexpectedmaker_feathers3"

    def __getattr__(self, name):
        return microcontroller.Pin()

    def SPI(self):
        return microcontroller.Pin()


class usb_cdc:
    console = data = None


def _delay_us(pause_us):
    """Let the keys be scanned: on the tape no time passes within a step."""


def _reset():
    """Leave the program."""
    raise SystemExit("reset")


microcontroller.delay_us, microcontroller.reset = _delay_us, _reset


class traceback:
    printed = 0

    @staticmethod
    def print_exception(error):
        """Say what the program failed with; what comes after it is no evening any more."""
        traceback.printed += 1
        printer.print_exception(error)


MODULES = {
    "_bleio": bleio, "alarm": alarm, "analogio": analogio, "board": _Pins(),
    "busdisplay": busdisplay, "digitalio": digitalio, "fourwire": fourwire, "keypad": keypad,
    "microcontroller": microcontroller, "neopixel_write": neopixel_write, "pwmio": pwmio,
    "storage": storage, "supervisor": supervisor, "terminalio": terminalio,
    "traceback": traceback, "usb_cdc": usb_cdc, "watchdog": watchdog,
}  # fmt: skip
