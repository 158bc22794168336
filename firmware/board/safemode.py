"""``safemode.py`` of the drive: leaves safe mode by a reset, after a wait that doubles each time.

A watchdog reset with USB power or a hard fault ends in safe mode, where a table would stay dark.
The count lies in the last two bytes of the sleep memory and is cleared by a program that lives long
enough to write its heartbeat. It is written first: the watchdog of the program before may still
run, and could reset the board during the wait. It is armed again here, because only a program that
armed it can feed it; the longest wait is shorter than its 20 s. Safe mode by the button stays.
"""

import time

import alarm
import microcontroller
import supervisor
from watchdog import WatchDogMode

LIMIT_S = 20  # as firmware/board/chip.py
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
    assert dog is not None
    dog.timeout = LIMIT_S
    dog.mode = WatchDogMode.RESET
    time.sleep(1 << count)
    dog.feed()
    microcontroller.reset()
