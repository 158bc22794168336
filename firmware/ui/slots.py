"""Texts in slots: bitmaps allocated at the start, each with a font's height and a fixed width.

An ``adafruit_display_text`` label sets the letters. After the start no bitmap and no grid is made:
grids are hidden, moved and recoloured, and a slot that shows the same text again is not redrawn.
"""

import bitmaptools
from adafruit_display_text.bitmap_label import Label
from displayio import Bitmap, Palette, TileGrid
from vectorio import Rectangle

from firmware.ui.font import Font

TYPE_CHECKING = False
if TYPE_CHECKING:
    from firmware.core.types import Bytes
    from firmware.ui.types import Group, Kept, Line, Pack

PATCH = 128
HEAD = 5  # bytes: places, boxes, first font, layouts, slots
SLOT = 3  # bytes of a slot and of a place
PLACE = 8
_PAD = 4  # a patch extends so far beyond its text
_PATCHES = 3  # texts on a patch that a screen shows at once
_INKS = 4  # the first colours are those of texts
_BLACK = 0


def u16(raw: "Bytes", at: int) -> int:
    """Return the u16 at an offset of some bytes."""
    return raw[at] | raw[at + 1] << 8


def box(inks: "Palette", group: "Group") -> "Rectangle":
    """Return a rectangle, hidden in ``group``, of the colours ``inks``."""
    made = Rectangle(pixel_shader=inks, width=1, height=1, x=0, y=0)
    made.hidden = True
    group.append(made)
    return made


def _shade(colour):
    shade = Palette(2)
    shade.make_transparent(0)
    shade[1] = colour
    return shade


class Slots:
    """The slots of the panel in a ``section``, drawn above everything in ``group``.

    Show texts between ``begin`` and ``end``. ``kept`` as in ``Font``.
    """

    def __init__(
        self, source: "Pack", section: int, group: "Group", inks: "Palette", kept: "Kept | None"
    ):
        theme = source.read(section, 0, source.size(section))
        first, layouts, slots = theme[2:HEAD]
        self._group = group
        self._fonts = [Font(source, first + number, kept) for number in range(3)]
        self._label = Label(self._fonts[0])
        self._shades = [_shade(inks[colour]) for colour in range(_INKS)]
        self._patches = [box(inks, group) for number in range(_PATCHES * layouts)]
        self._patched = 0
        self._grids = [self._slot(theme, HEAD + SLOT * number) for number in range(slots)]
        self._twins = [self._twin(grid) for grid in self._grids] if layouts > 1 else None
        self._taken = bytearray(slots)  # 1: by a text, 2: by one with a turned copy
        self._shown: "list[tuple[int, bytes] | None]" = [None] * slots  # font and letters
        self._inked = [0] * slots  # px from the left that letters may reach
        self._stale = False

    def _grid(self, bitmap):
        grid = TileGrid(bitmap, pixel_shader=self._shades[_BLACK])
        grid.hidden = True
        self._group.append(grid)
        return grid

    def _slot(self, theme, at):
        return self._grid(Bitmap(u16(theme, at + 1), self._fonts[theme[at]].height, 2))

    def _twin(self, grid):
        twin = self._grid(grid.bitmap)
        twin.flip_x = twin.flip_y = True
        return twin

    def _set(self, thing, name, value):
        if getattr(thing, name) != value:
            setattr(thing, name, value)
            self._stale = True

    def _move(self, thing, x, y):
        self._set(thing, "x", x)
        self._set(thing, "y", y)

    def begin(self) -> None:
        """Release every slot and patch; a slot that gets the same text again is not redrawn."""
        self._patched = 0
        for slot in range(len(self._taken)):
            self._taken[slot] = 0

    def say(self, line: "Line", raw: "Bytes", colour: int, across: int, down: int) -> int:
        """Show a ``text.Line`` at ``raw``; ``colour`` + 128 puts it on a patch; return its slot.

        It takes the smallest free one, and is shortened to the widest where it fits into none; -1:
        all that are high enough are taken. ``across`` and ``down`` are what x and y of a text and
        of its turned copy come to together; 0: there is no copy.
        """
        font, align = self._fonts[raw[0]], raw[1]
        width, x = line.fit(u16(raw, 6), font), u16(raw, 2)
        y = u16(raw, 4) + font.descent - (font.height + font.descent) // 2
        slot = self._free(font.height, width)
        if slot < 0:
            return slot
        room = self._grids[slot].bitmap.width
        if width > room:
            width = line.fit(room, font)
        told = raw[0], bytes(line.codes)
        if self._shown[slot] != told:
            self._shown[slot] = told
            self._draw(slot, font, line, width)
        x -= width * align // 2
        self._taken[slot] = 2 if across else 1
        grid, shade = self._grids[slot], self._shades[colour & ~PATCH]
        self._stand(grid, x, y, shade)
        if colour & PATCH:
            self._patch(x, y, width, font)
        if across:
            twin, bitmap = self._twins[slot], grid.bitmap  # pyright: ignore[reportOptionalSubscript]  (there are copies)
            self._stand(twin, across - x - bitmap.width, down - y - bitmap.height, shade)
            if colour & PATCH:
                self._patch(across - x - width, down - y - font.height + font.descent, width, font)
        return slot

    def end(self) -> bool:
        """Hide unused slots and patches; return whether anything changed since the last ``end``."""
        for slot in range(len(self._taken)):
            self._set(self._grids[slot], "hidden", not self._taken[slot])
            if self._twins is not None:
                self._set(self._twins[slot], "hidden", self._taken[slot] < 2)
        for number in range(len(self._patches)):
            self._set(self._patches[number], "hidden", number >= self._patched)
        stale, self._stale = self._stale, False
        return stale

    def _free(self, height, width):
        """Return the first slot that is free and large enough, else the widest that is high enough,
        else -1.
        """
        found, widest = -1, 0
        for slot in range(len(self._taken)):
            bitmap = self._grids[slot].bitmap
            if not self._taken[slot] and bitmap.height >= height:
                if bitmap.width >= width:
                    return slot
                if bitmap.width > widest:
                    found, widest = slot, bitmap.width
        return found

    def _draw(self, slot, font, line, width):
        """Set a line into a slot's bitmap."""
        bitmap = self._grids[slot].bitmap
        if self._inked[slot]:
            bitmaptools.fill_region(bitmap, 0, 0, self._inked[slot], bitmap.height, 0)
        self._label._place_text(bitmap, str(line), font, 0, font.ascent)
        self._inked[slot] = width
        self._stale = True

    def _stand(self, grid, x, y, shade):
        self._move(grid, x, y)
        self._set(grid, "pixel_shader", shade)

    def _patch(self, x, y, width, font):
        """Put a patch behind a text whose letters begin there; above they have as much room as
        below.
        """
        patch = self._patches[self._patched]
        self._patched += 1
        self._move(patch, x - _PAD, y - font.descent)
        self._set(patch, "width", width + 2 * _PAD)
        self._set(patch, "height", font.height + font.descent)
