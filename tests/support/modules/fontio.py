class Glyph:
    def __init__(self, bitmap, tile_index, width, height, dx, dy, shift_x, shift_y):
        self.bitmap, self.tile_index, self.width, self.height = bitmap, tile_index, width, height
        self.dx, self.dy, self.shift_x, self.shift_y = dx, dy, shift_x, shift_y


class BuiltinFont:
    """The terminal's font: its bitmap lies in flash, so it costs the heap nothing."""

    def __init__(self, bitmap):
        self.bitmap = bitmap
        self._glyph = Glyph(bitmap, 0, 6, 12, 0, -2, 6, 0)

    def get_bounding_box(self):
        return (6, 12)

    def get_glyph(self, codepoint):
        return self._glyph
