"""What ``displayio`` and ``bitmaptools`` refuse on a chip and Blinka's do not: they compose, these
refuse.

``shared-bindings/displayio/{Bitmap,Palette,TileGrid}.c`` and
``shared-bindings/bitmaptools/__init__.c``.
"""

from typing import BinaryIO

import bitmaptools
import displayio

_MOST_PX = 32767
_BITS = (1, 2, 4, 8, 16, 24, 32)


def _within(value: int, least: int, most: int, name: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least}-{most}")


def _index(at: int, size: int, name: str = "index") -> None:
    if not 0 <= at < size:
        raise IndexError(f"{name} must be 0-{size - 1}")


def _most(bitmap: displayio.Bitmap) -> int:
    """Return the greatest value of a pixel, which Blinka keeps and the stubs do not tell."""
    return vars(bitmap)["_bitmask"]


class Bitmap(displayio.Bitmap):
    """Pixels in so many bits: an index or a value beyond them is refused."""

    def __init__(self, width: int, height: int, value_count: int):
        _within(width, 0, _MOST_PX, "width")
        _within(height, 0, _MOST_PX, "height")
        super().__init__(width, height, value_count)

    def _check(self, index):
        if isinstance(index, slice):
            raise NotImplementedError("Slices not supported")
        if isinstance(index, int):
            _index(index, self.width * self.height)
        else:
            _index(index[0], self.width, "x")
            _index(index[1], self.height, "y")

    def __getitem__(self, index):
        self._check(index)
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        self._check(index)
        _within(value, 0, _most(self), "value")
        super().__setitem__(index, value)

    def fill(self, value: int) -> None:
        """Fill it with a value."""
        _within(value, 0, _most(self), "value")
        super().fill(value)


class Palette(displayio.Palette):
    """Colours by number: another number, or what is no colour, is refused."""

    def __getitem__(self, index):
        _index(index, len(self))
        return super().__getitem__(index)

    def __setitem__(self, index, colour):
        _index(index, len(self))
        if isinstance(colour, int) and not 0 <= colour <= 0xFFFFFF:
            raise TypeError("color must be between 0x000000 and 0xffffff")
        super().__setitem__(index, colour)

    def make_transparent(self, palette_index: int) -> None:
        """Draw nothing where a pixel has this number."""
        _within(palette_index, 0, len(self) - 1, "palette_index")
        super().make_transparent(palette_index)


class TileGrid(displayio.TileGrid):
    """A grid of tiles: a place beyond it, or a tile that its bitmap has not, is refused."""

    def __setitem__(self, index, tile):
        x, y = (index % self.width, index // self.width) if isinstance(index, int) else index
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError("Tile index out of bounds")
        tiles = (self.bitmap.width // self.tile_width) * (self.bitmap.height // self.tile_height)
        _within(tile, 0, tiles - 1, "tile")
        super().__setitem__(index, tile)


def fill_region(dest_bitmap: Bitmap, x1: int, y1: int, x2: int, y2: int, value: int) -> None:
    """Fill a part of a bitmap; ValueError for one that it has not."""
    for name, start, end, most in (
        ("x", x1, x2, dest_bitmap.width),
        ("y", y1, y2, dest_bitmap.height),
    ):
        _within(start, 0, most, name + "1")
        _within(end, start, most, name + "2")
    _within(value, 0, _most(dest_bitmap), "value")
    bitmaptools.fill_region(dest_bitmap, x1, y1, x2, y2, value)


def readinto(bitmap: Bitmap, file: BinaryIO, bits_per_pixel: int, **options: bool) -> None:
    """Fill a bitmap out of a file; EOFError where that is too short."""
    if bits_per_pixel not in _BITS:
        raise ValueError(
            f"invalid bits_per_pixel {bits_per_pixel}, must be, 1, 2, 4, 8, 16, 24, or 32"
        )
    bitmaptools.readinto(bitmap, file, bits_per_pixel, **options)
