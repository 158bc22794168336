"""Runs once, before USB: disables USB and gives the drive to the program.

If J (A on a board without J) is held while reset is pressed, the PC gets the drive. This is service
mode, in which the program does not run (``firmware/board/service.py``). A board whose CircuitPython
is too old enters it as well. A gateway keeps one serial line to its PC, and runs its own program.
Nothing is printed here: CircuitPython would write changed boot output to the drive.
"""

import os
import sys

import board
import digitalio
import microcontroller
import storage
import supervisor
import usb_cdc
import usb_hid
import usb_midi

# each board's key for service mode, the level while pressed, and the oldest CircuitPython
BOARDS = {
    "feather_nrf52840_express": ("A2", False, (10, 1, 0)),
    "clue_nrf52840_express": ("BUTTON_A", False, (10, 1, 0)),
    "unexpectedmaker_feathers3": ("A2", False, (10, 3, 1)),
    "lilygo_tdisplay_s3": ("BUTTON1", False, (10, 3, 1)),
}


def held(name: str, level: bool) -> bool:
    """Say whether the key on the pin ``name`` is down, which reads as ``level``."""
    key = digitalio.DigitalInOut(getattr(board, name))
    key.switch_to_input(digitalio.Pull.DOWN if level else digitalio.Pull.UP)
    down = key.value == level
    key.deinit()
    return down


def pressed_reset() -> bool:
    """Say whether a person or power-on started the board.

    After a software or watchdog reset, a player who happens to hold J does not want service mode.
    """
    reasons = microcontroller.ResetReason
    return microcontroller.cpu.reset_reason not in (reasons.SOFTWARE, reasons.WATCHDOG)


key, pressed, oldest = BOARDS[board.board_id]
supervisor.runtime.ble_workflow = False
supervisor.runtime.autoreload = False
usb_hid.disable()
usb_midi.disable()

if sys.implementation.version[:3] < oldest:
    supervisor.set_next_code_file("/firmware/board/service.py", sticky_on_reload=True)
elif not (pressed_reset() and held(key, pressed)):
    if os.getenv("PLUSTHREE_ROLE") == "gateway":
        # no console: it would take a byte of 3 for Ctrl-C (supervisor/shared/usb/usb.c)
        usb_cdc.enable(console=False, data=True)
        supervisor.set_next_code_file("/firmware/gateway/program.py", sticky_on_reload=True)
    else:
        usb_cdc.disable()
    storage.disable_usb_drive()
    storage.remount("/", readonly=False)
