"""The board port that the program is written against (see App), made of this board's real parts."""

import os

import board
import microcontroller
import storage
import supervisor

from firmware.board import battery, checked, chip, clock, display, keys, pins, signals

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
        (
            self.model, (width, height), key_names, levels, buzzer_pin, bar, count,
            gauge, wires, turned, _,
        ) = pins.row(board.board_id, self.settings and self.settings["board"])  # fmt: skip
        self.panel = f"{width}x{height}"
        self.keys_count = len(key_names)
        self.display = display.open_display(wires, width, height, turned)
        self.clock = clock.Clock(supervisor.ticks_ms)
        self.keys = keys.Keys([pin(name) for name in key_names], levels, self.clock)
        self.sound = signals.Buzzer(pin(buzzer_pin))
        self.leds = signals.Pixels(pin(bar), count)
        self.battery = battery.Battery(pin(gauge[0]), gauge[1]) if gauge else battery.Battery(None)
        self.heartbeat = chip.Heartbeat()
        self.heap = chip.Heap()
        self.entropy = os.urandom  # the chip's own generator, while the radio is on
        self.alive, self.reset = chip.feed, microcontroller.reset
        self.store = checked.Store()
