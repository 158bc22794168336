"""The panel of one chip: Blinka's ``displayio`` composes, and nothing comes out but by a refresh.

``BusDisplay.c``: with ``auto_refresh`` the background refreshes, otherwise the program does. At the end
of a VM a display goes back to the terminal and refreshes itself (``reset_busdisplay``); after a reset
only a board's own panel is there, until a program opens another.
"""

import functools

from host.boards.bringup.figures import refresh_us
from host.sim.chip.natives import module
from host.sim.panel import PanelBus, picture

# isort: split
# host.sim.panel comes first: it tames what follows
import bitmaptools
import busdisplay
import displayio
import fontio
import terminalio
import vectorio

from host.sim.chip import drawing

CLUE = "clue_nrf52840_express"
ROWS, COLUMN_PX, ROW_PX = 20, 6, 12
_INIT = b"\x01\x80\x96\x11\x80\x7d\x29\x80\x7d"


class Glass:
    """What a person sees: the terminal's text, or the picture last refreshed."""

    def __init__(self, display):
        self.display, self.on_terminal, self.drawn = display, True, False

    def image(self):
        """Return the picture (PIL, RGB)."""
        return picture(self.display.bus)

    @property
    def lit(self):
        """Whether there is anything to see."""
        return self.on_terminal or (self.drawn and self.image().getbbox() is not None)


class Display(busdisplay.BusDisplay):
    """A display of ``chip``, which a subclass names; opening it lights its terminal."""

    chip = terminal = None

    def __new__(cls, *arguments, **options):
        """Be on no shared list: that holds a few, and other chips have theirs."""
        made = super().__new__(cls, *arguments, **options)
        displayio.displays.remove(made)
        return made

    def __init__(self, bus, init_sequence, *, width, height, auto_refresh=True, **options):
        bus.fit(width, height)
        started, options["auto_refresh"] = busdisplay.time.sleep, False
        busdisplay.time.sleep = lambda seconds: self.chip.pass_us(round(seconds * 1_000_000))
        try:
            super().__init__(bus, init_sequence, width=width, height=height, **options)
        finally:
            busdisplay.time.sleep = started
        self.automatic = auto_refresh
        self._core.current_group, self.shown = None, self.terminal
        self.chip.glass = Glass(self)

    @property
    def auto_refresh(self):
        """Whether the background refreshes."""
        return self.automatic

    @auto_refresh.setter
    def auto_refresh(self, on):
        self.automatic = on

    @property
    def root_group(self):
        """What a refresh will show."""
        return self.shown

    @root_group.setter
    def root_group(self, group):
        if group is not self.terminal:
            self._set_root_group(group)
        self.shown = group

    def refresh(self, *, target_frames_per_second=None, minimum_frames_per_second=0):
        """Bring the picture out; blocks until it is."""
        self.chip.glass.on_terminal, self.chip.glass.drawn = self.shown is self.terminal, True
        sent = self.bus.bytes_sent
        if self.shown is not self.terminal:
            super().refresh()
        self.chip.spend(
            "refresh", refresh_us(self.chip.prices, self.bus.pixels(self.bus.bytes_sent - sent))
        )
        return True


class FourWire(PanelBus):
    """The bus to a wing's panel."""

    def __init__(
        self,
        chip,
        spi_bus,
        *,
        command,
        chip_select,
        reset=None,
        baudrate=24_000_000,
        polarity=0,
        phase=0,
    ):
        for pin in filter(None, (command, chip_select)):
            chip.pins.claim(pin)
        self._first_row = 80 if chip.board_id == CLUE else 0
        super().__init__(0, 0)

    def fit(self, width, height):
        """Be the bus of a panel of this size."""
        super().__init__(width, height, self._first_row)


def modules(chip):
    """Return ``displayio`` and its kin for one VM of ``chip``."""
    terminal = displayio.Group()
    made = type("BusDisplay", (Display,), {"chip": chip, "terminal": terminal})

    def release_displays():
        chip.glass = None
        for pin in ("D10", "D9"):
            chip.pins.free(pin)

    if chip.board_id == CLUE and chip.glass is None:
        bus = FourWire(chip, None, command=None, chip_select=None)
        made(bus, _INIT, width=240, height=240, rowstart=80)
    if chip.glass is not None:  # of before this VM
        chip.glass.display.shown, chip.glass.display.terminal = terminal, terminal
        chip.glass.display.automatic = True
    own = {"Group": displayio.Group, "ColorConverter": displayio.ColorConverter}
    own |= {kind.__name__: kind for kind in (drawing.Bitmap, drawing.Palette, drawing.TileGrid)}
    tools = {**vars(bitmaptools), "fill_region": drawing.fill_region, "readinto": drawing.readinto}
    return {
        "displayio": module("displayio", CIRCUITPYTHON_TERMINAL=terminal, release_displays=release_displays, **own),
        "busdisplay": module("busdisplay", BusDisplay=made),
        "fourwire": module("fourwire", FourWire=functools.partial(FourWire, chip)),
        "bitmaptools": module("bitmaptools", **tools), "fontio": fontio, "terminalio": terminalio, "vectorio": vectorio,
    }  # fmt: skip


def background(chip):
    """Refresh what refreshes itself."""
    glass = chip.glass
    if glass is not None and glass.display.automatic:
        glass.on_terminal, glass.drawn = True, True
