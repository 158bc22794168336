"""The board port that the program is written against (see App), made of this board's real parts."""

import os

import board
import microcontroller
import storage
import supervisor

from firmware.board import battery, chip, clock, display, keys, pins, signals, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.board.types import Pin, Store, Validate


def pin(name: str) -> "Pin":
    """Return the pin called ``name``."""
    return getattr(board, name)


class Hardware:
    """Everything below the program, opened once; the model is told by the board itself.

    ``names`` are the settings to read from settings.toml, ``validate`` turns the dict of them
    into ``settings`` (its errors are the caller's). KeyError: not one of our boards. OSError: no
    journal files, so the board was never deployed to. While the drive belongs to a PC this never
    returns (``service``).
    """

    store: "Store"

    def __init__(self, names: "Iterable[str]", validate: "Validate"):
        if storage.getmount("/").readonly:
            from firmware.board import service

            service.wait()
        self.settings = validate({name: os.getenv(name) for name in names})
        row = pins.row(board.board_id, self.settings and self.settings["board"])
        self.model, self.keys_count = row.model, len(row.keys)
        self.panel = "%dx%d" % row.panel
        self.display = display.open_display(row)
        self.clock = clock.Clock(supervisor.ticks_ms)
        self.keys = keys.Keys([pin(name) for name in row.keys], row.levels, self.clock)
        self.sound = signals.Buzzer(pin(row.buzzer))
        self.leds = signals.Pixels(pin(row.bar), row.pixels)
        gauge, full_mv = row.gauge or (None, 0)
        self.battery = battery.Battery(gauge and pin(gauge), full_mv)
        self.heartbeat = chip.Heartbeat()
        self.heap = chip.Heap()
        self.entropy = os.urandom  # the chip's own generator, while the radio is on
        self.alive, self.reset = chip.feed, microcontroller.reset
        self.store = store.Store()
