"""Runs once, before USB: closes every door but the radio, and gives the drive to the program.

With J held (on a CLUE: A) it leaves the drive to the PC instead: the service mode, in which the
program does not run (``firmware/board/service.py``). On a CircuitPython older than 10.1 likewise.
Prints nothing: what a boot prints is written to the drive when it differs from the last time.
"""

import sys

import board
import digitalio
import storage
import supervisor
import usb_cdc
import usb_hid
import usb_midi

OLDEST = (10, 1)
# the key of the service mode and what it reads while pressed
SERVICE_KEYS = {
    "feather_nrf52840_express": ("A2", False),
    "clue_nrf52840_express": ("BUTTON_A", False),
    "adafruit_feather_esp32s3_reverse_tft": ("D2", True),
}


def held(name, level):
    """Say whether the key on the pin ``name`` is down; it reads ``level`` then."""
    key = digitalio.DigitalInOut(getattr(board, name))
    key.switch_to_input(digitalio.Pull.DOWN if level else digitalio.Pull.UP)
    down = key.value == level
    key.deinit()
    return down


supervisor.runtime.ble_workflow = False
supervisor.runtime.autoreload = False
usb_hid.disable()
usb_midi.disable()

if sys.implementation.version[:2] < OLDEST:
    supervisor.set_next_code_file("/firmware/board/service.py", sticky_on_reload=True)
elif not held(*SERVICE_KEYS[board.board_id]):
    usb_cdc.disable()
    storage.disable_usb_drive()
    storage.remount("/", readonly=False)
