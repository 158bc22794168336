"""What the panel's terminal shows while the program does not run: service mode, and errors.

boot.py runs it in place of the program where CircuitPython is too old, or the board too small.
"""

import os
import sys
import time

import board

from firmware.board import display, pins

OPEN = "Service mode: the drive is open. When the PC is done, eject it and press reset."
OLD = "PlusThree needs CircuitPython %d.%d.%d or newer. Install it, then press reset."
OTHER = (
    "A PlusThree table needs a FeatherS3 or a T-Display-S3, with its PSRAM. A Feather nRF52840 can"
    " be a gateway: plusthree board provision --gateway."
)

FAILED = (
    "PlusThree cannot start. It tries again by itself. If this stays: service mode, then plusthree"
    " deploy."
)


def _say(*lines):
    """Show ``lines`` on the panel, opened anew where it is a wing's."""
    display.open_terminal(pins.row(board.board_id, os.getenv("PLUSTHREE_BOARD")))
    for line in lines:
        print(line)


def tell(error: BaseException) -> None:
    """Show what the program could not show itself."""
    _say(FAILED, type(error).__name__ + ":", *error.args)


def _why():
    if sys.implementation.version[:3] < pins.OLDEST:
        return OLD % pins.OLDEST
    if board.board_id not in pins.BOARDS:
        return OTHER
    if os.getenv("PLUSTHREE_ROLE") != "gateway" and not roomy():
        return OTHER
    return OPEN


def roomy() -> bool:
    """Return whether the board has the memory that a table needs."""
    try:
        import espidf
    except ImportError:  # no ESP32
        return False
    return bool(espidf.get_total_psram())


def wait() -> None:
    """Show why the program does not run, and never return: a reset ends it."""
    why = _why()
    if board.board_id in pins.BOARDS:
        _say(why)
    else:
        print(why)  # on its own panel, if it has one
    while True:
        time.sleep(1)


if __name__ == "__main__":
    wait()
