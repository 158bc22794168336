"""The bar of WS2812 pixels, written through the native module: green first, never too bright.

Eight white pixels at full power would draw 480 mA from the board's regulator, so every value is
quartered here; what is not off stays lit.
"""

import digitalio
from neopixel_write import neopixel_write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from microcontroller import Pin

_ORDER = (1, 0, 2)


class Pixels:
    """``count`` pixels, all off at first."""

    def __init__(self, pin: "Pin", count: int):
        self.size = count
        self._pin = digitalio.DigitalInOut(pin)
        self._pin.direction = digitalio.Direction.OUTPUT
        self._wire = bytearray(3 * count)
        neopixel_write(self._pin, self._wire)

    def show(self, colours: bytes | bytearray) -> None:
        """Show ``colours``: red, green, blue (0-255) a pixel; missing pixels are off."""
        wire = self._wire
        for i in range(len(wire)):
            at = i // 3 * 3 + _ORDER[i % 3]
            wire[i] = (colours[at] + 3) >> 2 if at < len(colours) else 0
        neopixel_write(self._pin, wire)
