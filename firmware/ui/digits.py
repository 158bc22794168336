"""The big numerals: one TileGrid a digit over one small sheet of tiles, written only on change."""

import bitmaptools
from displayio import Bitmap, Group, Palette, TileGrid
from vectorio import Rectangle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import DigitsPlace, FontFile

_TILE = 8
_NONE = 10  # a digit that is not shown


class Numerals:
    """A file of numerals (layout: ``host/cli/dev/glyphs.py``): a sheet, each digit's tiles."""

    def __init__(self, file: "FontFile"):
        head = file.read(4)
        self.columns, self.rows, tiles = head[0], head[1], head[2] | head[3] << 8
        count = self.columns * self.rows
        self.cells = [file.read(count) for _ in range(10)]
        self.sheet = Bitmap(_TILE * tiles, _TILE, 2)
        bitmaptools.readinto(self.sheet, file, bits_per_pixel=1, reverse_pixels_in_element=True)


class Digits:
    """``count`` digits, perhaps with a colon; ``group`` is what the display shows.

    ``turned`` are read from the other side.
    """

    def __init__(self, numerals: "Numerals", count: int, turned: bool = False):
        self._numerals, self._turned = numerals, turned
        self._columns, self._rows = numerals.columns, numerals.rows
        self._ink = Palette(2)
        self._ink.make_transparent(0)
        self.group = Group()
        self._shown = bytearray([_NONE] * count)
        self._grids = [self._grid() for _ in range(count)]
        self._dots = [self._dot() for _ in range(2)]
        self._colour = -1
        self._place: "DigitsPlace" = (0, 0, 0, 0, 1)
        self._arranged = -1  # for how many digits and which colon they are

    def _grid(self):
        grid = TileGrid(
            self._numerals.sheet,
            pixel_shader=self._ink,
            width=self._columns,
            height=self._rows,
            tile_width=_TILE,
            tile_height=_TILE,
        )
        if self._turned:
            grid.flip_x = grid.flip_y = True
        grid.hidden = True
        self.group.append(grid)
        return grid

    def _dot(self):
        dot = Rectangle(pixel_shader=self._ink, width=1, height=1, x=0, y=0)
        dot.color_index = 1
        dot.hidden = True
        self.group.append(dot)
        return dot

    def put(self, place: "DigitsPlace") -> None:
        """Put them at a place of the layout."""
        self._place = place
        self._arranged = -1

    def paint(self, colour: int) -> None:
        """Give every digit and the colon one colour (RGB)."""
        if colour != self._colour:
            self._colour = self._ink[1] = colour

    def show(self, number: int, count: int, colon: int) -> None:
        """Show ``number`` with ``count`` digits (0: nothing).

        ``colon``: 0 none, 1 before the last two digits, 2 before the last.
        """
        if count * 4 + colon != self._arranged:
            self._arranged = count * 4 + colon
            self._arrange(count, colon)
        at = count
        while at:
            at -= 1
            if self._shown[at] != number % 10:
                self._set(at, number % 10)
            number //= 10

    def _arrange(self, count, colon):
        middle, top, gap, step, scale = self._place
        if count > 2:
            scale = 1
        self.group.scale = scale
        cell, height = self._columns * _TILE, self._rows * _TILE
        middle, top = middle // scale, (top + height // 2) // scale - height // 2
        first = count + colon - 3  # the digit after the colon
        if not colon:
            gap = 0
        step = min(step or cell, 2 * middle // max(1, count))
        left = middle - (count * step + gap) // 2 - (cell - step) // 2
        for at in range(len(self._grids)):
            grid = self._grids[at]
            grid.hidden = at >= count
            self._move(grid, left + at * step + (gap if at >= first else 0), cell, top)
        side = max(1, gap * 5 // 8)
        x = left + (cell - step) // 2 + first * step + (gap - side) // 2
        for at in range(2):
            dot = self._dots[at]
            dot.hidden = not colon
            dot.width = dot.height = side
            self._move(dot, x, side, top + height * (at + 1) // 3 - side // 2)

    def _move(self, thing, x, width, y):
        thing.x = 2 * self._place[0] - x - width if self._turned else x
        thing.y = y

    def _set(self, at, digit):
        self._shown[at] = digit
        cells, grid = self._numerals.cells[digit], self._grids[at]
        for cell in range(len(cells)):
            if grid[cell] != cells[cell]:
                grid[cell] = cells[cell]
