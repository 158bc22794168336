"""The big numerals: one TileGrid a digit over one small sheet of tiles, written only on change."""

import bitmaptools
from displayio import Bitmap, Group, Palette, TileGrid
from vectorio import Rectangle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes
    from firmware.ui.types import Pack

_TILE = 8
_NONE = 10  # a digit that is not shown


class Digits:
    """``count`` digits, perhaps with a colon; ``group`` is what the display shows.

    ``turned`` are read from the other side; ``like`` are others whose sheet they share, or None.
    """

    def __init__(
        self,
        source: "Pack",
        section: int,
        count: int,
        turned: bool = False,
        like: "Digits | None" = None,
    ):
        self._source, self._section, self._turned = source, section, turned
        head = source.read(section, 0, 4)
        self._columns, self._rows, tiles = head[0], head[1], head[2] | head[3] << 8
        self._cells: "dict[int, bytes]" = {}  # the tiles of a digit, of those shown so far
        if like is not None:
            self._sheet = like._sheet
        else:
            self._sheet = Bitmap(_TILE * tiles, _TILE, 2)
            file = source.seek(section, 4 + 10 * self._columns * self._rows)
            bitmaptools.readinto(
                self._sheet, file, bits_per_pixel=1, reverse_pixels_in_element=True
            )
        self._ink = Palette(2)
        self._ink.make_transparent(0)
        self.group = Group()
        self._shown = bytearray([_NONE] * count)
        self._grids = [self._grid() for _ in range(count)]
        self._dots = [self._dot() for _ in range(2)]
        self._colour = -1
        self._place = [0] * 5

    def _grid(self):
        grid = TileGrid(
            self._sheet,
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

    def put(self, raw: "Bytes") -> None:
        """Put them at a place of the theme: middle, top, colon, step, scale, in px (u16 each)."""
        for number in range(5):
            self._place[number] = raw[2 * number] | raw[2 * number + 1] << 8
        self._arranged = -1  # for how many digits and which colon they are

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
        grid, cells = self._grids[at], self._cells.get(digit)
        if cells is None:
            size = self._columns * self._rows
            cells = self._cells[digit] = self._source.read(self._section, 4 + digit * size, size)
        for cell in range(len(cells)):
            if grid[cell] != cells[cell]:
                grid[cell] = cells[cell]
