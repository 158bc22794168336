"""A font for ``adafruit_display_text``: a glyph is read when it is first drawn, and kept."""

import bitmaptools
from displayio import Bitmap

from firmware.ui import pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import Kept, Pack

_UNKNOWN = 63  # a question mark


class Font:
    """One size of letters out of the pack (layout: ``host/cli/dev/glyphs.py``).

    It is also its own glyph object: the last glyph requested. ``kept`` has the glyphs read so far,
    which many boards drawn on one PC share.
    """

    tile_index = dx = shift_y = 0

    def __init__(self, source: "Pack", number: int, kept: "Kept | None" = None):
        self._source, self._section = source, pack.FONTS + number
        head = source.read(self._section, 0, 5)
        self.height, self.ascent, self._first, self._count, self._row_size = head
        self.descent = self.height - self.ascent
        self.dy = -self.descent
        self._advances = source.read(self._section, 5, self._count)
        self._widths: "dict[int, int]" = {}  # of letters measured so far
        self._kept = {} if kept is None else kept.setdefault(self._section, {})
        self.width = self.shift_x = 0
        self.bitmap: "Bitmap | None" = None

    def _place(self, code):
        number = code - self._first
        if 0 <= number < self._count and self._advances[number]:
            return number
        return _UNKNOWN - self._first

    def advance(self, code: int) -> int:
        """Return how many px wide a letter is set."""
        width = self._widths.get(code)
        if width is None:
            width = self._widths[code] = self._advances[self._place(code)]
        return width

    def get_glyph(self, code: int) -> "Font":
        """Become the glyph of a code point, as displayio's fonts return one."""
        self.width = self.shift_x = self.advance(code)
        self.bitmap = self._kept.get(code)
        if self.bitmap is None:
            self.bitmap = self._kept[code] = self._drawn(self._place(code))
        return self

    def _drawn(self, number):
        bitmap, size = Bitmap(8 * self._row_size, self.height, 2), self._row_size * self.height
        file = self._source.seek(self._section, 5 + self._count + number * size)
        bitmaptools.readinto(bitmap, file, bits_per_pixel=1, reverse_pixels_in_element=True)
        return bitmap
