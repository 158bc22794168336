"""What a board signals with beside its panel: the piezo buzzer and the bar of WS2812 pixels."""

import digitalio
import pwmio
from neopixel_write import neopixel_write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from microcontroller import Pin

_LOUD = 0x8000
_ORDER = (1, 0, 2)  # of colours on the wire: green first


class Buzzer:
    """Sounds until ``off``: whoever starts a tone ends it."""

    def __init__(self, pin: "Pin"):
        self._pwm = pwmio.PWMOut(pin, variable_frequency=True, frequency=440, duty_cycle=0)

    def tone(self, hz: int) -> None:
        """Start a tone of ``hz``, in place of the one before."""
        self._pwm.frequency = hz
        self._pwm.duty_cycle = _LOUD

    def off(self) -> None:
        """Stop the tone."""
        self._pwm.duty_cycle = 0


class Pixels:
    """``count`` pixels, all off at first, written through the native module. Eight white pixels at
    full power would draw 480 mA from the board's regulator, so every value is quartered here; what
    is not off stays lit.
    """

    def __init__(self, pin: "Pin", count: int):
        self.size = count
        self._pin = digitalio.DigitalInOut(pin)
        self._pin.direction = digitalio.Direction.OUTPUT
        self.show(b"")

    def show(self, colours: bytes | bytearray) -> None:
        """Show ``colours``: red, green, blue (0-255) a pixel; missing pixels are off."""
        wire = bytearray(3 * self.size)
        for i in range(min(len(wire), len(colours))):
            wire[i // 3 * 3 + _ORDER[i % 3]] = (colours[i] + 3) >> 2  # a quarter
        neopixel_write(self._pin, wire)
