"""The piezo: one tone or none."""

import pwmio

_LOUD = 0x8000


class Buzzer:
    """Sounds until told otherwise; whoever starts a tone ends it."""

    def __init__(self, pin):
        self._pwm = pwmio.PWMOut(pin, variable_frequency=True, frequency=440, duty_cycle=0)

    def tone(self, hz):
        """Begin a tone of ``hz``, in place of the one before."""
        self._pwm.frequency = hz
        self._pwm.duty_cycle = _LOUD

    def off(self):
        """Fall silent."""
        self._pwm.duty_cycle = 0
