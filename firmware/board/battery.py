"""The battery's charge from its voltage, which the board divides before it measures it."""

import analogio

TYPE_CHECKING = False
if TYPE_CHECKING:
    from microcontroller import Pin

# a lithium cell at rest, from 3300 mV in steps of 100 mV: percent left
_CURVE = b"\x00\x02\x05\x08\x0d\x1e\x37\x46\x50\x5d\x64"
_EMPTY_MV = 3300


def percent_of(millivolts: int) -> int:
    """Return 0-100 for a lithium cell of ``millivolts``, straight between the curve's points."""
    above = millivolts - _EMPTY_MV
    if above < 0:
        return 0
    step = above // 100
    if step >= len(_CURVE) - 1:
        return _CURVE[-1]
    low = _CURVE[step]
    return low + (_CURVE[step + 1] - low) * (above % 100) // 100


class Battery:
    """A gauge on ``pin``; without one (None) the charge is unknown, never full. ``full_mv`` is the
    cell's voltage that would read 65535.
    """

    def __init__(self, pin: "Pin | None", full_mv: int = 0):
        self._input = analogio.AnalogIn(pin) if pin else None
        self._full_mv = full_mv

    @property
    def percent(self) -> int | None:
        """The charge, 0-100, or None where nobody can tell."""
        if self._input is None:
            return None
        return percent_of(self._input.value * self._full_mv // 65535)
