"""Reads ``face.bin`` lazily: only the offsets of its sections stay in memory.

``host/boards/screens/pack.py``, which makes the file, documents its layout.
"""

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.ui.types import PackFile

SCREENS = 0
COLOURS = 1
TEXTS = 2  # a language each
FONTS = 4  # small, medium, large; again for panels with letters of their own
PANELS = 10  # three sections a panel: places and boxes, numerals, turned


class Pack:
    """The open file and the table of its sections."""

    def __init__(self, file: "PackFile"):
        self._file = file
        file.seek(0)
        count = file.read(1)[0] + 1
        self._starts = struct.unpack("<%dI" % count, file.read(4 * count))

    def size(self, section: int) -> int:
        """Return a section's size in bytes."""
        return self._starts[section + 1] - self._starts[section]

    def read(self, section: int, offset: int, size: int) -> bytes:
        """Return ``size`` bytes of a section in a new object."""
        return self.seek(section, offset).read(size)

    def seek(self, section: int, offset: int) -> "PackFile":
        """Seek to an offset of a section and return the file, to be read into a buffer."""
        self._file.seek(self._starts[section] + offset)
        return self._file

    def row(self, section: int, base: int, number: int) -> bytes:
        """Return entry ``number`` of a table of u16 offsets at ``base``."""
        begin, end = struct.unpack("<2H", self.read(section, base + 2 * number, 4))
        return self.read(section, begin, end - begin)
