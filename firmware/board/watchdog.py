"""The chip's watchdog in RESET mode: a program that stops coming on is reset, and resumes.

The time must outlast the longest wait of a healthy step: a notification to a host that vanished
blocks for 4 s, and a journal that is full of a long match takes some seconds to read at boot.
"""

import alarm
import microcontroller
import supervisor
from watchdog import WatchDogMode

_LIMIT_S = 20
_BORN = (
    240  # of the sleep memory: the ticks of a life's first whole step, for ``plusthree bringup``
)
_UNBORN = 244  # 1 until then


def feed():
    """Arm the watchdog at first, then put it off; nothing ever disarms it."""
    dog = microcontroller.watchdog
    memory = alarm.sleep_memory
    if dog.mode != WatchDogMode.RESET:
        dog.timeout = _LIMIT_S
        dog.mode = WatchDogMode.RESET
        memory[_UNBORN] = 1
    elif memory[_UNBORN] == 1:
        memory[_BORN : _BORN + 4] = supervisor.ticks_ms().to_bytes(4, "little")
        memory[_UNBORN] = 0
    dog.feed()
