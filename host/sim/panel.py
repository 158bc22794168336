"""An emulated panel for the real ``displayio``: it makes a picture of the driver's bytes."""

from __future__ import annotations

import contextlib
import importlib
import io
import threading
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import ModuleType, SimpleNamespace

from PIL import Image

from host.sim import spans

_COLUMNS, _ROWS, _WRITE = 0x2A, 0x2B, 0x2C
# ST7789 as CircuitPython starts a T-Display-S3's: reset, wake, 16 bit, inverted, normal, columns
# and rows swapped, on
_ST7789_WIDE = (
    b"\x01\x80\x96\x11\x80\xff\x3a\x81\x55\x0a\x21\x80\x0a\x13\x80\x0a\x36\x01\x60\x29\x80\xff"
)


@contextlib.contextmanager
def _replaced(holder, name, value):
    before = getattr(holder, name)
    setattr(holder, name, value)
    try:
        yield
    finally:
        setattr(holder, name, before)


def load_displayio() -> ModuleType:
    """Import Blinka's ``displayio`` without starting its refresh thread, and return it."""
    with (
        _replaced(threading.Thread, "start", lambda thread: None),
        contextlib.redirect_stdout(io.StringIO()),  # Blinka warns that a PC is no board
    ):
        importlib.import_module("busdisplay")
        blinka = importlib.import_module("displayio")
    blinka._stop_background()  # where somebody imported it before us
    names = "bitmaptools", "displayio._tilegrid", "vectorio._vectorshape"
    tools, tilegrid, vectorshape = map(importlib.import_module, names)
    spans.install(tools, tilegrid, vectorshape)
    vectorshape._VectorShape._consume_dirty_areas = _consume_dirty_areas
    blinka.TileGrid._finish_refresh = _finish_refresh
    return blinka


def _consume_dirty_areas(shape) -> bool:
    """Take the changes that a shape noted since the last refresh; return whether there are any.

    When a shape moves and changes its colour, Blinka's own sends the box around its old and new
    place; ``VectorShape.c`` (common_hal_vectorio_vector_shape_set_dirty) only cleans up the old.
    """
    noted, here, left = (
        shape._pending_dirty_areas, shape._refresh_current_area, shape._ephemeral_dirty_area,
    )  # fmt: skip
    left.x1 = left.x2  # empty
    changed = bool(noted)
    while noted:
        area = noted.popleft()
        if area != here:
            here.union(left, left)
            area.copy_into(here)
    return changed


def _finish_refresh(grid) -> None:
    """Note that a grid is drawn, as ``TileGrid.c`` (displayio_tilegrid_finish_refresh) does.

    Blinka's own does not note a grid's new place after a whole refresh, so that a grid which moved
    and is hidden next stays on the panel.
    """
    first, hidden = grid._previous_area.empty(), grid._hidden_tilegrid or grid._hidden_by_parent
    if hidden and not first:
        grid._previous_area.x2 = grid._previous_area.x1
    elif grid._moved or first:
        grid._current_area.copy_into(grid._previous_area)
    grid._moved = grid._full_change = grid._partial_change = False
    for drawn in (grid._pixel_shader, grid._bitmap):
        if hasattr(drawn, "_finish_refresh"):
            drawn._finish_refresh()


_BLINKA = load_displayio()

import busdisplay  # noqa: E402  (only after displayio, see above)
import displayio  # noqa: E402, F401
import fourwire  # noqa: E402
import vectorio  # noqa: E402, F401  (under Blinka only after displayio)

# What a driver waits while a panel opens. It hangs on the thread or greenlet that opens it: a
# patched time.sleep stayed patched where a chip was abandoned in the middle, for the whole process.
_wait: ContextVar[Callable[[float], object]] = ContextVar("wait", default=lambda seconds: None)
_time = SimpleNamespace(monotonic=time.monotonic, sleep=lambda seconds: _wait.get()(seconds))
setattr(busdisplay, "time", _time)  # noqa: B010  the stubs know the board's module
# Blinka keeps one list of at most one display for the whole process; a hall has hundreds
setattr(_BLINKA, "allocate_display", lambda display: None)  # noqa: B010  the same

_COMMAND = importlib.import_module("displayio._constants").DISPLAY_COMMAND


@contextlib.contextmanager
def driver_sleeps(sleep: Callable[[float], object]) -> Iterator[None]:
    """In this block a display driver sleeps by ``sleep(seconds)``; outside it not at all."""
    before = _wait.set(sleep)
    try:
        yield
    finally:
        _wait.reset(before)


class PanelBus(fourwire.FourWire):
    """The bus of one panel: keeps an RGB565 frame, and counts the bytes and the pixels sent."""

    def __init__(self, width_px: int, height_px: int, first_row: int = 0):
        # deliberately not super().__init__: there is no pin and no SPI to open
        self.width_px, self.height_px, self._first_row = width_px, height_px, first_row
        self.frame = bytearray(2 * width_px * height_px)
        self.bytes_sent = self.pixels_sent = 0
        self._command, self._open = 0, False
        self._area = [0, width_px - 1, 0, height_px - 1]
        self._written_bytes = 0  # of the area

    def reset(self) -> None:
        """Do nothing: there is no reset line."""

    def _release(self):
        self._open = False

    def _free(self):
        return not self._open

    def _begin_transaction(self):
        if self._open:
            return False
        self._open = True
        return True

    def _end_transaction(self):
        self._open = False

    def _send(self, data_type, chip_select, data):
        """Process a command or its data, as the panel's controller does."""
        self.bytes_sent += len(data)
        if data_type == _COMMAND:
            self._command, self._written_bytes = data[0], 0
        elif self._command == _WRITE:
            self._paint(bytes(data))
        elif self._command in (_COLUMNS, _ROWS):
            at = 2 * (self._command - _COLUMNS)
            self._area[at] = data[0] << 8 | data[1]
            self._area[at + 1] = data[2] << 8 | data[3]

    def _paint(self, pixels):
        """Write pixels to the frame, from where the area is written, in its rows."""
        self.pixels_sent += len(pixels) // 2
        left, right, top, _ = self._area
        row_bytes = 2 * (right - left + 1)
        while pixels:
            row, column = divmod(self._written_bytes, row_bytes)
            part = pixels[: row_bytes - column]
            start = 2 * ((top - self._first_row + row) * self.width_px + left) + column
            self.frame[start : start + len(part)] = part
            self._written_bytes += len(part)
            pixels = pixels[len(part) :]


def _feather(bus):
    import adafruit_ili9341

    return adafruit_ili9341.ILI9341(bus, width=320, height=240, auto_refresh=False)


def _lilygo(bus):
    return busdisplay.BusDisplay(
        bus, _ST7789_WIDE, width=320, height=170, rowstart=35, auto_refresh=False
    )


def _wide(bus):
    import adafruit_hx8357

    return adafruit_hx8357.HX8357(bus, width=480, height=320, auto_refresh=False)


# where the glass does not begin with the chip's memory: its first row
_DRIVERS = {
    "320x240": (320, 240, 0, _feather),
    "480x320": (480, 320, 0, _wide),
    "320x170": (320, 170, 35, _lilygo),
}


class Panel:
    """One board's panel: ``display`` for the firmware, ``image`` for everybody else."""

    def __init__(self, panel: str):
        width_px, height_px, first_row, driver = _DRIVERS[panel]
        self.bus = PanelBus(width_px, height_px, first_row)
        self.display = driver(self.bus)

    def image(self) -> Image.Image:
        """Return the picture (PIL, RGB) of the program's last refresh."""
        return picture(self.bus)


# What each byte of RGB565 gives to red, green and blue, widened to eight bits by its own upper bits
_RED = bytes((high & 0xF8) | high >> 5 for high in range(256))
_GREEN_HIGH = bytes((high & 7) << 5 | (high & 7) >> 1 for high in range(256))
_GREEN_LOW = bytes((low >> 5) << 2 for low in range(256))
_BLUE = bytes((low & 31) << 3 | (low & 31) >> 2 for low in range(256))


def picture(bus: PanelBus) -> Image.Image:
    """Return the bus's frame as a PIL image, RGB565 widened as a panel shows it."""
    high, low = bytes(bus.frame[0::2]), bytes(bus.frame[1::2])
    green = int.from_bytes(high.translate(_GREEN_HIGH), "little") | int.from_bytes(
        low.translate(_GREEN_LOW), "little"
    )
    bands = high.translate(_RED), green.to_bytes(len(high), "little"), low.translate(_BLUE)
    size = bus.width_px, bus.height_px
    return Image.merge("RGB", [Image.frombytes("L", size, band) for band in bands])
