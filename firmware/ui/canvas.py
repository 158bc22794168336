"""The pool: every text, box and digit a screen can use, built once, then only written to.

One ``adafruit_display_text`` label sets all texts, one after the other; what stays on the display
is the bitmap it made. A label for each text would keep 8 KB more (32-bit MicroPython).
"""

import struct

from adafruit_display_text.bitmap_label import Label
from displayio import Group, Palette, TileGrid
from vectorio import Rectangle

from firmware.ui import pack, text
from firmware.ui.digits import Digits
from firmware.ui.font import Font

# places and boxes that the code itself writes to; the theme keeps their order
KEY_PLACE = 0
ROW_PLACE = 3
ROWS = 4
FILL = 0
KEY_BOX = 4
ROW_BOX = 7
MARK_BOX = 8
PATCH = 128
_PLACE = "<BB3H"
_PAD = 4  # a patch reaches so far beyond its text
LABELS = 11  # three keys and what the fullest screen says


class Canvas:
    """What lies on a display of ``panel`` (its number in the pack); ``kept`` as in ``Font``."""

    def __init__(self, display, source, panel, kept=None):
        self.display, self._source = display, source
        self._section = pack.PANELS + 3 * panel
        self._fonts = [Font(source, number, kept) for number in range(3)]
        raw = source.read(pack.COLOURS, 0, source.size(pack.COLOURS))
        self.colours = [raw[i] << 16 | raw[i + 1] << 8 | raw[i + 2] for i in range(0, len(raw), 3)]
        self._inks = Palette(len(self.colours))
        for number in range(len(self.colours)):
            self._inks[number] = self.colours[number]
        self.group = Group()
        places, boxes = source.read(self._section, 0, 2)
        self.boxes = [self._box(2 + 8 * (places + number)) for number in range(boxes)]
        self._digits_at = 2 + 8 * (places + boxes)
        self.four = self._digits(0, 4)
        self.two = self._digits(1, 2) if source.size(self._section + 2) else None
        self._setter = Label(self._fonts[0], text="", padding_left=_PAD, padding_right=_PAD)
        self._shades = {}
        self._said = [None] * LABELS
        self._texts = [None] * LABELS
        display.root_group = self.group

    def _box(self, at):
        x, y, width, height = struct.unpack("<4H", self._source.read(self._section, at, 8))
        box = Rectangle(pixel_shader=self._inks, width=width, height=height, x=x, y=y)
        box.hidden = True
        self.group.append(box)
        return box

    def _digits(self, number, count):
        raw = self._source.read(self._section, self._digits_at + 6 * number, 6)
        place = struct.unpack("<3H", raw)
        section, width = self._section + 1 + number, self.boxes[FILL].width
        digits = Digits(self._source, section, count, place, width)
        self.group.append(digits.group)
        return digits

    def _place(self, number):
        return struct.unpack(_PLACE, self._source.read(self._section, 2 + 8 * number, 8))

    def _shade(self, colour):
        """Return the palette of a text colour (+ 128: on a patch), made when first used."""
        if colour not in self._shades:
            shade = Palette(2)
            shade.make_transparent(0)
            if colour & PATCH:
                shade[0] = self.colours[0]
                shade.make_opaque(0)
            shade[1] = self.colours[colour & ~PATCH]
            self._shades[colour] = shade
        return self._shades[colour]

    def say(self, number, line, place, colour):
        """Set text ``number`` to ``line`` at a place; ``colour`` + 128 puts it on a patch."""
        said = line, place, colour
        if self._said[number] == said:
            return
        self._said[number] = said
        if self._texts[number]:
            self.group.remove(self._texts[number])
        self._texts[number] = self._set(line, self._place(place), colour) if line else None
        if line:
            self.group.append(self._texts[number])

    def _set(self, line, place, colour):
        """Return what shows ``line``: the bitmap that the setter makes of it, in its place."""
        font, align, x, y, width = place
        font = self._fonts[font]
        self._setter.font = font
        self._setter.text = text.fit(line, width, font.width)
        grid = TileGrid(self._setter.bitmap, pixel_shader=self._shade(colour))
        self._setter.text = ""  # the setter lets go of the bitmap, which is the grid's now
        grid.x = x - _PAD - (grid.tile_width - 2 * _PAD) * align // 2
        grid.y = y - grid.tile_height // 2
        return grid

    def mark(self, row):
        """Put the mark's box behind a row of a menu."""
        box = self.boxes[ROW_BOX]
        box.y = self._place(ROW_PLACE + row)[3] - box.height // 2

    def paint(self, number, colour):
        """Fill box ``number`` with a colour (its number + 1; 0 hides it)."""
        box = self.boxes[number]
        if box.hidden == (colour > 0):
            box.hidden = not colour
        if colour and box.color_index != colour - 1:
            box.color_index = colour - 1
