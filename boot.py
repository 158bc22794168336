"""Runs once, before USB: disables USB and gives the drive to the program.

If J (A on a board without J) is held while reset is pressed, the PC gets the drive. This is service
mode, in which the program does not run (``firmware/board/service.py``). A board that cannot run it,
or whose CircuitPython is too old, enters it as well. A gateway keeps one serial line to its PC, and
runs its own program. Nothing is printed here: CircuitPython would write changed boot output to the
drive.
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

OLDEST = (10, 3, 1)  # CircuitPython, as in firmware/board/pins.py
# each board's key for service mode; pressed, it reads low
BOARDS = {
    "feather_nrf52840_express": "A2",
    "unexpectedmaker_feathers3": "A2",
    "lilygo_tdisplay_s3": "BUTTON1",
}


def held(name: str) -> bool:
    """Say whether the key on the pin ``name`` is down."""
    key = digitalio.DigitalInOut(getattr(board, name))
    key.switch_to_input(digitalio.Pull.UP)
    down = not key.value
    key.deinit()
    return down


def roomy() -> bool:
    """Say whether the board has the memory that a table needs."""
    try:
        import espidf
    except ImportError:  # no ESP32
        return False
    return bool(espidf.get_total_psram())


def pressed_reset() -> bool:
    """Say whether a person or power-on started the board.

    After a software or watchdog reset, a player who happens to hold J does not want service mode.
    """
    reasons = microcontroller.ResetReason
    return microcontroller.cpu.reset_reason not in (reasons.SOFTWARE, reasons.WATCHDOG)


key, gateway = BOARDS.get(board.board_id), os.getenv("PLUSTHREE_ROLE") == "gateway"
supervisor.runtime.ble_workflow = False
supervisor.runtime.autoreload = False
usb_hid.disable()
usb_midi.disable()

if sys.implementation.version[:3] < OLDEST or key is None or not (gateway or roomy()):
    supervisor.set_next_code_file("/firmware/board/service.py", sticky_on_reload=True)
elif not (pressed_reset() and held(key)):
    if gateway:
        # no console: it would take a byte of 3 for Ctrl-C (supervisor/shared/usb/usb.c)
        usb_cdc.enable(console=False, data=True)
        supervisor.set_next_code_file("/firmware/gateway/program.py", sticky_on_reload=True)
    else:
        usb_cdc.disable()
    storage.disable_usb_drive()
    storage.remount("/", readonly=False)
