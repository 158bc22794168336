"""How fast the machine is at the moment: a fixed loop of Python beside what is measured."""

import hashlib
import time

LOOPS = 300_000
QUIET_S = 0.06  # what the loop takes where the marks were set, with nobody beside it


def loop_s():
    """Return the seconds of CPU that dicts, tuples and digests take of a fixed number."""
    began_s, kept = time.process_time(), {}
    for i in range(LOOPS):
        kept[i & 1023] = i, i * 31
        if not i & 7:
            hashlib.sha256(b"x" * 55).digest()
    return time.process_time() - began_s


def spent_s(act):
    """Return what ``act()`` returns, and its seconds of CPU as on that machine in its quiet."""
    before_s, began_s = loop_s(), time.process_time()
    found = act()
    took_s = time.process_time() - began_s
    return found, took_s * 2 * QUIET_S / (before_s + loop_s())
