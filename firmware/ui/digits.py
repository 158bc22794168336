"""The big numerals: one TileGrid a digit over one small sheet of tiles, written only on change."""

import struct

import bitmaptools
from displayio import Bitmap, Group, Palette, TileGrid
from vectorio import Rectangle

_TILE = 8
_NONE = 10  # a digit that is not shown


class Digits:
    """``count`` digits with a colon before the last two; ``group`` is what the display shows.

    ``middle``, ``top``, ``colon`` are px; ``width`` is the panel's.
    """

    def __init__(self, source, section, count, place, width):
        self._source, self._section, self._width = source, section, width
        self._middle, self._top, self._colon = place
        head = struct.unpack("<BBH", source.read(section, 0, 4))
        self._columns, rows, tiles = head
        self._cells = bytearray(self._columns * rows)
        sheet = Bitmap(_TILE * tiles, _TILE, 2)
        file = source.seek(section, 4 + 10 * len(self._cells))
        bitmaptools.readinto(sheet, file, bits_per_pixel=1, reverse_pixels_in_element=True)
        self._ink = Palette(2)
        self._ink.make_transparent(0)
        self.group = Group()
        self._shown = bytearray([_NONE] * count)
        self._grids = [self._grid(sheet, rows) for _ in range(count)]
        self._dots = [self._dot(rows * _TILE, part) for part in (3, 6)]
        self._layout = 0
        self._colour = -1

    def _grid(self, sheet, rows):
        grid = TileGrid(sheet, pixel_shader=self._ink, width=self._columns, height=rows,
                        tile_width=_TILE, tile_height=_TILE, x=0, y=self._top)
        grid.hidden = True
        self.group.append(grid)
        return grid

    def _dot(self, height, part):
        side = self._colon * 5 // 8
        shader = Palette(2)
        dot = Rectangle(pixel_shader=shader, width=max(1, side), height=max(1, side),
                        x=0, y=self._top + height * part // 9 - side // 2)
        dot.hidden = True
        self.group.append(dot)
        return dot

    def paint(self, colour):
        """Give every digit and the colon one colour (RGB)."""
        if colour == self._colour:
            return
        self._colour = self._ink[1] = colour
        for dot in self._dots:
            dot.pixel_shader[0] = colour

    def show(self, number, count, colon):
        """Show ``number`` with ``count`` digits (0: nothing), the last two after a colon or not."""
        layout = count * 2 + colon
        if layout != self._layout:
            self._layout = layout
            self._arrange(count, colon)
        at = count
        while at:
            at -= 1
            self._set(at, number % 10)
            number //= 10

    def _arrange(self, count, colon):
        gap = self._colon if colon else 0
        step = min(self._columns * _TILE, self._width // max(1, count))
        left = self._middle - (count * step + gap) // 2 - (self._columns * _TILE - step) // 2
        for at in range(len(self._grids)):
            grid = self._grids[at]
            grid.hidden = at >= count
            grid.x = left + at * step + (gap if at >= count - 2 else 0)
        for dot in self._dots:
            dot.hidden = not colon
            dot.x = left + (count - 2) * step + (gap - dot.width) // 2

    def _set(self, at, digit):
        if self._shown[at] == digit:
            return
        self._shown[at] = digit
        cells, grid = self._cells, self._grids[at]
        file = self._source.seek(self._section, 4 + digit * len(cells))
        file.readinto(cells)
        for cell in range(len(cells)):
            if grid[cell] != cells[cell]:
                grid[cell] = cells[cell]
