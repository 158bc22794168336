"""What the board does while its drive belongs to the PC: says so, and nothing else.

Run in place of the program where CircuitPython is too old for it (see boot.py).
"""

import os
import sys
import time

import board

from firmware.board import display, pins

OPEN = "Service mode: the drive is open. When the PC is done, eject it and press reset."
OLD = "PlusThree needs CircuitPython %d.%d.%d or newer. Install it, then press reset."


def wait():
    """Show the reason on the panel's terminal for good; only a reset goes on from here."""
    row = pins.row(board.board_id, os.getenv("PLUSTHREE_BOARD"))
    panel = display.open_display(row[8], row[1][0], row[1][1], row[9])
    panel.auto_refresh = True
    print(OLD % row[10] if sys.implementation.version[:3] < row[10] else OPEN)
    while True:
        time.sleep(1)


if __name__ == "__main__":
    wait()
