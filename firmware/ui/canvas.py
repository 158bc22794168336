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
_DIGITS = 10  # bytes of the place of a set of digits
_PAD = 4  # a patch reaches so far beyond its text
LEFT = 1  # the clocks a screen may show
START = 2
TABLE = 3
TURN = 4
FACE = 5
COUNT = 6  # the two numbers that are entered, as digits; or elsewhere
ENTRY = 7
WAITED = 8
_ALONE_S = 300  # until then a small panel shows minutes alone
_LONG_S = 6000  # from then on every panel does
LABELS = 11  # three keys and what the fullest screen says


class Canvas:
    """What lies on a display of ``panel`` (its number in the pack); ``kept`` as in ``Font``."""

    def __init__(self, display, source, panel, kept=None):
        self.display, self._source = display, source
        self._section = pack.PANELS + 4 * panel
        self.seat = 0  # the seat that the panel is turned to
        self._upright = display.rotation
        places, boxes, font, self._layouts = source.read(self._section, 0, 4)
        self._fonts = [Font(source, font + number, kept) for number in range(3)]
        raw = source.read(pack.COLOURS, 0, source.size(pack.COLOURS))
        self.colours = [raw[i] << 16 | raw[i + 1] << 8 | raw[i + 2] for i in range(0, len(raw), 3)]
        self._inks = Palette(len(self.colours))
        for number in range(len(self.colours)):
            self._inks[number] = self.colours[number]
        self.group = Group()
        self._boxes_at = 8 * places
        self._digits_at = self._boxes_at + 8 * boxes
        self._layout = 0
        self.boxes = [self._box() for number in range(boxes)]
        self.four = self._digits(0, 4)
        self.two = self._digits(1, 2) if source.size(self._section + 2) else None
        # whoever sits opposite has a small clock with numerals of its own, or a full copy
        own = source.size(self._section + 3)
        self._opposite = self._digits(2, 4) if own or self._layouts > 1 else None
        self._setter = Label(self._fonts[0], text="", padding_left=_PAD, padding_right=_PAD)
        self._shades = {}
        self._said = [None] * LABELS
        self._texts = [()] * LABELS
        self._which = self._colour = self._number = -1  # the clock that stands there
        self._lay()
        display.root_group = self.group

    def _box(self):
        box = Rectangle(pixel_shader=self._inks, width=1, height=1, x=0, y=0)
        box.hidden = True
        self.group.append(box)
        return box

    def _digits(self, number, count):
        section, like = self._section + 1 + number, None
        if not self._source.size(section):
            section, like = self._section + 1, self.four
        place = self._digits_place(number)
        digits = Digits(self._source, section, count, place, number == 2, like)
        self.group.append(digits.group)
        return digits

    def _read(self, at, size):
        layout_size = self._digits_at + 3 * _DIGITS + 4
        return self._source.read(self._section, 4 + self._layout * layout_size + at, size)

    def _digits_place(self, number):
        return struct.unpack("<5H", self._read(self._digits_at + _DIGITS * number, _DIGITS))

    def _place(self, number):
        return struct.unpack(_PLACE, self._read(8 * number, 8))

    def _lay(self):
        """Put boxes and digits where the layout has them."""
        self._stale, self._which = True, -1
        for number in range(len(self.boxes)):
            box = self.boxes[number]
            at = self._boxes_at + 8 * number
            box.x, box.y, box.width, box.height = struct.unpack("<4H", self._read(at, 8))
        self._sums = struct.unpack("<2H", self._read(self._digits_at + 3 * _DIGITS, 4))
        self.four.put(self._digits_place(0))
        if self._opposite is not None:
            self._opposite.put(self._digits_place(2))

    def put(self, faced):
        """Lay everything out for a screen with a clock (1) or any other (0), where that differs."""
        if faced >= self._layouts:
            faced = 0
        if faced != self._layout:
            for number in range(LABELS):
                self.say(number, "", 0, 0)
            self._layout = faced
            self._lay()

    def turn(self, seat):
        """Turn the panel towards a seat; return whether it was not yet."""
        if seat == self.seat:
            return False
        self.seat, self._stale = seat, True
        self.display.rotation = (self._upright + 180 * seat) % 360
        return True

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
        self._said[number], self._stale = said, True
        for grid in self._texts[number]:
            self.group.remove(grid)
        self._texts[number] = self._set(line, place, colour) if line else ()
        for grid in self._texts[number]:
            self.group.append(grid)

    def _set(self, line, place, colour):
        """Return what shows ``line``: the bitmap that the setter makes of it, in its place.

        A layout for two gives all but the keys' labels a turned copy.
        """
        font, align, x, y, width = self._place(place)
        font = self._fonts[font]
        self._setter.font = font
        self._setter.text = text.fit(line, width, font.width)
        grid = TileGrid(self._setter.bitmap, pixel_shader=self._shade(colour))
        self._setter.text = ""  # the setter lets go of the bitmap, which is the grid's now
        grid.x = x - _PAD - (grid.tile_width - 2 * _PAD) * align // 2
        grid.y = y - grid.tile_height // 2
        if place < ROW_PLACE or not self._sums[0]:
            return (grid,)
        twin = TileGrid(grid.bitmap, pixel_shader=self._shade(colour))
        twin.flip_x = twin.flip_y = True
        twin.x = self._sums[0] - grid.x - grid.tile_width
        twin.y = self._sums[1] - grid.y - grid.tile_height
        return grid, twin

    def mark(self, row):
        """Put the mark's box behind a row of a menu."""
        box = self.boxes[ROW_BOX]
        y = self._place(ROW_PLACE + row)[3] - box.height // 2
        if box.y != y:
            box.y, self._stale = y, True

    def paint(self, number, colour):
        """Fill box ``number`` with a colour (its number + 1; 0 hides it)."""
        box = self.boxes[number]
        if box.hidden == (colour > 0):
            box.hidden, self._stale = not colour, True
        if colour and box.color_index != colour - 1:
            box.color_index, self._stale = colour - 1, True

    def refresh(self):
        """Send what was drawn since the last time to the panel: nothing else ever does (BusDisplay.c)."""
        if self._stale:
            self._stale = False
            self.display.refresh()

    def clock(self, which, colour, number):
        """Show clock ``which`` (0 none) at ``number`` (s for those that tick) in a colour."""
        if number == self._number and which == self._which and colour == self._colour:
            return
        self._which, self._colour = which, colour
        self._number, self._stale = number, True
        ticks, colour = which in (LEFT, START, WAITED), self.colours[colour]
        alone = which in (LEFT, START) and _ALONE_S <= number < _LONG_S or which == TABLE and number < 100
        if self.two is not None:
            minutes = number // 60 if ticks else number
            self.two.paint(colour)
            self.two.show(minutes, (2 if minutes > 9 else 1) if alone else 0, 0)
            if alone:
                which = ENTRY
        if ticks and number >= _LONG_S:
            number //= 60
            colon = 0
        elif ticks:
            number = number // 60 * 100 + number % 60
            colon = 1
        else:
            colon = 2 if which == COUNT else 0
        shown = _length(number, colon) if which and which != ENTRY else 0
        self.four.group.x = -(self.boxes[FILL].width // 5) if which == TURN else 0
        self.four.paint(colour)
        self.four.show(number, shown, colon)
        if self._opposite is not None:
            self._opposite.paint(colour)
            self._opposite.show(number, shown if ticks else 0, colon if ticks else 0)


def _length(number, colon):
    """Return how many digits ``number`` takes; a clock shows three at the least (M:SS)."""
    length = (1, 3, 2)[colon]
    while length < 4 and number >= (10, 100, 1000)[length - 1]:
        length += 1
    return length
