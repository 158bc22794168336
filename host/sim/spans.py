"""Blinka's loops over pixels, a row at a time: the same pictures in a fraction of the time.

What a loop does beside the rows and fonts of a board's face is left to Blinka's own
(``tests/sim/test_spans.py`` holds each against it). A row of a bitmap is a number, the leftmost
pixel highest, as Blinka packs it; a row of a mask is one with the leftmost pixel lowest.
"""

from __future__ import annotations

import functools
from array import array
from collections.abc import Callable
from types import ModuleType

_WORD = 32
_WHOLE = (1 << _WORD) - 1
_RECTANGLE = 0  # vectorio._vectorshape._COVER_RECTANGLE
_MOST_BITS = 4  # of a value that shares its byte with others
_VALUES = {  # by the bits of a value: what each byte holds
    bits: [bytes(byte >> at & (1 << bits) - 1 for at in range(8 - bits, -1, -bits))
           for byte in range(256)]
    for bits in (1, 2, _MOST_BITS)
}  # fmt: skip
_DIGITS = bytes.maketrans(b"\x00\x01", b"01")


def _span(bitmap, x1, x2):
    """Return where the pixels x1 <= x < x2 of any row lie: (its first and last word, bits after the
    pixels in the last, all bits of the pixels).
    """
    bits = bitmap._bits_per_value
    end = x2 * bits
    return x1 * bits // _WORD, (end - 1) // _WORD, -end % _WORD, (1 << (end - x1 * bits)) - 1


def _read(bitmap, y, span):
    """Return the pixels of a row's ``span``."""
    first, last, after, mask = span
    start, data = y * bitmap._stride, bitmap._data
    row = data[start + first]
    if first != last:  # most are within one word
        for at in range(start + first + 1, start + last + 1):
            row = row << _WORD | data[at]
    return row >> after & mask


def _write(bitmap, y, span, pixels):
    """Set the pixels of a row's ``span``."""
    first, last, after, mask = span
    start, data = y * bitmap._stride, bitmap._data
    keep, pixels = ~(mask << after), pixels << after
    if first == last:
        data[start + first] = (data[start + first] & keep) | pixels
        return
    for at in range(start + last, start + first - 1, -1):
        data[at] = ((data[at] & keep) | pixels) & _WHOLE
        keep >>= _WORD
        pixels >>= _WORD


def _blit(slow: Callable[..., None], dest_bitmap, source_bitmap, x, y, **options) -> None:
    """Do as ``bitmaptools.blit``: row by row where that is possible, else by ``slow``."""
    has_corners = options.keys() >= {"x1", "y1", "x2", "y2"}
    if not (has_corners and _plain(dest_bitmap, source_bitmap, options)):
        return slow(dest_bitmap, source_bitmap, x, y, **options)
    x1, y1, x2, y2 = options["x1"], options["y1"], options["x2"], options["y2"]
    right, bottom = x + x2 - x1, y + y2 - y1
    within = 0 <= x1 < x2 <= source_bitmap.width and 0 <= y1 < y2 <= source_bitmap.height
    if not within or x < 0 or y < 0 or right > dest_bitmap.width or bottom > dest_bitmap.height:
        return slow(dest_bitmap, source_bitmap, x, y, **options)
    dest_bitmap.dirty(x, y, right, bottom)
    source, dest = _span(source_bitmap, x1, x2), _span(dest_bitmap, x, right)
    bits, lit_only = dest_bitmap._bits_per_value, options.get("skip_source_index") == 0
    for at in range(y2 - y1):
        lit = _read(source_bitmap, y1 + at, source)
        if lit_only and not lit:
            continue
        pixels = _widened(lit, bits)
        if lit_only:  # a lit pixel is 1: times the largest value it covers all of its bits
            covered = pixels * ((1 << bits) - 1)
            pixels |= _read(dest_bitmap, y + at, dest) & ~covered
        _write(dest_bitmap, y + at, dest, pixels)


def _plain(dest_bitmap, source_bitmap, options):
    """Return whether a blit copies one bit a pixel to another bitmap: all pixels, or the lit."""
    return (
        dest_bitmap is not source_bitmap
        and None not in (options["x1"], options["y1"], options["x2"], options["y2"])
        and source_bitmap._bits_per_value == 1
        and dest_bitmap._bits_per_value <= _MOST_BITS
        and options.get("skip_source_index") in (None, 0)
        and options.get("skip_dest_index") is None
    )


@functools.lru_cache(4096)  # the rows of letters: a few hundred, again and again
def _widened(pixels, bits):
    """Return a row of one bit a pixel as one of ``bits`` bits a pixel."""
    return int(f"{pixels:b}", 1 << bits)


def _readinto(slow: Callable[..., None], bitmap, file, bits_per_pixel, **options) -> None:
    """Do as ``bitmaptools.readinto``."""
    packed_alike = (
        options == {"reverse_pixels_in_element": True}
        and bits_per_pixel == bitmap._bits_per_value <= _MOST_BITS
    )
    if not packed_alike or bitmap._read_only:
        return slow(bitmap, file, bits_per_pixel, **options)
    width, span = bitmap.width, _span(bitmap, 0, bitmap.width)
    row_bits = width * bits_per_pixel
    size, unused_bits = (row_bits + 7) // 8, -row_bits % 8
    for y in range(bitmap.height):
        row = file.read(size)
        if len(row) != size:
            raise EOFError
        bitmap.dirty(0, y, width, y + 1)
        _write(bitmap, y, span, int.from_bytes(row, "big") >> unused_bits)


def _fill_shape_pixels(
    slow: Callable[..., bool], buffer, mask, cover, geometry, shape, transform
) -> bool:
    """Do as ``vectorio._vectorshape._fill_shape_pixels``."""
    colour, shape_kind, width, height = cover
    if shape_kind != _RECTANGLE:
        return slow(buffer, mask, cover, geometry, shape, transform)
    start, stride, x1, y1, x2, y2 = geometry
    transpose, x, y, x_sign, y_sign = transform
    x_extent, y_extent = (x, x_sign, width), (y, y_sign, height)
    if transpose:
        x_extent, y_extent = y_extent, x_extent
    left, right = _covered(*x_extent, x1, x2)
    top, bottom = _covered(*y_extent, y1, y2)
    flat, lit = mask.cast("B"), memoryview(array("H", [colour]) * (right - left))
    for row in range(top, bottom):
        offset = start + (row - y1) * stride + left - x1
        _paint(buffer, flat, offset, lit, (1 << (right - left)) - 1)
    if (left, right, top, bottom) == (x1, x2, y1, y2):
        return True
    whole_row = (1 << (x2 - x1)) - 1
    return all(
        _mask_bits(flat, start + row * stride, x2 - x1) == whole_row for row in range(y2 - y1)
    )


def _covered(origin, sign, size, low, high):
    """Return the span of low <= x < high for which 0 <= (x - origin) * sign < size."""
    first = origin if sign > 0 else origin - size + 1
    low, high = max(low, min(high, first)), max(low, min(high, first + size))
    return low, high


def _fill_pixels(
    slow: Callable[..., bool], buffer, mask, colors, opaque, geometry, tilegrid, bitmap
) -> bool:
    """Do as ``displayio._tilegrid._fill_pixels``."""
    start, x_stride, y_stride, x_shift, y_shift, x1, x2, y1, y2 = geometry
    beyond_bitmap = max(tilegrid._tiles) >= tilegrid._tiles_in_bitmap
    if beyond_bitmap or bitmap._bits_per_value > _MOST_BITS or abs(x_stride) != 1 or x1 >= x2:
        return slow(buffer, mask, colors, opaque, geometry, tilegrid, bitmap)
    scale = tilegrid._absolute_transform.scale
    opacity = opaque.ljust(256).translate(_DIGITS)  # by value: "1" if its colour is opaque
    # a row is painted in the buffer's order: where the grid is mirrored, from its right end on
    start += x_shift * x_stride - (x2 - x1 - 1 if x_stride < 0 else 0)
    flat, whole_row, full = mask.cast("B"), (1 << (x2 - x1)) - 1, True
    grid_row, lit, wanted = None, memoryview(b""), 0
    for y in range(y1, y2):
        if y // scale != grid_row:  # else the panel shows the same row of the grid again
            grid_row = y // scale
            values = _values(tilegrid, bitmap, grid_row, x1, x2)[::x_stride]
            wanted = int(values.translate(opacity)[::-1], 2)  # as a row of a mask
            lit = memoryview(array("H", [colors[value] for value in values]))
        set_pixels = _paint(buffer, flat, start + (y - y1 + y_shift) * y_stride, lit, wanted)
        full = full and set_pixels == whole_row
    return full


def _values(tilegrid, bitmap, row, x1, x2):
    """Return the values, a byte each, that a grid shows at x1 <= x < x2 of its ``row``.

    The row is one of its own, the xs are of the panel: ``scale`` of them show one value.
    """
    scale, tile_width = tilegrid._absolute_transform.scale, tilegrid._tile_width
    columns, first, last = tilegrid._width_in_tiles, x1 // scale, (x2 - 1) // scale
    tile_row, y = divmod(row, tilegrid._tile_height)
    row_start = (tile_row + tilegrid._top_left_y) % tilegrid._height_in_tiles * columns
    values = []
    for column in range(first // tile_width, last // tile_width + 1):
        tile = tilegrid._tiles[row_start + (column + tilegrid._top_left_x) % columns]
        bitmap_row, bitmap_column = divmod(tile, tilegrid._bitmap_width_in_tiles)
        top, left = bitmap_row * tilegrid._tile_height, bitmap_column * tile_width
        values.append(_bytes(bitmap, top + y, left, left + tile_width))
    joined = b"".join(values)[first % tile_width :][: last - first + 1]
    if scale == 1:
        return joined
    widened = b"".join([bytes((value,)) * scale for value in joined])
    return widened[x1 % scale :][: x2 - x1]


def _bytes(bitmap, y, x1, x2):
    """Return the values x1 <= x < x2 of a bitmap's row, a byte each."""
    bits = bitmap._bits_per_value
    size = (x2 - x1) * bits
    whole = _read(bitmap, y, _span(bitmap, x1, x2)) << -size % 8  # filled up to whole bytes
    packed = whole.to_bytes((size + 7) // 8, "big")
    return b"".join(map(_VALUES[bits].__getitem__, packed))[: x2 - x1]


def _mask_bits(flat, offset, size):
    """Return which of ``size`` pixels from ``offset`` on are set in a mask, given as bytes."""
    first, last = offset // 8, (offset + size + 7) // 8
    return int.from_bytes(flat[first:last], "little") >> offset % 8 & (1 << size) - 1


def _paint(buffer, flat, offset, lit, wanted):
    """Colour a row's pixels from ``offset`` on as in ``lit``: those that are ``wanted`` and not set
    in the mask yet. Set them there, and return the mask's row.
    """
    before = _mask_bits(flat, offset, len(lit))
    new = wanted & ~before
    if new:
        first, last = offset // 8, (offset + len(lit) + 7) // 8
        mask = int.from_bytes(flat[first:last], "little") | new << offset % 8
        flat[first:last] = mask.to_bytes(last - first, "little")
    column = 0  # of the lowest bit of ``new``
    while new:  # a run of pixels at a time
        gap = (new & -new).bit_length() - 1  # its trailing zeros
        new >>= gap
        column += gap
        run = (~new & new + 1).bit_length() - 1  # its trailing ones
        buffer[offset + column : offset + column + run] = lit[column : column + run]
        new >>= run
        column += run
    return before | wanted


_CHECKED: dict[type, type] = {}  # classes that only refuse more than Blinka's, by their own


def add_checked(ours: type, blinka: type) -> None:
    """Have Blinka draw objects of the class ``ours`` as quickly as those of its own class."""
    _CHECKED[ours] = blinka


def _as_blinkas(thing):
    """Return an object of a class with more checks as one of Blinka's, with the same values."""
    blinka = _CHECKED.get(type(thing))
    if blinka is None:
        return thing
    plain = object.__new__(blinka)
    plain.__dict__ = vars(thing)
    return plain


def _can_fill_pixels(slow: Callable[..., bool], colorspace, bitmap, pixel_shader) -> bool:
    """Do as ``displayio._tilegrid._can_fill_pixels``."""
    return slow(colorspace, _as_blinkas(bitmap), _as_blinkas(pixel_shader))


def _shape_fast_path(slow: Callable[..., object], colorspace, shape, pixel_shader):
    """Do as ``vectorio._vectorshape._shape_fast_path``."""
    return slow(colorspace, shape, _as_blinkas(pixel_shader))


def install(bitmaptools: ModuleType, tilegrid: ModuleType, vectorshape: ModuleType) -> None:
    """Put these in the place of Blinka's own; only the first call counts."""
    places = (
        (bitmaptools, "blit", _blit), (bitmaptools, "readinto", _readinto),
        (tilegrid, "_fill_pixels", _fill_pixels), (tilegrid, "_can_fill_pixels", _can_fill_pixels),
        (vectorshape, "_fill_shape_pixels", _fill_shape_pixels),
        (vectorshape, "_shape_fast_path", _shape_fast_path),
    )  # fmt: skip
    for module, name, quick in places:
        slow = getattr(module, name)
        if not hasattr(slow, "func"):
            setattr(module, name, functools.partial(quick, slow))
