"""Stands in for the native module when memory is measured: objects without a panel."""


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
    def __init__(self, count, dither=False):
        self._colours = [0] * count

    def __len__(self):
        return len(self._colours)

    def __getitem__(self, index):
        return self._colours[index]

    def __setitem__(self, index, colour):
        self._colours[index] = colour

    def make_transparent(self, index):
        pass

    def make_opaque(self, index):
        pass

    def is_transparent(self, index):
        return False


class TileGrid:
    def __init__(
        self, bitmap, *, pixel_shader, width=1, height=1, tile_width=None, tile_height=None,
        default_tile=0, x=0, y=0,
    ):
        self.bitmap, self.pixel_shader, self.x, self.y = bitmap, pixel_shader, x, y
        self.width, self.height, self.hidden = width, height, False
        self.tile_width, self.tile_height = tile_width or bitmap.width, tile_height or bitmap.height
        self.flip_x = self.flip_y = self.transpose_xy = False
        self._tiles = bytearray(bytes([default_tile]) * (width * height))

    def _index(self, key):
        return key if isinstance(key, int) else key[1] * self.width + key[0]

    def __getitem__(self, key):
        return self._tiles[self._index(key)]

    def __setitem__(self, key, tile):
        self._tiles[self._index(key)] = tile
