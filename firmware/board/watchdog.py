"""The chip's watchdog in RESET mode: a program that hangs is reset, and resumes.

Its time must be longer than the longest wait of a healthy step: a notification to a host that
vanished blocks for 4 s, and a journal full of a long match takes some seconds to read at boot.
"""

import alarm
import microcontroller
import supervisor
from watchdog import WatchDogMode

_LIMIT_S = 20
# of the sleep memory: the ticks of the first whole step since the reset, for
# ``plusthree board bringup``
_BORN = 240
_UNBORN = 244  # 1 until then


def feed() -> None:
    """Arm the watchdog at the first call, feed it at each; nothing ever disarms it."""
    dog = microcontroller.watchdog
    assert dog is not None
    memory = alarm.sleep_memory
    if dog.mode != WatchDogMode.RESET:
        dog.timeout = _LIMIT_S
        dog.mode = WatchDogMode.RESET
        memory[_UNBORN] = 1
    elif memory[_UNBORN] == 1:
        memory[_BORN : _BORN + 4] = supervisor.ticks_ms().to_bytes(4, "little")
        memory[_UNBORN] = 0
    dog.feed()
