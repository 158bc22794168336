"""A display as the surface of a canvas: labels, boxes and digits of displayio."""

from collections import namedtuple

import bitmaptools
from adafruit_display_text.bitmap_label import Label
from displayio import Bitmap, Group, Palette, TileGrid
from vectorio import Rectangle

from firmware.ui import colours
from firmware.ui.digits import Digits
from firmware.ui.font import Font

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Display, FontFile

Glyph = namedtuple("Glyph", "bitmap tile_index width height dx dy shift_x shift_y")


class Letters(Font):
    """A bitmap font for ``adafruit_display_text``: letters are read as they are needed."""

    def __init__(self, file: "FontFile"):
        super().__init__(file)
        self._glyphs: "dict[int, Glyph]" = {}

    def get_bounding_box(self) -> "tuple[int, int]":
        """Return the size of the largest letter."""
        return 8 * self._row_bytes, self.height

    def get_glyph(self, code: int) -> "Glyph":
        """Return a code point's glyph; a question mark where the font has none."""
        glyph = self._glyphs.get(code)
        if glyph is None:
            bitmap, width = Bitmap(8 * self._row_bytes, self.height, 2), self._seek(code)
            bitmaptools.readinto(
                bitmap, self._file, bits_per_pixel=1, reverse_pixels_in_element=True
            )
            glyph = Glyph(bitmap, 0, width, self.height, 0, -self.descent, width, 0)
            self._glyphs[code] = glyph
        return glyph


class TileDigits(Digits):
    """Digits that are a tile each."""

    def __init__(self, font: "Letters", turned: bool):
        self.group, self._ink = Group(), Palette(2)
        self._ink.make_transparent(0)
        super().__init__(font, turned, font.get_bounding_box()[0])

    def _grid(self):
        grid = TileGrid(self._font.get_glyph(ord("0")).bitmap, pixel_shader=self._ink)
        grid.flip_x = grid.flip_y = self._turned
        self.group.append(grid)
        return grid

    def _dot(self):
        dot = Rectangle(pixel_shader=self._ink, width=1, height=1, x=0, y=0)
        dot.color_index = 1
        self.group.append(dot)
        return dot

    def _set(self, grid, digit):
        grid.bitmap = self._font.get_glyph(ord(digit)).bitmap

    def _paint(self, colour):
        self._ink[1] = colour


class DisplayioSurface:
    """Shows on a ``display`` what a canvas makes here."""

    font = Letters

    def __init__(self, display: "Display"):
        self._display, self._upright = display, display.rotation
        self._inks = Palette(len(colours.ALL))
        for number in range(len(colours.ALL)):
            self._inks[number] = colours.ALL[number]
        self._ground, self._patches, self._labels = Group(), Group(), Group()
        self._group = display.root_group = Group()
        for layer in (self._ground, self._patches, self._labels):
            self._group.append(layer)

    def box(self, x: int, y: int, width: int, height: int, over: bool) -> "Rectangle":
        """Return a new box above the ones before; ``over``: above all digits, too."""
        made = Rectangle(pixel_shader=self._inks, width=width, height=height, x=x, y=y)
        (self._patches if over else self._ground).append(made)
        return made

    def digits(self, font: "Letters", turned: bool) -> "TileDigits":
        """Return new digits, all hidden, above the boxes made so far."""
        made = TileDigits(font, turned)
        self._ground.append(made.group)
        return made

    def label(self, font: "Letters", turned: bool) -> "Label":
        """Return a new label above all else; its y is the line's base."""
        made = Label(font, base_alignment=True, label_direction="UPD" if turned else "LTR")
        self._labels.append(made)
        return made

    def turn(self, seat: int) -> None:
        """Turn the display towards a seat. It has no group meanwhile, so the next refresh sends the
        whole panel once; else each thing, hidden ones too, is sent where it was and where it is.
        """
        display = self._display
        display.root_group = None  # pyright: ignore[reportAttributeAccessIssue]  (BusDisplay.c takes it)
        display.rotation = (self._upright + 180 * seat) % 360
        display.root_group = self._group

    def refresh(self) -> None:
        """Send what was drawn since the last time: nothing else ever does (BusDisplay.c)."""
        self._display.refresh()
