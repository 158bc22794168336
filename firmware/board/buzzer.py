"""The piezo buzzer: one tone or none."""

import pwmio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from microcontroller import Pin

_LOUD = 0x8000


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
