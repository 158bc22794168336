"""Laid at the drive's root: out of safe mode by a reset, each time waiting twice as long.

A watchdog with USB power or a hard fault ends in safe mode, where a table would stay dark. The
count lies in the last two bytes of the sleep memory and is cleared by a program that lives long
enough to write its heartbeat. It is written first: the watchdog of the life before may still run,
and a bite would end the wait. Armed here it is fed, as only a program that has armed it can; the
longest wait is within its 20 s. Whoever asked for safe mode by the button keeps it: CircuitPython
does not run this then.
"""

import time

import alarm
import microcontroller
import supervisor
from watchdog import WatchDogMode

LIMIT_S = 20  # as firmware/board/watchdog.py
LONGEST = 4  # doublings: 16 s
COUNT = 255
CHECK = 254

if supervisor.runtime.safe_mode_reason != supervisor.SafeModeReason.USER:
    memory = alarm.sleep_memory
    count = memory[COUNT] if memory[COUNT] ^ memory[CHECK] == 0xFF else 0
    count = min(count, LONGEST)
    memory[COUNT] = min(count + 1, LONGEST)
    memory[CHECK] = memory[COUNT] ^ 0xFF
    dog = microcontroller.watchdog
    dog.timeout = LIMIT_S
    dog.mode = WatchDogMode.RESET
    time.sleep(1 << count)
    dog.feed()
    microcontroller.reset()
