"""A font for ``adafruit_display_text`` that keeps no glyph: each is read when it is drawn."""

import bitmaptools
from displayio import Bitmap
from fontio import Glyph

from firmware.ui import pack

_UNKNOWN = 63  # a question mark


class Font:
    """One size of letters out of the pack (layout: ``host/screens/glyphs.py``).

    ``kept`` may be a dict for glyphs where memory is no concern (a PC draws many boards).
    """

    def __init__(self, source, number, kept=None):
        self._source, self._section, self._kept = source, pack.FONTS + number, kept
        head = source.read(self._section, 0, 5)
        self._height, self.ascent, self._first, self._count, self._row_size = head
        self.descent = self._height - self.ascent
        self._advances = source.read(self._section, 5, self._count)
        self._scratch = self._canvas()

    def _canvas(self):
        return Bitmap(8 * self._row_size, self._height, 2)

    def get_bounding_box(self):
        """Return the largest glyph's width, height and offsets in px, as displayio's fonts do."""
        return 8 * self._row_size, self._height, 0, -self.descent

    def _place(self, code):
        number = code - self._first
        if 0 <= number < self._count and self._advances[number]:
            return number
        return _UNKNOWN - self._first

    def width(self, line):
        """Return how many px wide ``line`` is set."""
        return sum([self._advances[self._place(ord(letter))] for letter in line])

    def get_glyph(self, code):
        """Return the glyph of a code point; its bitmap is good until the next is asked for."""
        if self._kept is not None and (self._section, code) in self._kept:
            return self._kept[self._section, code]
        number = self._place(code)
        canvas = self._scratch if self._kept is None else self._canvas()
        size = self._row_size * self._height
        file = self._source.seek(self._section, 5 + self._count + number * size)
        bitmaptools.readinto(canvas, file, bits_per_pixel=1, reverse_pixels_in_element=True)
        advance = self._advances[number]
        glyph = Glyph(canvas, 0, advance, self._height, 0, -self.descent, advance, 0)
        if self._kept is not None:
            self._kept[self._section, code] = glyph
        return glyph
