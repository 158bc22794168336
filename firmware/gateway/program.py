"""A gateway's program: ``boot.py`` has it run in place of ``code.py`` if the settings say so.

A gateway keeps nothing and proves nothing, so whatever goes wrong is shown for some seconds and
ends in a reset; a program that hangs is reset by the watchdog. Nothing of this folder is loaded on
a table.
"""

import os
import time
import traceback

import _bleio
import board
import microcontroller
import supervisor
import usb_cdc
from watchdog import WatchDogMode

_LIMIT_S = 20  # as in firmware/board/chip.py
_SHOWN_S = 5
_SECOND_MS = 1000


def main() -> None:
    """Relay for ever; raises what goes wrong."""
    from firmware.board import display, pins
    from firmware.core import usb
    from firmware.gateway import relay, sign

    row = pins.row(board.board_id, os.getenv("PLUSTHREE_BOARD"))
    panel = display.open_display(row[8], row[1][0], row[1][1], row[9])
    shown = sign.Sign(panel, os.getenv("PLUSTHREE_LANGUAGE") or "en")
    port = usb_cdc.data
    assert port is not None, "boot.py opens it"
    program = relay.Relay(_bleio.adapter, port, supervisor.ticks_ms)
    heard, told = 0, supervisor.ticks_ms()
    shown.show(False, 0, 0)
    dog = microcontroller.watchdog
    assert dog is not None
    while True:
        dog.feed()
        program.step()
        passed_ms = usb.since_ms(supervisor.ticks_ms(), told)
        if passed_ms >= _SECOND_MS:
            shown.show(program.attended, (program.heard - heard) * 1000 // passed_ms, program.lost)
            heard, told = program.heard, supervisor.ticks_ms()


def show(error: Exception) -> None:
    """Show the error on the panel for some seconds, if the files that this needs are intact."""
    traceback.print_exception(error)
    try:
        from firmware.board import service

        service.tell(error)
    except Exception as why:
        traceback.print_exception(why)
    time.sleep(_SHOWN_S)


def arm() -> None:
    """Arm the watchdog; nothing ever disarms it."""
    dog = microcontroller.watchdog
    assert dog is not None
    dog.timeout = _LIMIT_S
    dog.mode = WatchDogMode.RESET


if __name__ == "__main__":
    arm()
    try:
        main()
    except Exception as error:
        show(error)
    microcontroller.reset()
