"""The panel of one chip: Blinka's ``displayio`` composes, and only a refresh sends to the panel.

As in ``BusDisplay.c``: with ``auto_refresh`` the background task refreshes, otherwise the program
does. At the end of a VM a display shows the terminal again and refreshes itself
(``reset_busdisplay``). After a reset only a built-in panel exists, until a program opens another.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from PIL.Image import Image

from host.boards.bringup.figures import refresh_us
from host.sim import prices
from host.sim.chip.natives import module
from host.sim.panel import PanelBus, driver_sleeps, picture

# isort: split
# host.sim.panel comes first: it patches the modules imported below
import bitmaptools
import busdisplay
import displayio
import fontio
import terminalio
import vectorio

from host.sim.chip import drawing

if TYPE_CHECKING:
    from host.sim.chip.types import Chip, Modules

BUILT_IN = {"lilygo_tdisplay_s3": (320, 170, 35)}  # width, height, first row
_INIT = b"\x01\x80\x96\x11\x80\x7d\x29\x80\x7d"


class Glass:
    """The panel's content: the terminal's text or the picture of the last refresh."""

    def __init__(self, display: Display):
        self.display, self.on_terminal, self.drawn = display, True, False

    def image(self) -> Image:
        """Return the picture (PIL, RGB)."""
        return picture(self.display.wire)

    @property
    def lit(self) -> bool:
        """Whether it shows the terminal or a picture with any pixel lit."""
        return self.on_terminal or (self.drawn and self.image().getbbox() is not None)


class Display(busdisplay.BusDisplay):
    """A BusDisplay of ``chip``, which a subclass sets; a new one shows the terminal."""

    chip: Chip
    terminal: displayio.Group
    shown: displayio.Group | None

    def __init__(
        self, bus: FourWire, init_sequence: bytes, *, width: int, height: int, rotation: int=0,
        rowstart: int=0, auto_refresh: bool=True,
    ):  # fmt: skip
        bus.fit(width, height)
        self.wire = bus
        with driver_sleeps(lambda seconds: self.chip.pass_us(round(seconds * 1_000_000))):
            super().__init__(
                bus, init_sequence, width=width, height=height, rotation=rotation,
                rowstart=rowstart, auto_refresh=False,
            )  # fmt: skip
        self.automatic = auto_refresh
        vars(self)["_core"].current_group = None
        self.shown = self.terminal
        self.glass = self.chip.glass = Glass(self)

    @property
    def auto_refresh(self) -> bool:
        """Whether the background task refreshes the display."""
        return self.automatic

    @auto_refresh.setter
    def auto_refresh(self, on: bool) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]  Blinka has a property, too
        self.automatic = on

    @property
    def root_group(self) -> displayio.Group | None:
        """The group that the next refresh shows."""
        return self.shown

    @root_group.setter
    def root_group(self, group: displayio.Group) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]  as above
        if group is not self.terminal:
            self._set_root_group(group)  # pyright: ignore[reportAttributeAccessIssue]  Blinka's own, the stubs know the board's
        self.shown = group

    @property
    def rotation(self) -> int:
        """By how many degrees the picture is turned."""
        return self._core.rotation  # pyright: ignore[reportAttributeAccessIssue]  Blinka's own, the stubs know the board's

    @rotation.setter
    def rotation(self, degrees: int) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]  Blinka has a property, too
        busdisplay.BusDisplay.rotation.fset(self, degrees)  # pyright: ignore[reportAttributeAccessIssue]  as above
        # The terminal starts anew: it looks for two settings and twice for a font (display.c:103)
        self.chip.pay("fat_open_us", 4)
        self.chip.pay("flash_read_us", 2)

    def refresh(
        self, *, target_frames_per_second: int | None = None, minimum_frames_per_second: int = 0
    ) -> bool:
        """Send the picture to the panel, charging the time that takes; always True."""
        self.glass.on_terminal, self.glass.drawn = self.shown is self.terminal, True
        sent = self.wire.pixels_sent
        if self.shown is not self.terminal:
            with prices.uncounted():  # it is C on a chip
                super().refresh()
        self.chip.spend("refresh", refresh_us(self.chip.prices, self.wire.pixels_sent - sent))
        self.chip.note("picture")
        return True


class FourWire(PanelBus):
    """The bus to a wing's panel."""

    def __init__(
        self, chip: Chip, spi_bus: str | None, *, command: str | None, chip_select: str | None,
        reset: str | None=None, baudrate: int=24_000_000, polarity: int=0, phase: int=0,
    ):  # fmt: skip
        for pin in filter(None, (command, chip_select)):
            chip.pins.claim(pin)
        _, _, self._top_row = BUILT_IN.get(chip.board_id, (0, 0, 0))
        super().__init__(0, 0)

    def fit(self, width: int, height: int) -> None:
        """Set the panel's size in pixels."""
        super().__init__(width, height, self._top_row)


def modules(chip: Chip) -> Modules:
    """Return ``displayio`` and the related modules for one VM of ``chip``."""
    terminal = displayio.Group()
    made = type("BusDisplay", (Display,), {"chip": chip, "terminal": terminal})

    def release_displays():
        chip.glass = None
        for pin in ("D10", "D9"):
            chip.pins.free(pin)

    if chip.board_id in BUILT_IN and chip.glass is None:
        width, height, first = BUILT_IN[chip.board_id]
        bus = FourWire(chip, None, command=None, chip_select=None)
        made(bus, _INIT, width=width, height=height, rowstart=first)
    if chip.glass is not None:  # a display opened before this VM started
        chip.glass.display.shown, chip.glass.display.terminal = terminal, terminal
        chip.glass.display.automatic = True
    own = {"Group": displayio.Group, "ColorConverter": displayio.ColorConverter}
    own |= {kind.__name__: kind for kind in (drawing.Bitmap, drawing.Palette, drawing.TileGrid)}
    tools = {**vars(bitmaptools), "readinto": drawing.readinto}
    return {
        "displayio": module("displayio", CIRCUITPYTHON_TERMINAL=terminal,
                            release_displays=release_displays, **own),
        "busdisplay": module("busdisplay", BusDisplay=made),
        "fourwire": module("fourwire", FourWire=functools.partial(FourWire, chip)),
        "bitmaptools": module("bitmaptools", **tools), "fontio": fontio, "terminalio": terminalio,
        "vectorio": vectorio,
    }  # fmt: skip


def background(chip: Chip) -> None:
    """Do the background task's refresh of a display with ``auto_refresh``."""
    glass = chip.glass
    if glass is not None and glass.display.automatic:
        glass.on_terminal, glass.drawn = True, True
