"""A bitmap font for ``adafruit_display_text``: letters are read from its file as they are needed.

The file's layout: ``host/cli/dev/glyphs.py``, which draws it from the font package.
"""

import bitmaptools
from displayio import Bitmap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import FontFile

_UNKNOWN = ord("?")
# what Latin-1 lacks stands in its control codes
_SPECIAL = {ord(letter): code for code, letter in enumerate("▲●…✔–►◄", 1)}
_HEAD = 5


class Glyph:
    """A letter, with the names that displayio's glyphs have."""

    tile_index = dx = 0

    def __init__(self, bitmap: "Bitmap", width: int, height: int, descent: int):
        self.bitmap, self.height, self.dy = bitmap, height, -descent
        self.width = self.shift_x = width
        self.shift_y = 0


class Font:
    """One size of letters, in an open file."""

    def __init__(self, file: "FontFile"):
        self._file = file
        head = file.read(_HEAD)
        self.height, self.ascent, self._first, self._count, self._row_bytes = head
        self.descent = self.height - self.ascent
        self._advances = file.read(self._count)
        self._glyphs: "dict[int, Glyph]" = {}

    def get_bounding_box(self) -> "tuple[int, int]":
        """Return the size of the largest letter."""
        return 8 * self._row_bytes, self.height

    def get_glyph(self, code: int) -> "Glyph":
        """Return a code point's glyph; a question mark where the font has none."""
        glyph = self._glyphs.get(code)
        if glyph is None:
            glyph = self._glyphs[code] = self._read(self._place(code))
        return glyph

    def width_px(self, text: str) -> int:
        """Return how wide a text is set."""
        return sum([self._advances[self._place(ord(letter))] for letter in text])

    def _place(self, code: int) -> int:
        number = _SPECIAL.get(code, code) - self._first
        if 0 <= number < self._count and self._advances[number]:
            return number
        return _UNKNOWN - self._first

    def _read(self, number):
        bitmap = Bitmap(8 * self._row_bytes, self.height, 2)
        self._file.seek(_HEAD + self._count + number * self._row_bytes * self.height)
        bitmaptools.readinto(bitmap, self._file, bits_per_pixel=1, reverse_pixels_in_element=True)
        return Glyph(bitmap, self._advances[number], self.height, self.descent)
