"""A font for ``adafruit_display_text`` that caches no glyph: each is read when it is drawn."""

import bitmaptools
from displayio import Bitmap

from firmware.ui import pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Kept, Pack

_UNKNOWN = 63  # a question mark


class Font:
    """One size of letters out of the pack (layout: ``host/cli/dev/glyphs.py``).

    It is also its own glyph object: the last glyph requested, whose ``bitmap`` the next request
    overwrites. ``kept`` may be a dict that caches bitmaps if memory is no concern (a PC draws many
    boards).
    """

    tile_index = dx = shift_y = 0

    def __init__(self, source: "Pack", number: int, kept: "Kept | None" = None):
        self._source, self._section, self._kept = source, pack.FONTS + number, kept
        head = source.read(self._section, 0, 5)
        self.height, self.ascent, self._first, self._count, self._row_size = head
        self.descent = self.height - self.ascent
        self.dy = -self.descent
        self._advances = source.read(self._section, 5, self._count)
        self.width = self.shift_x = 0
        self.bitmap = self._canvas()

    def _canvas(self):
        return Bitmap(8 * self._row_size, self.height, 2)

    def _place(self, code):
        number = code - self._first
        if 0 <= number < self._count and self._advances[number]:
            return number
        return _UNKNOWN - self._first

    def advance(self, code: int) -> int:
        """Return how many px wide a letter is set."""
        return self._advances[self._place(code)]

    def get_glyph(self, code: int) -> "Font":
        """Become the glyph of a code point, as displayio's fonts return one."""
        number = self._place(code)
        self.width = self.shift_x = self._advances[number]
        if self._kept is None:
            self._draw(number)
        elif (self._section, number) in self._kept:
            self.bitmap = self._kept[self._section, number]
        else:
            self._kept[self._section, number] = self.bitmap = self._canvas()
            self._draw(number)
        return self

    def _draw(self, number):
        size = self._row_size * self.height
        file = self._source.seek(self._section, 5 + self._count + number * size)
        bitmaptools.readinto(self.bitmap, file, bits_per_pixel=1, reverse_pixels_in_element=True)
