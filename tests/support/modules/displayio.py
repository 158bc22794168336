"""Stands in for the native module when memory is measured: objects without a panel."""

import array


def release_displays():
    pass


class Group:
    def __init__(self, *, scale=1, x=0, y=0):
        self._scale, self.x, self.y, self.hidden, self._members = scale, x, y, False, []

    @property
    def scale(self):
        return self._scale

    @scale.setter
    def scale(self, scale):
        self._scale = scale

    def append(self, member):
        self._members.append(member)

    def insert(self, index, member):
        self._members.insert(index, member)

    def pop(self, index=-1):
        return self._members.pop(index)

    def remove(self, member):
        self._members.remove(member)

    def index(self, member):
        return self._members.index(member)

    def __len__(self):
        return len(self._members)

    def __getitem__(self, index):
        return self._members[index]

    def __setitem__(self, index, member):
        self._members[index] = member

    def __contains__(self, member):
        return member in self._members


class Bitmap:
    """Keeps its pixels in the heap as the native one does, in 1, 2, 4, 8 or 16 bits."""

    def __init__(self, width, height, value_count):
        self.width, self.height = width, height
        bits = 1
        while 1 << bits < value_count:
            bits *= 2
        self._data = bytearray((width * bits + 31) // 32 * 4 * height)

    def __setitem__(self, key, value):
        pass

    def __getitem__(self, key):
        return 0

    def fill(self, value):
        pass


class Palette:
    """Sixteen bytes a colour, as the native one keeps."""

    def __init__(self, count, dither=False):
        self._colours = bytearray(16 * count)

    def __len__(self):
        return len(self._colours) // 16

    def __getitem__(self, index):
        kept = self._colours
        return kept[16 * index] | kept[16 * index + 1] << 8 | kept[16 * index + 2] << 16

    def __setitem__(self, index, colour):
        self._colours[16 * index : 16 * index + 4] = colour.to_bytes(4, "little")

    def make_transparent(self, index):
        pass

    def make_opaque(self, index):
        pass

    def is_transparent(self, index):
        return False


def _number(slot):
    return property(lambda self: self._kept[slot], lambda self, value: self._put(slot, value))


class TileGrid:
    """About a hundred bytes and the tiles, as the native one; what is not asked for is not kept."""

    x, y, width, tile_width, tile_height = map(_number, range(5))
    hidden = flip_x = flip_y = transpose_xy = property(lambda self: False, lambda self, value: None)

    def __init__(
        self,
        bitmap,
        *,
        pixel_shader,
        width=1,
        height=1,
        tile_width=None,
        tile_height=None,
        default_tile=0,
        x=0,
        y=0,
    ):
        self.bitmap, self.pixel_shader = bitmap, pixel_shader
        self._kept = array.array(
            "h", (x, y, width, tile_width or bitmap.width, tile_height or bitmap.height)
        )
        self._tiles = bytearray(bytes([default_tile]) * (width * height))

    def _put(self, slot, value):
        self._kept[slot] = value

    def _index(self, key):
        return key if isinstance(key, int) else key[1] * self.width + key[0]

    def __getitem__(self, key):
        return self._tiles[self._index(key)]

    def __setitem__(self, key, tile):
        self._tiles[self._index(key)] = tile
