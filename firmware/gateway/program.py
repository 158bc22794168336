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
_CLEAR = "\x1b[2J"  # and the cursor at its start (shared-module/terminalio/Terminal.c)
# what the panel says; the terminal's font has no letter with an accent
_WORDS = {
    "en": ("PlusThree: gateway", "PC: there", "PC: not there", "%d adverts a second", "lost: %d"),
    "it": ("PlusThree: gateway", "PC: presente", "PC: assente", "%d annunci al secondo",
           "persi: %d"),
}  # fmt: skip


def main() -> None:
    """Relay for ever; raises what goes wrong."""
    from firmware.board import display, pins
    from firmware.core import usb
    from firmware.gateway import relay

    display.open_terminal(pins.row(board.board_id, os.getenv("PLUSTHREE_BOARD")))
    port = usb_cdc.data
    assert port is not None, "boot.py opens it"
    program = relay.Relay(_bleio.adapter, port, supervisor.ticks_ms)
    heard, since_ms = 0, supervisor.ticks_ms()
    shown = says(attended=False, rate=0, lost=0)
    print(_CLEAR + shown)
    dog = microcontroller.watchdog
    assert dog is not None
    while True:
        dog.feed()
        program.step()
        passed_ms = usb.since_ms(supervisor.ticks_ms(), since_ms)
        if passed_ms < _SECOND_MS:
            continue
        rate = (program.heard - heard) * 1000 // passed_ms
        heard, since_ms = program.heard, supervisor.ticks_ms()
        status = says(program.attended, rate, program.lost)
        if status != shown:
            shown = status
            print(_CLEAR + shown)


def says(attended: bool, rate: int, lost: int) -> str:
    """Return whether the PC is there, adverts a second, and those lost since the start."""
    words = _WORDS.get(os.getenv("PLUSTHREE_LANGUAGE") or "en", _WORDS["en"])
    title, there, gone, heard, losses = words
    lines = [title, there if attended else gone, heard % rate]
    if lost:
        lines.append(losses % lost)
    return "\n".join(lines)


def show(error: Exception) -> None:
    """Show the error on the panel for some seconds, if the files that this needs are intact."""
    traceback.print_exception(error)
    try:
        from firmware.board import service

        service.tell(error)
    except Exception as why:
        traceback.print_exception(why)
    time.sleep(_SHOWN_S)


if __name__ == "__main__":
    watchdog = microcontroller.watchdog  # nothing ever disarms it
    assert watchdog is not None
    watchdog.timeout = _LIMIT_S
    watchdog.mode = WatchDogMode.RESET
    try:
        main()
    except Exception as error:
        show(error)
    microcontroller.reset()
