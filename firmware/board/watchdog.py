"""The chip's watchdog in RESET mode: a program that stops coming on is reset, and resumes.

The time must outlast the longest wait of a healthy step: a notification to a host that vanished
blocks for 4 s, and a journal that is full of a long match takes some seconds to read at boot.
"""

import microcontroller
from watchdog import WatchDogMode

_LIMIT_S = 20


def feed():
    """Arm the watchdog at first, then put it off; nothing ever disarms it."""
    dog = microcontroller.watchdog
    if dog.mode != WatchDogMode.RESET:
        dog.timeout = _LIMIT_S
        dog.mode = WatchDogMode.RESET
    dog.feed()
