"""The board port that the program is written against (see App), made of this board's real parts."""

import os
import sys

import board
import storage
import supervisor

from firmware.board import (
    battery,
    buzzer,
    clock,
    entropy,
    heartbeat,
    keys,
    pixels,
    store,
    watchdog,
)  # fmt: skip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware.board.types import Pin, Row, Store, Validate

# loaded for a draft, as long as it runs, for lines about the past, for what is taken back ...
LATE = (
    "firmware.ui.conductor", "firmware.core.draft", "firmware.ui.recall", "firmware.ui.pressed",
    "firmware.ui.rolled", "firmware.core.judging", "firmware.core.standing",
    "firmware.core.takeback", "firmware.core.unjudged", "firmware.core.anchor",
    "firmware.core.announced", "firmware.core.code", "firmware.core.talk",
)  # fmt: skip

_DRIVERS = ("adafruit_ili9341", "adafruit_hx8357")


def pin(name: str) -> "Pin":
    """Return the pin called ``name``."""
    return getattr(board, name)


def _row(told: str | None) -> "Row":
    """Return this board's row of the pin table, which is let go of (1.4 KB)."""
    from firmware import board as parts
    from firmware.board import pins

    row = pins.row(board.board_id, told)
    del parts.pins, sys.modules["firmware.board.pins"]  # pyright: ignore[reportAttributeAccessIssue]  (its import put it there)
    return row


def _display(wires, width, height, turned):
    """Return the panel; what opens it is let go of, and the driver's module with its commands."""
    from firmware import board as parts
    from firmware.board import display

    opened = display.open_display(wires, width, height, turned)
    del parts.display, sys.modules["firmware.board.display"]  # pyright: ignore[reportAttributeAccessIssue]  (its import put it there)
    if wires and sys.implementation.name != "cpython":  # there many boards share it
        type(opened).__init__ = None  # pyright: ignore[reportAttributeAccessIssue]  (as ``launch.let_go``)
    for name in _DRIVERS:
        if name in sys.modules:
            del sys.modules[name]
    return opened


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
        row = _row(self.settings and self.settings["board"])
        (
            self.model, (width, height), key_names, levels, buzzer_pin, bar, count,
            gauge, wires, turned, _, silent, _,
        ) = row  # fmt: skip
        self.panel = f"{width}x{height}"
        self.keys_count = len(key_names)
        self.display = _display(wires, width, height, turned)
        self.clock = clock.Clock(supervisor.ticks_ms)
        self.keys = keys.Keys([pin(name) for name in key_names], levels, self.clock)
        self.sound = buzzer.Buzzer(pin(buzzer_pin))
        self.leds = pixels.Pixels(pin(bar), count)
        self.battery = battery.Battery(pin(gauge[0]), gauge[1]) if gauge else battery.Battery(None)
        self.heartbeat = heartbeat.Heartbeat()
        self.entropy = entropy.entropy
        self.alive = watchdog.feed
        if silent:
            from firmware.board import checked

            self.store = checked.Store()
        else:
            self.store = store.Store()

    def unload(self) -> None:
        """Let go of what was loaded for a moment; it loads again when asked for."""
        for name in LATE:
            if name in sys.modules:
                package, _, last = name.rpartition(".")
                delattr(sys.modules[package], last)
                del sys.modules[name]
