"""The real board built, its program run, and what happens when that fails: the crash policy.

Apart from ``app``, so that a hall of virtual boards can be had without a board's parts.
"""

import gc
import sys
import traceback

from firmware.core import lives

_IDLE_MS = 10000


def main(make, poll_ms):
    """Run ``make(board, link, face, rules)`` on the real board, at least each ``poll_ms``.

    The way out is a reset, because ending would close files.
    """
    from firmware.ui import start

    board = opened()
    told = board.settings
    screens = start.face(board.display, board.panel, told["language"] if told else "en")
    gc.collect()
    try:
        if told is None:
            start.tell(screens)
            while True:
                board.clock.rest(_IDLE_MS)
        from firmware.radio import link

        rules = __import__("firmware.core.systems." + told["system"], None, None, ("NUMBER",))
        board.alive()  # from here on the watchdog runs
        run(make(board, link.opened(), screens, rules), poll_ms)
    except Exception as error:  # the one door: whatever it was, the table's journal is safe
        traceback.print_exception(error)
        start.tell(screens, error)
        board.heartbeat.write(lives.ended(board.heartbeat.read()))
        board.clock.rest(_IDLE_MS)
    finally:
        board.reset()


def opened():
    """Return the real board, its settings None where they are wrong; what checks them is let go of."""
    from firmware import core
    from firmware.board import hardware
    from firmware.core import settings

    def validated(raw):
        try:
            return settings.read(raw)
        except ValueError as error:
            print(error)  # names the setting, never its value

    board = hardware.Hardware(settings.names(), validated)
    del core.settings, sys.modules["firmware.core.settings"]
    return board


def run(program, poll_ms):
    """Run ``program`` for ever, rests of at most ``poll_ms``; raises what goes wrong in it."""
    clock = program.board.clock
    while True:
        left_ms = program.step() - clock.now_ms()
        if left_ms > 0:
            clock.rest(min(left_ms, poll_ms))
