"""Blinka's ``displayio`` and ``bitmaptools`` with the argument checks of CircuitPython added.

Sources: ``shared-bindings/displayio/{Bitmap,Palette,TileGrid}.c`` and
``shared-bindings/bitmaptools/__init__.c``.
"""

from typing import BinaryIO

import bitmaptools
import displayio

from host.sim import spans

_MOST_PX = 32767
_BITS = (1, 2, 4, 8, 16, 24, 32)


def _within(value: int, least: int, most: int, name: str) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} must be {least}-{most}")


def _index(at: int, size: int, name: str = "index") -> None:
    if not 0 <= at < size:
        raise IndexError(f"{name} must be 0-{size - 1}")


def _most(bitmap: displayio.Bitmap) -> int:
    """Return the greatest pixel value, a private attribute of Blinka's that its stubs lack."""
    return vars(bitmap)["_bitmask"]


class Bitmap(displayio.Bitmap):
    """A bitmap of ``width`` x ``height`` pixels with values below ``value_count``.

    IndexError for a pixel outside it, ValueError for a value or size out of range,
    NotImplementedError for a slice.
    """

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
        """Set every pixel to ``value``; ValueError when it is out of range."""
        _within(value, 0, _most(self), "value")
        super().fill(value)


class Palette(displayio.Palette):
    """Colours by index: IndexError for an index out of range, TypeError for a colour."""

    def __getitem__(self, index):
        _index(index, len(self))
        return super().__getitem__(index)

    def __setitem__(self, index, colour):
        _index(index, len(self))
        if isinstance(colour, int) and not 0 <= colour <= 0xFFFFFF:
            raise TypeError("color must be between 0x000000 and 0xffffff")
        super().__setitem__(index, colour)

    def make_transparent(self, palette_index: int) -> None:
        """Make one colour transparent; ValueError for an index out of range."""
        _within(palette_index, 0, len(self) - 1, "palette_index")
        super().make_transparent(palette_index)


class TileGrid(displayio.TileGrid):
    """A grid of tiles: IndexError outside it, ValueError for a tile that its bitmap lacks."""

    def __setitem__(self, index, tile):
        x, y = (index % self.width, index // self.width) if isinstance(index, int) else index
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError("Tile index out of bounds")
        tiles = (self.bitmap.width // self.tile_width) * (self.bitmap.height // self.tile_height)
        _within(tile, 0, tiles - 1, "tile")
        super().__setitem__(index, tile)


# what is read of these is what is read of Blinka's: their checks are of what is written
spans.add_checked(Bitmap, displayio.Bitmap)
spans.add_checked(Palette, displayio.Palette)


def readinto(bitmap: Bitmap, file: BinaryIO, bits_per_pixel: int, **options: bool) -> None:
    """Fill a bitmap from a file; EOFError when that is too short, ValueError for the bits."""
    if bits_per_pixel not in _BITS:
        raise ValueError(
            f"invalid bits_per_pixel {bits_per_pixel}, must be, 1, 2, 4, 8, 16, 24, or 32"
        )
    bitmaptools.readinto(bitmap, file, bits_per_pixel, **options)
