"""What the panel's terminal shows while the program does not run: service mode, and errors.

boot.py runs it in place of the program where CircuitPython is too old.
"""

import os
import sys
import time

import board
import displayio

from firmware.board import display, pins

OPEN = "Service mode: the drive is open. When the PC is done, eject it and press reset."
OLD = "PlusThree needs CircuitPython %d.%d.%d or newer. Install it, then press reset."

FAILED = (
    "PlusThree cannot start. It tries again by itself. If this stays: service mode, then plusthree"
    " deploy."
)


def _row():
    return pins.row(board.board_id, os.getenv("PLUSTHREE_BOARD"))


def _say(row, *lines):
    """Show ``lines`` on the panel of the pin table's ``row``, opened anew where it is a wing's."""
    panel = display.open_display(row[8], row[1][0], row[1][1], row[9])
    panel.root_group = displayio.CIRCUITPYTHON_TERMINAL
    panel.auto_refresh = True
    for line in lines:
        print(line)


def tell(error: BaseException) -> None:
    """Show what the program could not show itself."""
    _say(_row(), FAILED, type(error).__name__ + ":", *error.args)


def wait() -> None:
    """Show why the program does not run, and never return: a reset ends it."""
    row = _row()
    _say(row, OLD % row[10] if sys.implementation.version[:3] < row[10] else OPEN)
    while True:
        time.sleep(1)


if __name__ == "__main__":
    wait()
