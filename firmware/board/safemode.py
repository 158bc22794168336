"""Laid at the drive's root: out of safe mode by a reset, each time waiting twice as long.

A brown-out, a watchdog or a hard fault ends in safe mode, where a table would stay dark. The
count lies in the last two bytes of the sleep memory and is cleared by a program that lives long
enough to write its heartbeat. Whoever asked for safe mode by the button keeps it.
"""

import time

import alarm
import microcontroller
import supervisor

LONGEST_S = 64
COUNT = 255
CHECK = 254

if supervisor.runtime.safe_mode_reason != supervisor.SafeModeReason.USER:
    memory = alarm.sleep_memory
    count = memory[COUNT] if memory[COUNT] ^ memory[CHECK] == 0xFF else 0
    time.sleep(min(1 << count, LONGEST_S))
    memory[COUNT] = min(count + 1, 6)
    memory[CHECK] = memory[COUNT] ^ 0xFF
    microcontroller.reset()
